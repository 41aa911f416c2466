// The recipient of a payment: the address, which is a fact, before the name, which is the agent's claim and is shown in
// quotation marks.
import { short } from '../format/words.js'
import { Copy } from './secret.js'

interface Props {
  of: { recipientAddress: string; recipientName: string | null }
}

/** The short form for lists. */
export function RecipientInline({ of: { recipientAddress, recipientName } }: Props) {
  return (
    <>
      <code title={recipientAddress}>{short(recipientAddress)}</code>{' '}
      {recipientName && <q title="Name given by the agent, not verified">{recipientName}</q>}
    </>
  )
}

/** The whole address, because addresses that begin and end alike are easily made. */
export function RecipientAddress({ of: { recipientAddress, recipientName } }: Props) {
  return (
    <>
      <code class="whole">{recipientAddress}</code> <Copy text={recipientAddress} what="address" />
      <div>
        <ClaimedName name={recipientName} />
      </div>
    </>
  )
}

export function ClaimedName({ name }: { name: string | null }) {
  if (name === null) return null
  return (
    <span class="hint">
      named by the agent: <q>{name}</q>
    </span>
  )
}
