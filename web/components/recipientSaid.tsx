// The recipient of a payment within a sentence: the name that a person gave it, else the address with the agent's claim.
import { short } from '../format/words.js'
import { useRecipientName } from '../names.js'
import { RecipientInline } from './recipientName.js'

interface Props {
  of: { recipientAddress: string | null; recipientName: string | null }
}

export function RecipientSaid({ of }: Props) {
  const { recipientAddress: address } = of
  const name = useRecipientName(address)
  if (name === undefined || address === null) return <RecipientInline of={of} />
  return (
    <>
      <strong>{name}</strong>{' '}
      <code class="hint" title={address}>
        {short(address)}
      </code>
    </>
  )
}
