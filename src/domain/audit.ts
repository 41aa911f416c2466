// The audit log: one chain of entries an organization, each holding the hash of the one before.
import type { Json } from './canonical.js'
import { redacted, SECRETS } from './redact.js'

export interface AuditEntry {
  /** From 1, without gaps. */
  sequence: number
  id: string
  /** `noun.verb`. */
  action: string
  resource: string
  resourceId: string
  actor: { type: string; id: string }
  /** The `X-Request-Id` of the request that asked for it; absent where nobody's request did. */
  requestId?: string
  /** ISO 8601. */
  at: string
  data: Json
  previousHash: string
  /** SHA-256 (hex) over the RFC 8785 form of the entry without this field. */
  hash: string
}

/** What the first entry of a chain names as the hash before it. */
export const GENESIS = '0'.repeat(64)

const VERBS: Record<string, string> = {
  CONFIGURE: 'update',
  RENAME: 'update',
  ROLL_BACK: 'rollback',
  RELEASE_HOLD: 'release',
  WAKE: 'expire',
}

/** Of commands that leave the state as it was: where time ends nothing, somebody else is asked. */
const LASTING_VERBS: Record<string, string> = { WAKE: 'escalate' }

/** Of an execution that was refused: what looks for executions must not find it. */
const REFUSED_VERBS: Record<string, string> = { EXECUTE: 'attempt' }

/** States of payments that were executed, or are on their way. */
const EXECUTED = /^(executed|failed|transferring\.\w+|transferred\.\w+)$/

/** Who wakes actors whose time has come. Nobody asked for that, even where a request was the first to find it due. */
export const TIMER = { type: 'SYSTEM', id: 'timer' }

/** Who carries transfers out and follows them into their chains. */
export const SETTLEMENT = { type: 'SYSTEM', id: 'settlement' }

/** A key's use, a look at a chain, who signs with a nonce at the moment, and a key that what is recorded holds. */
const UNRECORDED = new Set(['USE', 'OBSERVE', 'ALLOCATE', 'SPEND', 'FREE', 'TAKE'])

/** False for what only keeps a record up to date and changes nothing that anybody may do. */
export function isAudited(command: string): boolean {
  return !UNRECORDED.has(command)
}

/** The action that a command is recorded as that led an actor of `kind` from one state to another, or left it there. */
export function actionOf(kind: string, command: string, from: string | undefined, to: string): string {
  const refused = EXECUTED.test(to) ? undefined : REFUSED_VERBS[command]
  const lasting = from === to ? LASTING_VERBS[command] : undefined
  return `${kind}.${refused ?? lasting ?? VERBS[command] ?? command.toLowerCase()}`
}

/** The commands that an action may have been recorded for. */
export function commandsOf(action: string): string[] {
  const verb = action.slice(action.indexOf('.') + 1)
  const all = [VERBS, LASTING_VERBS, REFUSED_VERBS].flatMap((verbs) => Object.entries(verbs))
  const named = all.filter(([, name]) => name === verb)
  return [verb.toUpperCase(), ...named.map(([command]) => command)]
}

/** Each action that was renamed: what it is recorded as, and what entries from before say. */
const RENAMED = [['policy.rollback', 'policy.roll_back']]

/** The action as it is written, then its other names. */
export function spellingsOf(action: string): string[] {
  const names = RENAMED.find((all) => all.includes(action)) ?? []
  return [action, ...names.filter((name) => name !== action)]
}

/** Fields of an actor that are its machinery, not its record. */
const ASKING = ['gates', 'cursor', 'clock', 'attempt', 'holder']
const KEEPING = ['organization', 'order', 'updatedAt', 'usedAt', 'edits']
const INTERNAL = new Set([...ASKING, ...KEEPING, ...SECRETS])

/** True for a field whose every change is in the log. */
export function isRecorded(field: string): boolean {
  return !INTERNAL.has(field)
}

/** What is recorded of an actor. */
interface Recorded {
  state: string
  context: { [field: string]: Json | undefined }
}

/** The log is for ever: what an answer conceals, it conceals too. */
function visible(value: Json | undefined): Json {
  if (value === null || value === undefined || typeof value !== 'object' || Array.isArray(value)) return value ?? null
  const shown: { [field: string]: Json | undefined } = {}
  for (const field of Object.keys(value)) {
    if (isRecorded(field)) shown[field] = redacted(field, value[field])
  }
  return shown
}

/** True for data that has the whole record: there was no actor before. */
export function isBeginning(data: Json): boolean {
  return typeof (data as { state?: Json }).state === 'string'
}

/** The state that an entry's data left its actor in; undefined where it did not change. */
export function stateAfter(data: Json): string | undefined {
  const { state } = data as { state?: string | { to: string } }
  return typeof state === 'object' ? state.to : state
}

/**
 * What changed, as an entry's data: the state and the whole record where there was none, else from and to of the state
 * and of each field that is another.
 */
export function difference(before: Recorded | undefined, after: Recorded): { [field: string]: Json } {
  const data: { [field: string]: Json } = {}
  if (before?.state !== after.state) data['state'] = before ? { from: before.state, to: after.state } : after.state
  const was = before?.context
  for (const field of Object.keys(after.context)) {
    const is = after.context[field]
    if (is === undefined || !isRecorded(field)) continue
    if (!was) data[field] = visible(is)
    else if (differ(was[field], is)) data[field] = { from: visible(was[field]), to: visible(is) }
  }
  return data
}

/** A context keeps the very object of a field that no turn has assigned. */
function differ(was: Json | undefined, is: Json | undefined): boolean {
  return was !== is && JSON.stringify(was) !== JSON.stringify(is)
}
