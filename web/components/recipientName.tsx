// The recipient of a payment: the address, which is a fact, and the name, which is the agent's claim and is shown in
// quotation marks. Lists begin with the name, and where somebody decides the address comes first.
import { short } from '../format/words.js'
import type { ComponentChildren } from 'preact'
import { Long } from './amounts.js'
import { Copy } from './secret.js'
import { RowLink } from './table.js'

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
      {recipientName && <AgentsName name={recipientName} />}
    </>
  )
}

interface CellProps extends Props {
  href: string
  about: ComponentChildren
}

/** For lists of payments: the name, and below it the address, each to copy. */
export function RecipientCell({ of: { recipientAddress, recipientName }, href, about }: CellProps) {
  if (recipientName === null) {
    return (
      <>
        <RowLink href={href}>
          <code title={recipientAddress ?? undefined}>{short(recipientAddress ?? '')}</code>
        </RowLink>
        {recipientAddress && <Copy text={recipientAddress} what="address" />}
        {about && <div class="name-about">{about}</div>}
      </>
    )
  }
  return (
    <>
      <RowLink href={href}>
        <AgentsName name={recipientName} />
      </RowLink>
      <Copy text={recipientName} what="name" />
      <div class="name-about">
        {recipientAddress === null ? 'by card' : <Long text={recipientAddress} />}
        {about}
      </div>
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
      <AgentsName name={name} /> by card
    </>
  )
}

export function ClaimedName({ name }: { name: string | null }) {
  if (name === null) return null
  return (
    <span class="hint">
      named by the agent: <AgentsName name={name} />
    </span>
  )
}

export function AgentsName({ name }: { name: string | null }) {
  return (
    <q title="Name given by the agent, not verified">
      <bdi>{name}</bdi>
    </q>
  )
}
