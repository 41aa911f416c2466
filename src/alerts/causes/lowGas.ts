// A wallet that cannot pay its chain's fees.
import type { WalletContext } from '../../../machines/wallet.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const lowGas: CausesIn = ({ before, after }) => {
  if (before === undefined) return NO_CAUSES
  const { id, fields, lowGas: lacks } = after.context as unknown as WalletContext
  const lacked = (before.context as unknown as WalletContext).lowGas
  if ((lacks === null) === (lacked === null)) return NO_CAUSES
  const cause = { type: 'LOW_GAS', about: [id] } as const
  if (lacks === null) return [{ ...cause, isEnd: true }]
  return [{ ...cause, title: 'Wallet cannot pay fees', message: `${fields.name}: ${lacks}`, walletId: id }]
}
