// A wallet that an execution leaves with less than the organization wants. The next fall below is another alert.
import { toNumber } from '../../domain/values/money.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const lowBalance: CausesIn<'wallet'> = ({ before, after }, { settings: { lowBalanceBelow } }) => {
  if (before === undefined) return NO_CAUSES
  const { id, fields, balance } = after.context
  const former = before.context.balance
  const cause = { type: 'WALLET_LOW_BALANCE', about: [id] } as const
  const isLow = lowBalanceBelow !== null && balance < lowBalanceBelow
  if (balance > former && !isLow) return [{ ...cause, isEnd: true }]
  if (balance >= former || !isLow) return NO_CAUSES
  const message = () => `${fields.name} has ${toNumber(balance)} USDC left, less than ${toNumber(lowBalanceBelow)}.`
  return [{ ...cause, title: 'Wallet balance low', message, walletId: id }]
}
