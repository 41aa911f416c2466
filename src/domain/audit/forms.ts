// The three forms of an entry: as people read it, as it is stored, and raw, as it is hashed and exported.
import type { AuditEntry } from './entry.js'
import { canonicalJson } from '../values/canonical.js'
import { areTexts, digested, readable, withTexts, type SaltedData, type TextAt } from './texts.js'

/** The form that the store keeps. */
export interface StoredEntry extends Omit<AuditEntry, 'data'> {
  data: SaltedData
}

/** The form of exports and proofs: `data` has digests in the place of texts. */
export interface RawEntry extends AuditEntry {
  /** Those that are not erased. */
  texts: TextAt[]
}

/** The RFC 8785 form of a raw entry with data of this form, which its hash covers. */
export function rawText({ action, actor, at, ...others }: Omit<AuditEntry, 'data' | 'hash'>, data: string): string {
  // The members after `data` in canonical order.
  const [before, after] = [canonicalJson({ action, actor, at }), canonicalJson(others)]
  return `${before.slice(0, -1)},"data":${data},${after.slice(1)}`
}

export function rawEntry(entry: StoredEntry): RawEntry {
  return { ...entry, ...digested(entry.data) }
}

export function readableEntry(entry: StoredEntry): AuditEntry {
  return { ...entry, data: readable(entry.data) }
}

/** A raw entry as people read it. Throws TypeError where its texts are not what was hashed. */
export function readableRaw({ texts, ...entry }: RawEntry): AuditEntry {
  const data = areTexts(texts) ? withTexts(entry.data, texts) : undefined
  if (data === undefined)
    throw new TypeError(`The texts of audit entry ${entry.sequence} are not those that it digests`)
  return { ...entry, data: readable(data) }
}
