// USDC that left a wallet by a transfer that no payment explains.
import { toNumber } from '../../domain/values/money.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const ungovernedTransfer: CausesIn<'watch'> = ({ before, after }, { actor }) => {
  const { walletId, found } = after.context
  if (found.length === 0 || before?.context.found === found) return NO_CAUSES
  const { name } = actor(`wallet/${walletId}`)!.context.fields
  return found.map(({ txHash, place, to, amount, block }) => ({
    type: 'UNGOVERNED_TRANSFER',
    about: [walletId, txHash, place],
    isOnce: true,
    title: 'Transfer without a payment',
    message: () =>
      `${toNumber(amount)} USDC left ${name} for ${to} in block ${block}, and no payment explains it: transaction ${txHash}.`,
    walletId,
  }))
}
