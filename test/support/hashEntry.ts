// The hash of an audit entry, for tests that make or check entries of their own.
import { canonicalJson, type Json } from '../../src/domain/values/canonical.js'
import { sha256Hex } from '../../src/domain/values/digest.js'
import type { AuditEntry } from '../../src/domain/audit/entry.js'

export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return sha256Hex(canonicalJson(entry as unknown as Json))
}
