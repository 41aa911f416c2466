// An executed payment that came to nothing.
import { NO_CAUSES, type CausesIn } from '../cause.js'
import { paymentChange, whatIsPaid } from '../payment.js'

export const failedTransaction: CausesIn<'payment'> = (change) => {
  const { became, terms, subject } = paymentChange(change)
  if (became !== 'FAILED') return NO_CAUSES
  const message = `The transfer of ${whatIsPaid(terms)} failed. The amount counts as unspent again.`
  return [
    {
      type: 'FAILED_TRANSACTION',
      about: [subject.paymentId],
      isOnce: true,
      title: 'Payment failed',
      message,
      ...subject,
    },
  ]
}
