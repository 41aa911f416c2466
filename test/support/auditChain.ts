// Fills audit logs directly, without the changes that the entries describe.
import { hash, randomBytes } from 'node:crypto'
import type { Json } from '../../src/domain/values/canonical.js'
import { AUDIT_FORMAT, GENESIS } from '../../src/domain/audit/entry.js'
import { rawEntry, type RawEntry, type StoredEntry } from '../../src/domain/audit/forms.js'
import { salted } from './salted.js'
import { AuditChains, type Unchained } from '../../src/store/audit/append.js'
import { hashEntry } from './hashEntry.js'
import { rowText, type EntryRow } from '../../src/store/records/entryForm.js'
import { auditKey } from '../../src/store/records/keys.js'
import type { Store } from '../../src/store/store.js'

export const STARTED = Date.parse('2026-01-01T00:00:00Z')
const AT_ONCE = 5000

/** The entry at an index: one per second, alternating between four agent keys and two actions. */
export function unchained(at: number, padding = 0): Unchained {
  // A text that has one such letter takes twice the memory, which for a large one is most of the time of a test.
  const data: Json = padding > 0 ? { padding: 'x'.repeat(padding) } : { note: `Grüße ${at} ☃` }
  return {
    id: `c${hash('sha256', String(at), 'hex').slice(0, 24)}`,
    action: at % 2 === 0 ? 'payment.request' : 'payment.execute',
    resource: 'payment',
    resourceId: `payment${Math.floor(at / 2)}`,
    actor: { type: 'AGENT_KEY', id: `key${at % 4}` },
    at: new Date(STARTED + at * 1000).toISOString(),
    turn: { command: at % 2 === 0 ? 'REQUEST' : 'EXECUTE' },
    data,
  }
}

/** A raw entry behind another. */
export function linked(
  entry: Unchained,
  last: { sequence: number; hash: string } = { sequence: 0, hash: GENESIS },
): RawEntry {
  const link = { format: AUDIT_FORMAT, sequence: last.sequence + 1, previousHash: last.hash } as const
  const data = salted(entry.data, () => hash('md5', entry.id, 'buffer'))
  const whole = rawEntry({ ...link, ...entry, data, hash: '' })
  const { hash: _none, ...unhashed } = whole
  return { ...whole, hash: hashEntry(unhashed) }
}

/** Appends entries, the first with index `from`, and waits until they are on disk. */
export async function fill(store: Store, organization: string, count: number, from = 0, padding = 0): Promise<void> {
  const chains = new AuditChains(store.audit, randomBytes)
  for (let at = 0; at < count; at += 1) {
    chains.append(organization, () => unchained(from + at, padding))
    if (at % AT_ONCE === 0) await store.flushed()
  }
  await store.flushed()
}

/** Overwrites an entry with a correct checksum, as someone with access to the data folder can. */
export async function overwrite(store: Store, organization: string, sequence: number, entry: unknown): Promise<void> {
  const key = auditKey(organization, sequence)
  if (isEntry(entry)) store.audit.putJson(key, () => rowText(entry, JSON.stringify(entry.data)))
  else store.audit.put(key, entry as EntryRow)
  await store.flushed()
}

const isEntry = (entry: unknown): entry is StoredEntry => typeof entry === 'object'

/** The entries with one changed and all after it rechained, which the chain alone cannot reveal. */
export function rewritten<Entry extends StoredEntry | RawEntry>(entries: readonly Entry[], sequence: number): Entry[] {
  const result = entries.slice(0, sequence - 1)
  for (const { hash: _hash, ...entry } of entries.slice(sequence - 1)) {
    const changed = entry.sequence === sequence ? { ...entry, action: 'payment.cancel' } : entry
    const chained = { ...changed, previousHash: result.at(-1)?.hash ?? GENESIS }
    result.push({ ...chained, hash: hashEntry(chained as Entry) } as Entry)
  }
  return result
}
