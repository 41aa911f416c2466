// Checkpoints of audit logs in the C2SP formats: a tlog-checkpoint (origin, size, root) in a signed note. It neither
// signs nor verifies; callers pass in Ed25519.
import { base64, hex } from '@scure/base'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hash } from './merkle.js'

export interface Checkpoint {
  /** The log; also the name of the key that signs for it. */
  origin: string
  /** Number of entries covered. */
  size: number
  root: Hash
  /** Hash (hex) of the last entry covered. */
  head: string
}

/** The 32 bytes of an Ed25519 public key, and the name it signs under. */
export interface NoteKey {
  name: string
  publicKey: Uint8Array
}

export type Sign = (message: Uint8Array) => Uint8Array
/** Ed25519; false for any invalid signature. */
export type Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

const ED25519 = 1
const KEY_ID_BYTES = 4
const SIGNATURE_BYTES = 64
const HASH_BYTES = 32
const SIZE = /^(0|[1-9]\d{0,15})$/
/** Lines of a key name and base64, up to the end. */
const SIGNATURES = /^(— [^\s+]+ [A-Za-z0-9+/=]+\n)+$/
const HEAD = /^head ([0-9a-f]{64})$/

export function checkpointOrigin(organization: string): string {
  return `bursar/audit/${organization}`
}

function keyIdOf({ name, publicKey }: NoteKey): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(ED25519), publicKey)).subarray(0, KEY_ID_BYTES)
}

/** The key in the form that verifiers keep: `name+id+key`. */
export function verifierKey(key: NoteKey): string {
  return `${key.name}+${hex.encode(keyIdOf(key))}+${base64.encode(concatBytes(Uint8Array.of(ED25519), key.publicKey))}`
}

/** Undefined for text that is no Ed25519 key in this form, or has another key's id. */
export function readVerifierKey(text: string): NoteKey | undefined {
  const [name = '', id = '', ...rest] = text.trim().split('+')
  const bytes = decoded(rest.join('+'))
  if (name === '' || bytes?.length !== HASH_BYTES + 1 || bytes[0] !== ED25519) return undefined
  const key = { name, publicKey: bytes.subarray(1) }
  return hex.encode(keyIdOf(key)) === id ? key : undefined
}

/** The signed text. */
export function checkpointText({ origin, size, root, head }: Checkpoint): string {
  return `${origin}\n${size}\n${base64.encode(root)}\nhead ${head}\n`
}

export function signedNote(text: string, key: NoteKey, sign: Sign): string {
  const signature = concatBytes(keyIdOf(key), sign(utf8ToBytes(text)))
  return `${text}\n— ${key.name} ${base64.encode(signature)}\n`
}

/** The content of a note, signed or not; undefined when it is no checkpoint of an audit log. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const [origin = '', size = '', root = '', head = ''] = textOf(note)?.split('\n') ?? []
  const [, hash] = HEAD.exec(head) ?? []
  const bytes = decoded(root)
  if (origin === '' || !SIZE.test(size) || bytes?.length !== HASH_BYTES || hash === undefined) return undefined
  return { origin, size: Number(size), root: bytes, head: hash }
}

/** True when the key signed the note; other signatures do not matter. */
export function isSignedBy(note: string, key: NoteKey, verify: Verify): boolean {
  const text = textOf(note)
  if (text === undefined) return false
  const signatures = note.slice(text.length + 1)
  if (!SIGNATURES.test(signatures)) return false
  return signatures.split('\n').some((line) => {
    const [, name, encoded = ''] = line.split(' ')
    const bytes = decoded(encoded)
    if (name !== key.name || bytes?.length !== KEY_ID_BYTES + SIGNATURE_BYTES) return false
    const isOwn = hex.encode(bytes.subarray(0, KEY_ID_BYTES)) === hex.encode(keyIdOf(key))
    return isOwn && verify(key.publicKey, utf8ToBytes(text), bytes.subarray(KEY_ID_BYTES))
  })
}

/** The text up to the last empty line, with the end of its last line. */
function textOf(note: string): string | undefined {
  const end = note.lastIndexOf('\n\n')
  return end === -1 ? undefined : note.slice(0, end + 1)
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}
