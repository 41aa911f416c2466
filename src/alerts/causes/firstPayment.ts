// The first payment to an address that is approved.
import { isOf } from '../../actor/actor.js'
import { NO_CAUSES } from '../cause.js'
import { isApproval, whatIsPaid, type PaymentCausesIn } from '../payment.js'

export const firstPayment: PaymentCausesIn = (payment, scene) => {
  if (!isApproval(payment)) return NO_CAUSES
  const recipient = payment.payment.gates.map(({ ref }) => scene.actor(ref)).find((gate) => isOf('counterparty', gate))
  // On a card nobody is paid at an address.
  if (recipient === undefined) return NO_CAUSES
  const { transactionCount } = recipient.context
  const own = payment.became === 'APPROVED' ? 0 : 1
  if (transactionCount > own) return NO_CAUSES
  const message = () => `The first payment to this address is approved: ${whatIsPaid(payment.terms)}.`
  return [
    {
      type: 'NEW_COUNTERPARTY',
      about: [recipient.ref],
      isOnce: true,
      title: 'First payment to an address',
      message,
      ...payment.subject,
    },
  ]
}
