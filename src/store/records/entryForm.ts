// An entry of the audit log as it is stored: its sequence is in the key of its row, and no field is named.
import { AUDIT_FORMAT, type AuditEntry, type RecordedTurn } from '../../domain/audit/entry.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import type { SaltedData } from '../../domain/audit/texts.js'

export type EntryRow = [
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

export function rowOf({ hash, previousHash, id, action, resource, resourceId, ...entry }: StoredEntry): EntryRow {
  const { actor, requestId = null, at, turn, data } = entry
  return [hash, previousHash, id, action, resource, resourceId, [actor.type, actor.id], requestId, at, turn, data]
}

/** Undefined for a row of another form; its fields are not checked. */
export function entryFrom(row: EntryRow | undefined, sequence: number): StoredEntry | undefined {
  if (!Array.isArray(row) || !Array.isArray(row[6])) return undefined
  const [hash, previousHash, id, action, resource, resourceId, [type, actorId], requestId, at, turn, data] = row
  const actor: AuditEntry['actor'] = { type, id: actorId }
  return {
    format: AUDIT_FORMAT,
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
