// Which shard a request belongs to, where an installation has several. What is found once is kept, because names stay
// where they are; only what is new at this node asks the database.
import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { concurrencyLimit } from '../../async/concurrencyLimit.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import { bearerIn, operatorCheck } from '../../http/server/auth.js'
import type { ShardDirectory } from '../../store/journal/postgres/directory.js'
import type { Installation } from './installation.js'
import type { HashKey } from './names.js'
import { bodyNames, credentialName, foundByRoute, type FoundByRoute } from './requestNames.js'
import { wholeBody } from './wholeBody.js'

/** Where a request goes. */
export interface ShardDestination {
  /** Each has the caller where those before do not. */
  shards: readonly string[]
  /** What was read of the request to find them. */
  body?: Buffer
}

interface RequestShardsParts {
  directory: ShardDirectory
  installation: Installation
  shard: string
  operatorKey: string | undefined
  /** Owners of shards have changed. */
  onOwners: () => void
}

const CACHED = 100_000
/** Requests that wait for the database. */
const MOST_ASKED = 1_000
const POLL_MS = 250
/** Of a sign-in. */
const MOST_BODY_BYTES = 16 * 1024

export class RequestShards {
  readonly #parts: RequestShardsParts
  readonly #known = new BoundedCache<string, string>(CACHED)
  readonly #limit = concurrencyLimit(MOST_ASKED)
  readonly #isOperator: (bearer: string) => boolean
  #owners: ReadonlyMap<string, string | null> = new Map()
  #hashKey: HashKey | undefined
  #isEnded = false

  constructor(parts: RequestShardsParts) {
    this.#parts = parts
    this.#isOperator = operatorCheck(parts.operatorKey)
  }

  /** Keeps the owners of all shards until the end. */
  async follow(): Promise<void> {
    while (!this.#isEnded) {
      // What was seen last holds until the database is reached again.
      await this.#look().catch(() => {})
      await setTimeout(POLL_MS, undefined, { ref: false })
    }
  }

  end(): void {
    this.#isEnded = true
  }

  /** The URL of the node that owns the shard; null where none does. */
  ownerOf(shard: string): string | null {
    return this.#owners.get(shard) ?? null
  }

  /** The owners of all other shards. */
  get others(): string[] {
    const { shard } = this.#parts
    return [...this.#owners].flatMap(([other, owner]) => (other === shard || owner === null ? [] : [owner]))
  }

  /** Undefined for a request of this node's own shard. Rejects where that is not found out. */
  of(req: IncomingMessage): ShardDestination | undefined | Promise<ShardDestination | undefined> {
    const hashKey = this.#hashKey
    if (this.#owners.size <= 1 || hashKey === undefined) return undefined
    const found = foundByRoute(req)
    if (found) return this.#ofRoute(req, found, hashKey)
    const name = credentialName(req, hashKey)
    if (name === undefined) return undefined
    const known = this.#known.get(name)
    return known === undefined ? this.#asked(name).then((shard) => this.#elsewhere(shard)) : this.#elsewhere(known)
  }

  async #look(): Promise<void> {
    const owners = await this.#parts.directory.owners()
    const isChanged =
      owners.size !== this.#owners.size || [...owners].some(([key, url]) => this.#owners.get(key) !== url)
    this.#owners = owners
    if (owners.size > 1) this.#hashKey ??= await this.#parts.installation.hashKey()
    if (isChanged) this.#parts.onOwners()
  }

  /** A shard that nobody knows is this one, which refuses what it does not know either. */
  #elsewhere(shard: string | undefined): ShardDestination | undefined {
    return shard === undefined || shard === this.#parts.shard ? undefined : { shards: [shard] }
  }

  async #asked(name: string): Promise<string | undefined> {
    const [shard] = await this.#shardsOf(name)
    if (shard !== undefined) this.#known.set(name, shard)
    return shard
  }

  async #shardsOf(name: string): Promise<string[]> {
    const asked = this.#limit('names', () => this.#parts.directory.shardsOf(name))
    if (asked === undefined) throw new Error('Too many requests wait for the directory')
    return asked
  }

  async #ofRoute(
    req: IncomingMessage,
    { by, parameter }: FoundByRoute,
    hashKey: HashKey,
  ): Promise<ShardDestination | undefined> {
    if (by === 'channelId') return this.#elsewhere(await this.#asked(`channel/${parameter}`))
    if (by === 'email' || by === 'setUpToken') return this.#ofBody(await wholeBody(req, MOST_BODY_BYTES), hashKey)
    if (!this.#isOperator(bearerIn(req.headers.authorization) ?? '')) return undefined
    if (by === 'organizationId') return this.#elsewhere(await this.#asked(`organization/${parameter}`))
    return this.#elsewhere(await this.#leastLoaded(req.headers['idempotency-key'], hashKey))
  }

  /** An address that nobody has goes to one shard, so that its answer takes as long as that to a wrong password. */
  async #ofBody(body: Buffer, hashKey: HashKey): Promise<ShardDestination> {
    const [name] = bodyNames(body, hashKey)
    const shards = name === undefined ? [] : await this.#shardsOf(name)
    return { shards: shards.length > 0 ? shards : [await this.#parts.installation.firstShard()], body }
  }

  /** A repeated request goes where the first one went. */
  async #leastLoaded(idempotencyKey: string | string[] | undefined, hashKey: HashKey): Promise<string> {
    const { directory } = this.#parts
    const shard = await directory.leastLoaded('organization/')
    if (idempotencyKey === undefined) return shard
    return directory.claim(`new organization/${hashKey(String(idempotencyKey))}`, shard)
  }
}
