// A payment of an unusual amount, by the organization's own mark.
import { NO_CAUSES } from '../cause.js'
import { isApproval, whatIsPaid, type PaymentCausesIn } from '../payment.js'

export const highValue: PaymentCausesIn = (payment, { settings: { highValueAbove } }) => {
  if (highValueAbove === null || payment.terms.amount < highValueAbove || !isApproval(payment)) return NO_CAUSES
  const { paymentId } = payment.subject
  const message = () => `A payment of ${whatIsPaid(payment.terms)} is approved.`
  return [
    {
      type: 'HIGH_VALUE_TRANSACTION',
      about: [paymentId],
      isOnce: true,
      title: 'Large payment approved',
      message,
      ...payment.subject,
    },
  ]
}
