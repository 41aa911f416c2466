// The recipient of a payment within a sentence: the name that a person gave it, else the address with the agent's claim.
import { short } from '../format/words.js'
import { useName } from '../names.js'
import { RecipientInline } from './recipientName.js'

interface Props {
  of: { recipientAddress: string | null; recipientName: string | null }
}

export function RecipientSaid({ of }: Props) {
  if (of.recipientAddress === null) return <RecipientInline of={of} />
  return <Known address={of.recipientAddress} of={of} />
}

function Known({ address, of }: Props & { address: string }) {
  const name = useName({ type: 'RECIPIENT', id: address })
  if (name === undefined) return <RecipientInline of={of} />
  return (
    <>
      <strong>{name}</strong>{' '}
      <code class="hint" title={address}>
        {short(address)}
      </code>
    </>
  )
}
