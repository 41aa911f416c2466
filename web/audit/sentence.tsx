// An entry of the audit log as a sentence: who did what with which object, and what changed, old and new.
import { Fragment } from 'preact'
import { Named, Who } from '../components/amounts.js'
import { AnyValue, fieldLabel, isFields } from '../components/anyValue.js'
import type { Difference } from '../components/difference.js'
import { AgentsName } from '../components/recipientName.js'
import { words } from '../format/words.js'
import type { Logged } from '../payment/logged.js'
import { changesOf } from './shown.js'
import { OBJECT_VERBS, SESSION_VERBS, phrased, verbOf } from './verbs.js'

const KINDS: { [resource: string]: string } = { member: 'PERSON' }
/** More changes than these are in the details. */
const MOST = 2

export function Sentence({ of: entry }: { of: Logged }) {
  const { action, actor, data, resource } = entry
  const who = (
    <strong class={actor.type === 'ORGANIZATION_KEY' ? 'starts' : undefined}>
      <Who by={actor} />
    </strong>
  )
  if (resource === 'session')
    return (
      <>
        {who} {SESSION_VERBS[verbOf(action)]}
      </>
    )
  return (
    <>
      {who} {phrased(OBJECT_VERBS, action)} <Subject of={entry} />
      <Whose of={entry} />
      <Changes of={changesOf(data).filter(isShort)} />
    </>
  )
}

/** What these name is a claim. */
const AGENTS: ReadonlySet<string> = new Set(['AGENT_KEY', 'AGENT'])

/** The object of the entry by its name: the one that the entry gave it, or its present one. */
function Subject({ of: { resource, resourceId, actor, data } }: { of: Logged }) {
  if (resource === 'organization') return <>the organization</>
  const kind = words(resource).toLowerCase()
  const given = nameIn(data)
  const isClaim = resource === 'counterparty' && AGENTS.has(actor.type)
  return (
    <>
      {kind}{' '}
      {given ? (
        <strong>{isClaim ? <AgentsName name={given} /> : given}</strong>
      ) : (
        <Named type={KINDS[resource] ?? resource.toUpperCase()} id={resourceId} isText />
      )}
    </>
  )
}

/** Whom the object of the entry belongs to, or what a policy was assigned to. */
function Whose({ of: { action, data } }: { of: Logged }) {
  const whole = isFields(data) ? data : {}
  const { agentId, walletId } = { ...(isFields(whole['fields']) ? whole['fields'] : {}), ...whole }
  const assigned = ['agents', 'wallets', 'cards'].flatMap((field) => movedBetween(field, whole[field]))
  return (
    <>
      {typeof agentId === 'string' && (
        <>
          {' '}
          of agent <Named type="AGENT" id={agentId} isText />
        </>
      )}
      {typeof walletId === 'string' && (
        <>
          {' '}
          for wallet <Named type="WALLET" id={walletId} isText />
        </>
      )}
      {assigned.map(({ type, id }) => (
        <Fragment key={id}>
          {action.endsWith('.unassign') ? ' from ' : ' to '}
          {type} <Named type={type.toUpperCase()} id={id} isText />
        </Fragment>
      ))}
    </>
  )
}

/** The members that only one side of a changed list has. */
function movedBetween(field: string, change: unknown): { type: string; id: string }[] {
  const { from, to } = isFields(change) ? change : {}
  const [before, after] = [from, to].map((side) =>
    (Array.isArray(side) ? side : []).map((one: unknown) => subjectOf(one)),
  )
  const all = [...new Set([...(before ?? []), ...(after ?? [])])].filter((id) => id !== undefined)
  const moved = all.filter((id) => before?.includes(id) !== after?.includes(id))
  return moved.map((id) => ({ type: field.slice(0, -1), id }))
}

const subjectOf = (one: unknown): string | undefined =>
  isFields(one) && typeof one['subjectId'] === 'string' ? one['subjectId'] : undefined

function nameIn(data: unknown): string | undefined {
  const whole = isFields(data) ? data : {}
  const parts = [whole, whole['fields'], whole['definition']].filter(isFields)
  const names = parts.flatMap((part) => [part['name'], part['email']])
  return names.find((name) => typeof name === 'string')
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const isShort = ({ from, to }: Difference): boolean => isPlain(from) && isPlain(to)

/** `: Balance 0.00 USDC → 10.00 USDC`. */
function Changes({ of }: { of: Difference[] }) {
  if (of.length === 0) return null
  return (
    <>
      :{' '}
      {of.slice(0, MOST).map((one, index) => (
        <Fragment key={one.path.join('.')}>
          {index > 0 && ', '}
          <OldAndNew of={one} />
        </Fragment>
      ))}
      {of.length > MOST && ` and ${of.length - MOST} more`}
    </>
  )
}

function OldAndNew({ of: { path, from, to } }: { of: Difference }) {
  const field = path.at(-1)!
  return (
    <>
      {field === 'state' ? 'status' : fieldLabel(field).toLowerCase()} <Values from={from} to={to} />
    </>
  )
}

export function Values({ from, to }: { from: unknown; to: unknown }) {
  return (
    <>
      {from !== null && (
        <>
          <AnyValue of={from} /> <span aria-hidden="true">→ </span>
          <span class="visually-hidden">is now </span>
        </>
      )}
      {to === null ? 'removed' : <AnyValue of={to} />}
    </>
  )
}
