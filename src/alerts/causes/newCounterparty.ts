// The first payment to an address that is approved.
import type { CounterpartyContext } from '../../../machines/counterparty.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'
import { isApproval, paymentChange, whatIsPaid } from '../payment.js'

export const newCounterparty: CausesIn = (change, scene) => {
  const payment = paymentChange(change)
  if (!isApproval(payment)) return NO_CAUSES
  const { ref } = payment.payment.gates.find((gate) => gate.ref.startsWith('counterparty/'))!
  const { transactionCount } = scene.actor(ref)!.context as unknown as CounterpartyContext
  const own = payment.became === 'APPROVED' ? 0 : 1
  if (transactionCount > own) return NO_CAUSES
  const message = `The first payment to this address is approved: ${whatIsPaid(payment.terms)}.`
  return [
    {
      type: 'NEW_COUNTERPARTY',
      about: [ref],
      isOnce: true,
      title: 'First payment to an address',
      message,
      ...payment.subject,
    },
  ]
}
