// Encrypts signing secrets for the store (AES-256-GCM under a key of the data folder) and decrypts them for signing. A
// sealed secret opens for its own organization alone.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const MAX_OPEN = 10_000

export class Sealing {
  readonly #key: Uint8Array
  /** Cache of opened secrets, by organization and sealed form. */
  readonly #open = new Map<string, string>()

  /** `key` is 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  seal(organization: string, secret: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(organization))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** Throws when the secret was sealed for another organization or under another key, or was altered. */
  open(organization: string, sealed: string): string {
    const known = this.#open.get(`${organization} ${sealed}`)
    if (known !== undefined) return known
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(organization)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    if (this.#open.size >= MAX_OPEN) this.#open.clear()
    this.#open.set(`${organization} ${sealed}`, text)
    return text
  }
}
