// An entry of the audit log as a line that expands: a sentence, and then everything that it set or changed, in readable
// form.
import { useState } from 'preact/hooks'
import { PaymentSentence } from '../audit/paymentSentence.js'
import { Sentence, Values } from '../audit/sentence.js'
import { changesOf, fieldsOf } from '../audit/shown.js'
import type { TermsSaid } from '../audit/terms.js'
import { words } from '../format/words.js'
import type { Logged } from '../payment/logged.js'
import { to } from '../router.js'
import { Long, Named, Time } from './amounts.js'
import { fieldLabel, labelled } from './anyValue.js'
import { Facts, type Fact } from './facts.js'

interface Props {
  of: Logged
  /** Of the payment that the entry is about. */
  terms: TermsSaid | undefined
}

export function AuditEntry({ of: entry, terms }: Props) {
  const { sequence, action, at, resource } = entry
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="hint">{sequence}</span>{' '}
        <span class="entry-says">
          {resource === 'payment' ? <PaymentSentence of={entry} terms={terms} /> : <Sentence of={entry} />}
        </span>{' '}
        <span class="hint">{words(action)}</span> <Time at={at} />
      </summary>
      {open && <Opened of={entry} />}
    </details>
  )
}

function Opened({ of: { resource, resourceId, actor, data, hash, previousHash, requestId } }: { of: Logged }) {
  const changes = changesOf(data).map(({ path, from, to: after }): Fact => {
    const label = path.map((field) => (field === 'state' ? 'Status' : fieldLabel(field))).join(' · ')
    return [label, <Values from={from} to={after} />]
  })
  return (
    <>
      <Facts
        of={[
          ['Resource', <Place resource={resource} id={resourceId} />],
          ['Actor', <a href={to('audit', { actorId: actor.id })}>All activity</a>],
          ...fieldsOf(data).map(([field, value]) =>
            field === 'state' ? (['Status', value] as Fact) : labelled(field, value),
          ),
          ...changes,
          ['Request', requestId && <Long text={requestId} what="request id" />],
          ['Hash', <Long text={hash} what="hash" />],
          ['Previous hash', <Long text={previousHash} what="previous hash" />],
        ]}
      />
      {resource === 'payment' && (
        <p>
          <a href={`/api/payments/${resourceId}/receipt`} download={`receipt-${resourceId}.json`}>
            Payment receipt
          </a>
        </p>
      )}
    </>
  )
}

const KINDS: { [resource: string]: string } = { member: 'PERSON', key: 'ORGANIZATION_KEY' }

function Place({ resource, id }: { resource: string; id: string }) {
  if (resource === 'payment') return <a href={to('payments', id)}>The payment</a>
  return (
    <>
      {words(resource)} <Named type={KINDS[resource] ?? resource.toUpperCase()} id={id} />
    </>
  )
}
