// A wallet that cannot pay its chain's fees.
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const unpayableFees: CausesIn<'wallet'> = ({ before, after }) => {
  if (before === undefined) return NO_CAUSES
  const { id, fields, lowGas: lacks } = after.context
  const lacked = before.context.lowGas
  if ((lacks === null) === (lacked === null)) return NO_CAUSES
  const cause = { type: 'LOW_GAS', about: [id] } as const
  if (lacks === null) return [{ ...cause, isEnd: true }]
  return [{ ...cause, title: 'Wallet cannot pay fees', message: () => `${fields.name}: ${lacks}`, walletId: id }]
}
