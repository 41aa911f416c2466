// The audit log: one chain of entries an organization, each with the hash of the one before.
import type { Ref } from '../limits/gate.js'
import type { Code } from '../outcomes/codes.js'
import { isSameJson, type Json } from '../values/canonical.js'
import { isImplied } from '../values/implied.js'
import type { Meta } from '../values/meta.js'
import { withNulls, withoutNulls } from './nulls.js'
import { redacted, SECRETS } from './redact.js'

/** What the command did in the chart of the changed object. */
export type RecordedTurn = {
  command: string
  /** The guard that let it pass; absent for a transition without one. */
  guard?: string
  /** Why it was refused. */
  refusal?: Code
  /** The gate that refused it. The transition is then one for REFUSED. */
  refusedBy?: Ref
  /** The events that it announced. */
  events?: string[]
}

/** The format of every entry. */
export const AUDIT_FORMAT = 2

/** An entry as people read it, with its texts in place. */
export interface AuditEntry {
  format: typeof AUDIT_FORMAT
  /** From 1, without gaps. */
  sequence: number
  id: string
  /** `noun.verb`. */
  action: string
  resource: string
  resourceId: string
  actor: { type: string; id: string }
  /** The `X-Request-Id` of the request behind the entry; absent when there was none. */
  requestId?: string
  /** ISO 8601. */
  at: string
  turn: RecordedTurn
  data: Json
  previousHash: string
  /** SHA-256 (hex) over the RFC 8785 form of the raw entry without this field and its texts. */
  hash: string
}

/** The previous hash of a chain's first entry. */
export const GENESIS = '0'.repeat(64)

const VERBS: Record<string, string> = {
  CONFIGURE: 'update',
  RENAME: 'update',
  ROLL_BACK: 'rollback',
  RELEASE_HOLD: 'release',
  WAKE: 'expire',
}

/** Verbs of commands that leave the state as it was: a WAKE that ends nothing escalates an approval. */
const LASTING_VERBS: Record<string, string> = { WAKE: 'escalate' }

/** Verbs of refused executions, so that a search for executions does not find them. */
const REFUSED_VERBS: Record<string, string> = { EXECUTE: 'attempt' }

/** The actor of freezes by an agent's own thresholds. */
export const AUTO_FREEZE = { type: 'SYSTEM', id: 'auto-freeze' }

/** The actor of WAKE entries. No request is behind them, even where one was the first to find the actor due. */
export const TIMER = { type: 'SYSTEM', id: 'timer' }

/** The actor of entries about sending transfers and following them into their chains. */
export const SETTLEMENT = { type: 'SYSTEM', id: 'settlement' }

/** Commands without an entry: uses, readings of chains, nonces, and alerts and counters, whose causes have entries. */
const UNRECORDED = new Set([
  'USE',
  'OBSERVE',
  'WATCH',
  'ADVANCE',
  'ALLOCATE',
  'SPEND',
  'FREE',
  'RAISE',
  'END_CAUSE',
  'NOTE',
])

/** False for bookkeeping commands, which change nothing that a principal may do. */
export function isAudited(command: string): boolean {
  return !UNRECORDED.has(command)
}

/** The action under which a command is recorded; `meta` is of the state that it leads to. */
export function actionOf(kind: string, command: string, staysInState: boolean, { hold, transaction }: Meta): string {
  const isExecuted = hold === 'captured' || transaction !== undefined
  const refused = isExecuted ? undefined : REFUSED_VERBS[command]
  const lasting = staysInState ? LASTING_VERBS[command] : undefined
  return `${kind}.${refused ?? lasting ?? VERBS[command] ?? command.toLowerCase()}`
}

/** Fields that only operate an actor, and secrets, which never leave it. */
const ASKING = ['gates', 'holds', 'clock', 'sending', 'transferKey', 'holder']
const KEEPING = ['organization', 'order', 'updatedAt', 'usedAt', 'userAgent', 'edits', 'former', 'waiting']
const INTERNAL = new Set([...ASKING, ...KEEPING, ...SECRETS])

/** True for a field with all of its changes in the log. */
function isRecorded(field: string): boolean {
  return !INTERNAL.has(field)
}

interface Fields {
  [field: string]: Json | undefined
}

type Data = { [field: string]: Json }

interface Recorded {
  state: string
  context: object
}

/** The log is forever: what an answer conceals, it conceals too. */
function visible(value: Json | undefined): Json {
  if (value === null || value === undefined || typeof value !== 'object' || Array.isArray(value)) return value ?? null
  const shown: { [field: string]: Json | undefined } = {}
  for (const field of Object.keys(value)) {
    if (isRecorded(field)) shown[field] = redacted(field, value[field])
  }
  return shown
}

/** True for an entry with the whole record, an actor's first. */
export function isBeginning(data: Json): boolean {
  return typeof (data as { state?: Json }).state === 'string'
}

/**
 * The data of an entry: what has changed, or of a new actor what is not as in `initial`, without its id, which is the
 * entry's resource. It has no nulls.
 */
export function loggedData(before: Recorded | undefined, after: Recorded, initial: object): Data {
  const data = difference(before, after)
  if (before === undefined) {
    const known = initial as Data
    for (const field in known) if (field === 'id' || isImplied(data[field], known[field])) data[field] = null
  }
  return withoutNulls(data) as Data
}

/** The same with all that it leaves out: every field of a new actor, and both sides of each change. */
export function wholeData(
  { resource, resourceId, data }: Pick<AuditEntry, 'resource' | 'resourceId' | 'data'>,
  initial: object,
): Data {
  const fields = data as Data
  if (!isBeginning(data)) {
    return Object.fromEntries(
      Object.entries(fields).map(([field, change]) => [field, bothSides(resource, field, change)]),
    )
  }
  const known = { ...initial, ...('id' in initial && { id: resourceId }), ...fields } as Data
  const names = Object.keys(known).filter(isRecorded).sort()
  return Object.fromEntries(names.map((field) => [field, withNulls(resource, field, known[field])]))
}

function bothSides(resource: string, field: string, change: Json): Json {
  const { from, to } = change as { from?: Json; to?: Json }
  return { from: withNulls(resource, field, from), to: withNulls(resource, field, to) }
}

/** The actor's state after an entry; undefined where it did not change. */
export function stateAfter(data: Json): string | undefined {
  const { state } = data as { state?: string | { to: string } }
  return typeof state === 'object' ? state.to : state
}

/** From and to of the state and of each changed field; state and whole record of a new actor. */
export function difference(before: Recorded | undefined, after: Recorded): Data {
  const data: Data = {}
  if (before?.state !== after.state) data['state'] = before ? { from: before.state, to: after.state } : after.state
  const was = before?.context as Fields | undefined
  const now = after.context as Fields
  for (const field of Object.keys(now)) {
    const is = now[field]
    if (is === undefined || !isRecorded(field)) continue
    if (!was) data[field] = visible(is)
    else if (!isSameJson(was[field], is)) data[field] = { from: visible(was[field]), to: visible(is) }
  }
  return data
}
