// The audit log: one chain of entries an organization, each holding the hash of the one before.
import type { Json } from './canonical.js'
import { redactedUrl } from './redact.js'

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
  RELEASE_HOLD: 'release',
  WAKE: 'expire',
}

/** A key's use, a look at a chain, and who signs with a nonce at the moment. */
const UNRECORDED = new Set(['USE', 'OBSERVE', 'ALLOCATE', 'SPEND', 'FREE'])

/** False for what only keeps a record up to date and changes nothing that anybody may do. */
export function isAudited(command: string): boolean {
  return !UNRECORDED.has(command)
}

/** The action that a command to an actor of `kind` is recorded as. */
export function actionOf(kind: string, command: string): string {
  return `${kind}.${VERBS[command] ?? command.toLowerCase()}`
}

/** Fields of an actor that are its machinery, not its record; a key's hash and sealed secrets never leave their actor. */
const MACHINERY = ['gates', 'cursor', 'clock', 'attempt', 'holder', 'organization', 'order', 'updatedAt', 'usedAt', 'transfers']
const INTERNAL = new Set([...MACHINERY, 'hash', 'secret', 'previousSecret', 'heldRequest'])

const URLS = new Set(['callbackUrl', 'webhookUrl'])

type Fields = { [field: string]: Json | undefined }

function visible(value: Json | undefined): Json {
  if (value === null || value === undefined || typeof value !== 'object' || Array.isArray(value)) return value ?? null
  const shown = Object.entries(value).filter(([field]) => !INTERNAL.has(field))
  return Object.fromEntries(shown.map(([field, inner]) => [field, URLS.has(field) ? concealed(inner) : inner]))
}

/** The log is for ever: what an answer conceals, it conceals too. */
function concealed(url: Json | undefined): Json {
  return typeof url === 'string' ? redactedUrl(url) : null
}

/** The state, where there was none before; from and to, where it changed. */
export function stateDifference(before: string | undefined, after: string): { state?: Json } {
  if (before === after) return {}
  return { state: before === undefined ? after : { from: before, to: after } }
}

/** The state that an entry's data left its actor in; undefined where it did not change. */
export function stateAfter(data: Json): string | undefined {
  const { state } = data as { state?: string | { to: string } }
  return typeof state === 'object' ? state.to : state
}

/** What changed: the whole record where there was none, else each changed field from and to. */
export function difference(before: Fields | undefined, after: Fields): { [field: string]: Json } {
  const fields = Object.keys(after).filter((field) => !INTERNAL.has(field))
  if (!before) return Object.fromEntries(fields.map((field) => [field, visible(after[field])]))
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return Object.fromEntries(changed.map((field) => [field, { from: visible(before[field]), to: visible(after[field]) }]))
}
