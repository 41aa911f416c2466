// An entry of the audit log as a line that expands: who did what, and then what it changed, in readable form. The log
// itself keeps amounts in micro-units and times in milliseconds, and so does its download.
import { useState } from 'preact/hooks'
import type { Entry } from '../api.js'
import { fromMicros, money } from '../format/money.js'
import { isMoment, utc } from '../format/time.js'
import { words } from '../format/words.js'
import { to } from '../router.js'
import { Facts, type Fact } from './facts.js'
import { Long, Named, Time, Who } from './amounts.js'
import { AS_WRITTEN, AnyValue, fieldLabel, isFields } from './anyValue.js'

type Logged = Entry<'GET /api/audit-logs', 'entries'>

export function AuditEntry({ of: entry }: { of: Logged }) {
  const { sequence, action, at } = entry
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="hint">{sequence}</span> <strong>{words(action)}</strong>{' '}
        <span>
          by <By of={entry} />
        </span>{' '}
        <Time at={at} />
      </summary>
      {open && <Opened of={entry} />}
    </details>
  )
}

/** The name of an agent's key is not known here; if the entry names the agent, its name is shown. */
function By({ of: { actor, data } }: { of: Logged }) {
  const terms = isFields(data) && isFields(data['terms']) ? data['terms'] : {}
  const isKnown = actor.type === 'AGENT_KEY' && typeof terms['agentId'] === 'string'
  return <Who by={isKnown ? { type: 'AGENT', id: String(terms['agentId']) } : actor} />
}

function Opened({ of: { resource, resourceId, actor, data, hash, previousHash, requestId } }: { of: Logged }) {
  const fields = Object.entries(isFields(data) ? data : { said: data })
  return (
    <>
      <Facts
        of={[
          ['Resource', <Place resource={resource} id={resourceId} />],
          ['Actor', <a href={to('audit', { actorId: actor.id })}>All activity</a>],
          ...fields.map(([name, value]): Fact => [fieldLabel(name), <Changed of={readable(name, value)} />]),
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

const AMOUNTS =
  /^(amount|amountAtLeast|maxAmountNow|balance|total|(day|week|month)Total|totalVolume|averageAmount|spendLimit\w+)$/
/** Of a violation, unless its unit says that they are counts. */
const BOUNDS = /^(limit|current)$/
const TIMES = /(At|^now)$/

/** The value of a field with readable amounts and times; both values of a change have the field's name. */
function readable(name: string, value: unknown): unknown {
  if (AS_WRITTEN.has(name)) return value
  if (Array.isArray(value)) return value.map((one) => readable(name, one))
  if (isFields(value)) {
    const isPair = Object.keys(value).every((key) => key === 'from' || key === 'to')
    const isOfAmounts = 'message' in value && value['unit'] !== 'COUNT'
    const nameOf = (key: string): string => (isPair ? name : isOfAmounts && BOUNDS.test(key) ? 'amount' : key)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(nameOf(key), one)]))
  }
  if (AMOUNTS.test(name) && Number.isSafeInteger(value)) return money(fromMicros(BigInt(value as number)))
  return TIMES.test(name) && isMoment(value) ? utc(value) : value
}

/** A changed field shows its old and its new value. */
function Changed({ of }: { of: unknown }) {
  const names = isFields(of) ? Object.keys(of) : []
  if (!isFields(of) || names.length === 0 || !names.every((name) => name === 'from' || name === 'to'))
    return <AnyValue of={of} />
  return (
    <>
      <AnyValue of={of['from']} /> <span aria-hidden="true">→</span>
      <span class="visually-hidden">is now</span> <AnyValue of={of['to']} />
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
