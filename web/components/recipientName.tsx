// The recipient of a payment: the address, which is a fact, before the name, which is the agent's claim and is shown in
// quotation marks.
import { short } from '../format/words.js'
import { Copy } from './secret.js'

interface Props {
  /** On a card there is only the merchant's name. */
  of: { recipientAddress: string | null; recipientName: string | null }
}

/** The short form for lists. */
export function RecipientInline({ of: { recipientAddress, recipientName } }: Props) {
  if (recipientAddress === null) return <ByCard name={recipientName} />
  return (
    <>
      <code title={recipientAddress}>{short(recipientAddress)}</code>{' '}
      {recipientName && <q title="Name given by the agent, not verified">{recipientName}</q>}
    </>
  )
}

/** The whole address, because addresses that begin and end alike are easily made. */
export function RecipientAddress({ of: { recipientAddress, recipientName } }: Props) {
  if (recipientAddress === null) return <ByCard name={recipientName} />
  return (
    <>
      <code class="whole">{recipientAddress}</code> <Copy text={recipientAddress} what="address" />
      <div>
        <ClaimedName name={recipientName} />
      </div>
    </>
  )
}

function ByCard({ name }: { name: string | null }) {
  return (
    <>
      <q title="Name given by the agent, not verified">{name}</q> by card
    </>
  )
}

/** For titles. */
export function recipientTitle({ recipientAddress }: Props['of']): string {
  return recipientAddress === null ? 'a merchant by card' : short(recipientAddress)
}

export function ClaimedName({ name }: { name: string | null }) {
  if (name === null) return null
  return (
    <span class="hint">
      named by the agent: <q>{name}</q>
    </span>
  )
}
