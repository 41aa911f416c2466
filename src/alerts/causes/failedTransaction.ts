// An executed payment that came to nothing.
import { NO_CAUSES } from '../cause.js'
import { whatIsPaid, type PaymentCausesIn } from '../payment.js'

export const failedTransaction: PaymentCausesIn = ({ became, terms, subject }) => {
  if (became !== 'FAILED') return NO_CAUSES
  const message = () => `The transfer of ${whatIsPaid(terms)} failed. The amount counts as unspent again.`
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
