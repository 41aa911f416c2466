// The form of API keys: prefix, 40 random base62 characters, checksum. It checks the form before any look-up; it does
// not know whether a key is live.
import { crc32 } from '../values/digest.js'
import type { Random } from '../values/ids.js'

export type KeyKind = 'organization' | 'agent'

export const KEY_PREFIX = { organization: 'service_', agent: 'service_agent_' } as const

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
/** One byte in 32 is skipped. */
const BYTES = 64
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 6
const RANDOM = /^[0-9A-Za-z]{40}$/
const RANDOM_AND_CHECKSUM = /^[0-9A-Za-z]{46}$/

function checksum(prefixAndRandom: string): string {
  let text = ''
  for (let rest = crc32(prefixAndRandom); text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) {
    text = BASE62.charAt(rest % 62) + text
  }
  return text
}

/** True when the last six characters are the checksum of those before; all must be base62. */
function isChecked(text: string): boolean {
  const end = text.length - CHECKSUM_LENGTH
  let written = 0
  for (let at = end; at < text.length; at += 1) written = written * 62 + BASE62.indexOf(text.charAt(at))
  return written === crc32(text.slice(0, end))
}

/** The key with these 40 base62 characters; throws RangeError for any others. */
export function formKey(kind: KeyKind, random40: string): string {
  if (!RANDOM.test(random40)) throw new RangeError('A key needs exactly 40 base62 characters')
  const signed = KEY_PREFIX[kind] + random40
  return signed + checksum(signed)
}

/** A key from 64 random bytes, without bias; throws RangeError when fewer than 40 bytes are usable. */
export function mintKey(kind: KeyKind, random: Random): string {
  // 248 is the largest multiple of 62 that a byte can reach.
  const fair = random(BYTES)
    .filter((byte) => byte < 248)
    .subarray(0, RANDOM_LENGTH)
  if (fair.length < RANDOM_LENGTH) throw new RangeError(`${fair.length} random bytes that can be used are too few`)
  return formKey(kind, Array.from(fair, (byte) => BASE62.charAt(byte % 62)).join(''))
}

export interface ParsedKey {
  kind: KeyKind
  /** `keyPrefix` for display: the prefix and the first 6 random characters. */
  prefix: string
}

/** The parts of a well-formed key; undefined for a wrong prefix, length, alphabet or checksum. */
export function parseKey(text: string): ParsedKey | undefined {
  // `service_agent_` also begins with `service_`: the longest prefix decides.
  const kind = text.startsWith(KEY_PREFIX.agent) ? 'agent' : 'organization'
  const prefix = KEY_PREFIX[kind]
  if (!text.startsWith(prefix) || !RANDOM_AND_CHECKSUM.test(text.slice(prefix.length))) return undefined
  if (!isChecked(text)) return undefined
  return { kind, prefix: text.slice(0, prefix.length + SHOWN_LENGTH) }
}
