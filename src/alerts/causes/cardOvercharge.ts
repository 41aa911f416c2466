// A card that was charged with more than was approved, or when nothing was held for it any more.
import { NO_CAUSES } from '../cause.js'
import { amountOf } from '../../domain/payment/terms.js'
import { toNumber } from '../../domain/values/money.js'
import type { PaymentCausesIn } from '../payment.js'

export const cardOvercharge: PaymentCausesIn = ({ became, payment, terms, subject }) => {
  if (became !== 'EXECUTED' || payment.permit?.charge?.overcharged !== true) return NO_CAUSES
  const { amount, currency, recipientName } = terms
  const is = `${toNumber(amountOf(payment))} ${currency}`
  const message = () =>
    `The card ending in ${terms.card!.last4} was charged ${is} by ${recipientName}: approved were ${toNumber(amount)}, and the charge may be late. It counts as it was made.`
  return [
    {
      type: 'CARD_OVERCHARGE',
      about: [subject.paymentId],
      isOnce: true,
      title: 'Card overcharged',
      message,
      ...subject,
    },
  ]
}
