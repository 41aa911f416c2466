// Encrypts signing secrets for the store (AES-256-GCM under a key of the data folder) and decrypts them for signing. A
// sealed secret opens for its own organization alone.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { BoundedCache } from '../domain/values/boundedCache.js'

const IV_BYTES = 12
const TAG_BYTES = 16

export class Sealing {
  readonly #key: Uint8Array
  /** Opened secrets, by organization and sealed form. */
  readonly #open = new BoundedCache<string, string>(10_000)

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
    return this.#open.getOrInsertComputed(`${organization} ${sealed}`, () => this.#decrypted(organization, sealed))
  }

  #decrypted(organization: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(organization)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }
}
