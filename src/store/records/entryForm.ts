// An entry of the audit log as it is stored: its sequence is in the key of its row, and its fields are known by their
// places.
import { AUDIT_FORMAT, type AuditEntry, type RecordedTurn } from '../../domain/audit/entry.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import type { SaltedData } from '../../domain/audit/texts.js'

export type EntryRow = [
  format: typeof AUDIT_FORMAT,
  hash: string,
  previousHash: string,
  id: string,
  action: string,
  resource: string,
  resourceId: string,
  actor: [type: string, id: string],
  requestId: string | null,
  at: string,
  turn: RecordedTurn,
  data: SaltedData,
]

/** The JSON of the row of an entry whose data has this JSON. */
export function rowText(entry: Omit<StoredEntry, 'data'>, data: string): string {
  const { format, hash, previousHash, id, action, resource, resourceId, actor, requestId = null, at, turn } = entry
  const by = [actor.type, actor.id]
  const fields = [format, hash, previousHash, id, action, resource, resourceId, by, requestId, at, turn]
  return `${JSON.stringify(fields).slice(0, -1)},${data}]`
}

/** Undefined for a row of another form; its fields are not checked. */
export function entryFrom(row: EntryRow | undefined, sequence: number): StoredEntry | undefined {
  if (!Array.isArray(row) || row[0] !== AUDIT_FORMAT || !Array.isArray(row[7])) return undefined
  const [format, hash, previousHash, id, action, resource, resourceId, [type, actorId], requestId, at, turn, data] = row
  const actor: AuditEntry['actor'] = { type, id: actorId }
  return {
    format,
    sequence,
    id,
    action,
    resource,
    resourceId,
    actor,
    ...(requestId !== null && { requestId }),
    at,
    turn,
    data,
    previousHash,
    hash,
  }
}
