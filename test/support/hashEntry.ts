// The hash of an audit entry, for tests that make or check entries of their own.
import type { AuditEntry } from '../../src/domain/audit/entry.js'
import type { RawEntry, StoredEntry } from '../../src/domain/audit/forms.js'
import { digested, type SaltedData } from '../../src/domain/audit/texts.js'
import { canonicalJson, type Json } from '../../src/domain/values/canonical.js'
import { sha256Hex } from '../../src/domain/values/digest.js'

/** Of a stored or a raw entry. */
export function hashEntry(entry: Omit<StoredEntry | RawEntry | AuditEntry, 'hash'>): string {
  const { texts: _texts, ...hashed } = entry as Partial<RawEntry>
  return sha256Hex(canonicalJson({ ...hashed, data: digested(entry.data as SaltedData).data } as unknown as Json))
}
