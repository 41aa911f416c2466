// What the shards of an installation have in common: the secret that keys are hashed with, so that any node finds the
// shard of a key, the shard that the first start is for, and whose an address is.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { Unavailable } from '../../actor/host.js'
import { Failure } from '../../config/failure.js'
import { KEYHASH_SECRET, keyHasher, secretIn } from '../../config/secrets.js'
import { writeWhole } from '../../store/folder/fsync.js'
import type { ShardDirectory } from '../../store/journal/postgres/directory.js'
import { Sealing } from '../../webhooks/sealing.js'
import type { HashKey } from './names.js'

const FIRST_SHARD = 'first shard'
const SECRET_BYTES = 32

interface InstallationParts {
  directory: ShardDirectory
  shard: string
  /** Seals what stands in the database: 32 bytes. */
  key: Uint8Array
}

export class Installation {
  readonly #parts: InstallationParts
  readonly #sealing: Sealing
  #hashKey: HashKey | undefined
  #firstShard: string | undefined

  constructor(parts: InstallationParts) {
    this.#parts = parts
    this.#sealing = new Sealing(parts.key)
  }

  /** Undefined while the installation has no keys. */
  async hashKey(): Promise<HashKey | undefined> {
    if (this.#hashKey) return this.#hashKey
    const sealed = await this.#parts.directory.holder(KEYHASH_SECRET)
    return sealed === undefined ? undefined : (this.#hashKey = hasherOf(this.#opened(sealed)))
  }

  /**
   * Gives the folder of an owner the secret that all shards have; the first owner's becomes that. Throws Failure where the
   * folder has another: what was hashed with it is found in no other way.
   */
  async share(folder: string): Promise<HashKey> {
    const path = join(folder, KEYHASH_SECRET)
    const own = existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
    const offered = own ?? randomBytes(SECRET_BYTES).toString('hex')
    const before = await this.#parts.directory.holder(KEYHASH_SECRET)
    const sealed = before ?? (await this.#parts.directory.claim(KEYHASH_SECRET, this.#sealed(offered)))
    const common = this.#opened(sealed)
    if (own === undefined) writeWhole(path, common, `${path}.unfinished`)
    if (own !== undefined && own !== common) {
      throw new Failure(
        `${path} is not that of the installation's other shards: give this folder a database of its own`,
      )
    }
    return (this.#hashKey = keyHasher(secretIn(path)))
  }

  /** True for the shard that had an owner first: it has the organization that a first start makes. */
  async isFirstShard(): Promise<boolean> {
    const { directory, shard } = this.#parts
    return (await directory.claim(FIRST_SHARD, shard)) === shard
  }

  /** The same of any node. */
  async firstShard(): Promise<string> {
    this.#firstShard ??= await this.#parts.directory.holder(FIRST_SHARD)
    return this.#firstShard ?? this.#parts.shard
  }

  /** Takes a key of the index of unique keys for this shard, forever; false where another one has it. */
  async take(key: string): Promise<boolean> {
    const { directory, shard } = this.#parts
    return (await reached(directory.claim(key, shard))) === shard
  }

  /** True where another shard has taken the key. */
  async isElsewhere(key: string): Promise<boolean> {
    const { directory, shard } = this.#parts
    return ((await reached(directory.holder(key))) ?? shard) !== shard
  }

  #sealed(secret: string): string {
    return this.#sealing.seal(KEYHASH_SECRET, secret)
  }

  #opened(sealed: string): string {
    try {
      return this.#sealing.open(KEYHASH_SECRET, sealed)
    } catch {
      throw new Failure('The directory does not open: BURSAR_KEYSTORE_KEY is not that of the other nodes')
    }
  }
}

const hasherOf = (secret: string): HashKey => keyHasher(Buffer.from(secret, 'hex'))

function reached<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: Error) => {
    throw new Unavailable('The directory of the shards is not reached', { cause: error })
  })
}
