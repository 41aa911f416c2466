// A payment of an unusual amount, by the organization's own mark.
import { NO_CAUSES, type CausesIn } from '../cause.js'
import { isApproval, paymentChange, whatIsPaid } from '../payment.js'

export const highValue: CausesIn<'payment'> = (change, { settings: { highValueAbove } }) => {
  if (highValueAbove === null) return NO_CAUSES
  const payment = paymentChange(change)
  if (payment.terms.amount < highValueAbove || !isApproval(payment)) return NO_CAUSES
  const { paymentId } = payment.subject
  const message = `A payment of ${whatIsPaid(payment.terms)} is approved.`
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
