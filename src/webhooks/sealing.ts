// Encrypts secrets for the store (AES-256-GCM) and decrypts them: signing secrets under a key of the data folder, and files
// that nodes share. A sealed secret opens for what it was sealed for alone: an organization, or a file.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { BoundedCache } from '../domain/values/boundedCache.js'

const IV_BYTES = 12
const TAG_BYTES = 16

export class Sealing {
  readonly #key: Uint8Array
  /** Opened secrets, by what they are for and sealed form. */
  readonly #open = new BoundedCache<string, string>(10_000)

  /** `key` is 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  seal(of: string, secret: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(of))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** Throws when the secret was sealed for something else or under another key, or was altered. */
  open(of: string, sealed: string): string {
    return this.#open.getOrInsertComputed(`${of} ${sealed}`, () => this.#decrypted(of, sealed))
  }

  #decrypted(of: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }
}
