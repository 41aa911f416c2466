// A payment and whom it is to, as a link: by the name that a person gave the recipient, else by the address with the
// agent's claim behind it.
import { paymentTitle } from '../format/recipient.js'
import { money } from '../format/money.js'
import { useRecipientName } from '../names.js'
import { ClaimedName } from './recipientName.js'

interface Props {
  of: { amount: number; currency: string; recipientAddress: string | null; recipientName: string | null }
  href: string
}

export function PaymentTitle({ of, href }: Props) {
  const { amount, currency, recipientAddress, recipientName } = of
  const name = useRecipientName(recipientAddress)
  if (name === undefined || recipientAddress === null) {
    return (
      <>
        <a href={href}>{paymentTitle(of)}</a> <ClaimedName name={recipientName} />
      </>
    )
  }
  return (
    <a href={href} title={recipientAddress}>
      {money(amount, currency)} to {name}
    </a>
  )
}
