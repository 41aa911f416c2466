// The private keys that the service keeps: made here, encrypted at rest (AES-256-GCM), one file a key, never logged
// and never in an answer.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { CustodyError, type Signer } from './custody.js'

const IV_BYTES = 12
const TAG_BYTES = 16

interface Sealed {
  address: string
  /** Whose wallets may use the key. */
  organization: string
  iv: string
  tag: string
  sealed: string
}

export class Keystore implements Signer {
  readonly kind = 'signer'
  readonly #folder: string
  readonly #key: Uint8Array

  /** `key` is the 32 bytes that everything is encrypted with. */
  constructor(folder: string, key: Uint8Array) {
    this.#folder = folder
    this.#key = key
  }

  /** Makes a key pair for an organization, keeps its private half, and gives its address (EIP-55) once it is on disk. */
  async newAddress(organization: string): Promise<string> {
    const privateKey = generatePrivateKey()
    const address = privateKeyToAddress(privateKey)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const sealed = this.#seal({ address, organization }, privateKey)
    await writeDurably(join(this.#folder, `${address}.json`), JSON.stringify(sealed))
    return address
  }

  /** The account of an address whose key was made here for this very organization; else a CustodyError. */
  async account(address: string, organization: string): Promise<ReturnType<typeof privateKeyToAccount>> {
    const missing = new CustodyError('WALLET_CONFIG_ERROR', `The service keeps no key of ${address}`)
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw missing
    const text = await readFile(join(this.#folder, `${address}.json`), 'utf8').catch(() => undefined)
    const sealed = text === undefined ? undefined : (JSON.parse(text) as Sealed)
    if (sealed?.organization !== organization) throw missing
    return privateKeyToAccount(this.#open({ ...sealed, address }))
  }

  #seal(of: { address: string; organization: string }, privateKey: string): Sealed {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(belongings(of))
    const sealed = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()])
    const text = (bytes: Buffer): string => bytes.toString('base64')
    return { ...of, iv: text(iv), tag: text(cipher.getAuthTag()), sealed: text(sealed) }
  }

  #open({ iv, tag, sealed, ...of }: Sealed): Hex {
    const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes(iv), { authTagLength: TAG_BYTES })
    decipher.setAAD(belongings(of)).setAuthTag(bytes(tag))
    try {
      return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString('utf8') as Hex
    } catch {
      const message = `The key of ${of.address} does not open: BURSAR_KEYSTORE_KEY or its file is another than it was sealed with`
      throw new CustodyError('WALLET_CONFIG_ERROR', message)
    }
  }
}

/** Authenticated with the key, so that neither files nor their owners can be swapped. */
function belongings({ address, organization }: { address: string; organization: string }): Buffer {
  return Buffer.from(`${address} ${organization}`)
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
