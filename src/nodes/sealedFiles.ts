// The secrets that every node needs are files of the data folder. In the journal, and so in every folder's database, they
// are rows, sealed under the keystore's key; a node that follows writes them out, so that they are there when it takes
// over.
import { hkdfSync } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { START_SECRETS } from '../config/lostFiles.js'
import { Failure } from '../config/failure.js'
import { writeWhole } from '../store/folder/fsync.js'
import { rowsIn, type JournalEntry } from '../store/journal/entry.js'
import { SEALED_FILES, type Store } from '../store/store.js'
import type { Replica } from '../store/journal/replica.js'
import { Sealing } from '../webhooks/sealing.js'

const KEY_BYTES = 32
const KEYSTORE = 'keystore'
const UNFINISHED = '.unfinished'
const FILES_ALONE = new Set([SEALED_FILES])

/** A key of its own for each purpose; `key` is the keystore's, 32 bytes in hex. */
export function derivedKey(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', `bursar ${purpose}`, KEY_BYTES))
}

export class SealedFiles {
  readonly #folder: string
  readonly #sealing: Sealing
  /** Those that are written out. */
  readonly #written = new Set<string>()

  constructor(folder: string, key: string) {
    this.#folder = folder
    this.#sealing = new Sealing(derivedKey(key, 'sealed files'))
  }

  /** The same, where entries that the folder has got bring some. */
  follow(replica: Replica, entries: readonly JournalEntry[]): void {
    const isSome = entries.some(({ bytes }) => rowsIn(bytes, FILES_ALONE).next().done === false)
    if (isSome) this.writeOut(replica)
  }

  /** Writes out what the folder's database has of them. Throws Failure where the key does not open one. */
  writeOut(replica: Replica): void {
    for (const { key: name, value } of replica.rows(SEALED_FILES)) {
      if (this.#written.has(name)) continue
      const path = join(this.#folder, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeWhole(path, this.#opened(name, value as string), `${path}${UNFINISHED}`)
      this.#written.add(name)
    }
  }

  /** Brings all of them into the store, and so into the journal. */
  async seal(store: Store): Promise<void> {
    for (const name of this.#names()) this.#put(store, name)
    await store.flushed()
  }

  /** The same for the new key of a wallet, before anything names its address. */
  async sealKey(store: Store, address: string): Promise<void> {
    this.#put(store, join(KEYSTORE, `${address}.json`))
    await store.flushed()
  }

  #names(): string[] {
    const keystore = join(this.#folder, KEYSTORE)
    const keys = existsSync(keystore) ? readdirSync(keystore).filter((name) => !name.endsWith(UNFINISHED)) : []
    return [...START_SECRETS, ...keys.map((name) => join(KEYSTORE, name))]
  }

  #put(store: Store, name: string): void {
    if (store.sealedFiles.get(name) !== undefined) return
    store.sealedFiles.put(name, this.#sealing.seal(name, readFileSync(join(this.#folder, name), 'utf8')))
    this.#written.add(name)
  }

  #opened(name: string, sealed: string): string {
    try {
      return this.#sealing.open(name, sealed)
    } catch {
      throw new Failure(`${name} of the journal does not open: BURSAR_KEYSTORE_KEY is not that of the other nodes`)
    }
  }
}
