// Checks that entries belong to an audit chain: the one check shared by the service, the tree and offline verification.
// It trusts nothing in its input.
import { AUDIT_FORMAT, GENESIS, type AuditEntry } from './entry.js'
import { areTexts, withTexts } from './texts.js'
import { canonicalJson, type Json } from '../values/canonical.js'
import { hashOfHex, sha256Hex } from '../values/digest.js'
import { leafHash, type Hash } from './merkle.js'

/** The end of a chain: its last sequence and hash. */
export interface Link {
  sequence: number
  hash: string
}

export const START: Link = { sequence: 0, hash: GENESIS }

/** Why `entry`, in its raw form, is not the next after `link`; undefined when it is. */
export function faultOf(entry: unknown, link: Link): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'it is no entry'
  const { hash, texts, ...rest } = entry as { [field: string]: Json }
  if (rest['format'] !== AUDIT_FORMAT) return `its format is not ${AUDIT_FORMAT}`
  if (rest['sequence'] !== link.sequence + 1) return `it says that it is entry ${JSON.stringify(rest['sequence'])}`
  if (rest['previousHash'] !== link.hash) return 'its previousHash is not the hash of the entry before'
  if (hashOfHex(hash) === undefined) return 'its hash is none'
  if (hashOf(rest) !== hash) return 'its hash is not that of its content'
  return areDigested(texts, rest['data']) ? undefined : 'its texts are not those that it digests'
}

function areDigested(texts: Json | undefined, data: Json | undefined): boolean {
  return areTexts(texts) && withTexts(data ?? null, texts) !== undefined
}

/** Undefined for data without an RFC 8785 form. */
function hashOf(fields: { [field: string]: Json }): string | undefined {
  try {
    return sha256Hex(canonicalJson(fields))
  } catch {
    return undefined
  }
}

/** The entry's leaf in the tree: over the 32 bytes of its hash. Throws TypeError when that is no hash. */
export function entryLeaf({ hash }: Pick<AuditEntry, 'hash'>): Hash {
  const bytes = hashOfHex(hash)
  if (!bytes) throw new TypeError('The hash of an entry is 64 lower-case hex digits')
  return leafHash(bytes)
}
