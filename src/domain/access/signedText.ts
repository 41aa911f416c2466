// Text that leaves the service and comes back: everybody may read it, and only the service can have written it. So what
// nobody has agreed to yet is kept nowhere.
import { base64urlnopad, utf8 } from '@scure/base'

type Hash = (text: string) => string

/** Letters, digits, `-`, `_` and one dot. `purpose` tells texts of different sorts apart. */
export function signedText(hashKey: Hash, purpose: string, text: string): string {
  const encoded = base64urlnopad.encode(utf8.decode(text))
  return `${encoded}.${proofOf(hashKey, purpose, encoded)}`
}

/** Undefined for a text that was not signed here for this purpose. */
export function openedText(hashKey: Hash, purpose: string, signed: string): string | undefined {
  const [encoded = '', proof = '', ...more] = signed.split('.')
  if (more.length > 0) return undefined
  // Both are hashed again, so that the time of the comparison says nothing.
  if (hashKey(proof) !== hashKey(proofOf(hashKey, purpose, encoded))) return undefined
  return utf8.encode(base64urlnopad.decode(encoded))
}

/** No key or token of the service begins like this. Hashed twice, so that no longer text has a proof that follows. */
function proofOf(hashKey: Hash, purpose: string, encoded: string): string {
  return hashKey(hashKey(`${purpose} ${encoded}`))
}
