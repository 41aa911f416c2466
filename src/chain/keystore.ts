// The keystore of MANAGED wallets: generates private keys and keeps them encrypted at rest (AES-256-GCM), one file a
// key. A key is never logged and never part of a response.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Hex, PrivateKeyAccount } from 'viem'
import { TaskThread } from '../async/taskThread.js'
import type { TypedData } from '../domain/payment/x402.js'
import { CustodyError, type Signer } from './custody.js'
import type { SigningTask } from './signingWorker.js'

const IV_BYTES = 12
const TAG_BYTES = 16
const ENDING = '.json'
/** Imported late: a start needs no keys. */
const accounts = (): Promise<typeof import('viem/accounts')> => import('viem/accounts')

interface Sealed {
  address: string
  /** The organization whose wallets may use the key. */
  organization: string
  iv: string
  tag: string
  sealed: string
}

export class Keystore implements Signer {
  readonly kind = 'signer'
  readonly #folder: string
  readonly #key: Uint8Array
  readonly #signing: TaskThread<SigningTask, string | Pick<CustodyError, 'code' | 'message'>>

  /** `key` is the encryption key of 32 bytes. */
  constructor(folder: string, key: Uint8Array) {
    this.#folder = folder
    this.#key = key
    // In JavaScript a signature takes several times what a decision does.
    this.#signing = new TaskThread(new URL('./signingWorker.js', import.meta.url), {
      folder,
      // Of its own: a thread is given the whole memory that a buffer is a part of.
      key: new Uint8Array(key),
    })
  }

  /** Generates a key pair for an organization; resolves to its address (EIP-55) once the private key is on disk. */
  async newAddress(organization: string): Promise<string> {
    const { generatePrivateKey, privateKeyToAddress } = await accounts()
    const privateKey = generatePrivateKey()
    const address = privateKeyToAddress(privateKey)
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncFolder(dirname(this.#folder))
    const sealed = this.#seal({ address, organization }, privateKey)
    await writeDurably(join(this.#folder, `${address}${ENDING}`), JSON.stringify(sealed))
    return address
  }

  /** The account of an address whose key was made for this organization; else rejects with a CustodyError. */
  async account(address: string, organization: string): Promise<PrivateKeyAccount> {
    const sealed = await this.#read(address)
    if (sealed?.organization !== organization) {
      throw new CustodyError('WALLET_CONFIG_ERROR', `The service keeps no key of ${address}`)
    }
    const { privateKeyToAccount } = await accounts()
    return privateKeyToAccount(this.#open({ ...sealed, address }))
  }

  /** Signs in a thread of its own with the key of `account`; rejects as that does. */
  async signTypedData(address: string, organization: string, data: TypedData): Promise<string> {
    const done = await this.#signing.ask({ address, organization, data })
    if (typeof done === 'string') return done
    throw new CustodyError(done.code, done.message)
  }

  close(): Promise<void> {
    return this.#signing.close()
  }

  /** The organization that the key of an address was made for; undefined when the service made none. */
  async madeFor(address: string): Promise<string | undefined> {
    return (await this.#read(address))?.organization
  }

  /** Undefined where the folder has no file of the address. */
  async #read(address: string): Promise<Sealed | undefined> {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined
    const text = await readFile(join(this.#folder, `${address}${ENDING}`), 'utf8').catch(absent)
    return text === undefined ? undefined : sealedIn(text, address)
  }

  /** False when there are whole keys and none of them opens: they were sealed with another encryption key. */
  async fits(): Promise<boolean> {
    const names = await readdir(this.#folder).catch(() => [])
    let isAnyWhole = false
    for (const name of names.filter((one) => one.endsWith(ENDING))) {
      const address = name.slice(0, -ENDING.length)
      // A damaged file says nothing about the encryption key.
      const sealed = await this.#read(address).catch(damaged)
      if (sealed && this.#opens({ ...sealed, address })) return true
      isAnyWhole ||= sealed !== undefined
    }
    return !isAnyWhole
  }

  #opens(sealed: Sealed): boolean {
    try {
      this.#open(sealed)
      return true
    } catch {
      return false
    }
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
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes(iv), { authTagLength: TAG_BYTES })
      decipher.setAAD(belongings(of)).setAuthTag(bytes(tag))
      return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString('utf8') as Hex
    } catch {
      const message = `The key of ${of.address} does not open: BURSAR_KEYSTORE_KEY or its file is another than it was sealed with`
      throw new CustodyError('WALLET_CONFIG_ERROR', message)
    }
  }
}

/** A key that cannot be read now is not absent: its address is still its organization's. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw new CustodyError('UNAVAILABLE', `A file of the keystore cannot be read: ${error.code}`)
}

function damaged(error: CustodyError): undefined {
  if (error.code !== 'WALLET_CONFIG_ERROR') throw error
}

function sealedIn(text: string, address: string): Sealed {
  const sealed = parsed(text)
  if (isWhole(sealed)) return sealed
  throw new CustodyError(
    'WALLET_CONFIG_ERROR',
    `The file of the key of ${address} is damaged: restore it from a backup`,
  )
}

function parsed(text: string): Partial<Sealed> | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isWhole(found: Partial<Sealed> | null | undefined): found is Sealed {
  const parts = [found?.organization, found?.iv, found?.tag, found?.sealed]
  return parts.every((part) => typeof part === 'string' && part !== '')
}

/** Additional authenticated data, so that neither files nor their owners can be swapped. */
function belongings({ address, organization }: { address: string; organization: string }): Buffer {
  return Buffer.from(`${address} ${organization}`)
}

async function writeDurably(path: string, content: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  await writeFile(unfinished, content, { mode: 0o600, flush: true })
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
