// A payment and whom it is to, as a link: by the name that a person gave the recipient, else by the address with the
// agent's claim behind it.
import { paymentTitle } from '../format/recipient.js'
import { money } from '../format/money.js'
import { useName } from '../names.js'
import { ClaimedName } from './recipientName.js'

interface Props {
  of: { amount: number; currency: string; recipientAddress: string | null; recipientName: string | null }
  href: string
}

export function PaymentTitle({ of, href }: Props) {
  return of.recipientAddress === null ? (
    <Unnamed of={of} href={href} />
  ) : (
    <Titled of={of} href={href} address={of.recipientAddress} />
  )
}

function Titled({ of, href, address }: Props & { address: string }) {
  const name = useName({ type: 'RECIPIENT', id: address })
  if (name === undefined) return <Unnamed of={of} href={href} />
  return (
    <a href={href} title={address}>
      {money(of.amount, of.currency)} to {name}
    </a>
  )
}

function Unnamed({ of, href }: Props) {
  return (
    <>
      <a href={href}>{paymentTitle(of)}</a> <ClaimedName name={of.recipientName} />
    </>
  )
}
