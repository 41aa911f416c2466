// The private keys that the service keeps: made here, encrypted at rest (AES-256-GCM), one file a key, never logged
// and never in an answer.
import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

const IV_BYTES = 12

export class Keystore {
  readonly #folder: string
  readonly #key: Uint8Array

  /** `key` is the 32 bytes that everything is encrypted with. */
  constructor(folder: string, key: Uint8Array) {
    this.#folder = folder
    this.#key = key
  }

  /** Makes a key pair, keeps its private half, and gives its address (EIP-55) once it is on disk. */
  async newAddress(): Promise<string> {
    const privateKey = generatePrivateKey()
    const address = privateKeyToAddress(privateKey)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeDurably(join(this.#folder, `${address}.json`), JSON.stringify(this.#seal(address, privateKey)))
    return address
  }

  /** The address is authenticated with the key, so that files cannot be swapped. */
  #seal(address: string, privateKey: string): { address: string; iv: string; tag: string; sealed: string } {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(address))
    const sealed = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()])
    const text = (bytes: Buffer): string => bytes.toString('base64')
    return { address, iv: text(iv), tag: text(cipher.getAuthTag()), sealed: text(sealed) }
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
