// Which shard a request belongs to, where an installation has several. What is found once is kept, because names stay
// where they are; only what is new at this node asks the database.
import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { monotonicMs } from '../../async/leaseDeadline.js'
import { concurrencyLimit } from '../../async/concurrencyLimit.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import { bearerIn, operatorCheck } from '../../http/server/auth.js'
import type { ShardDirectory, ShardRow } from '../../store/journal/postgres/directory.js'
import type { Installation } from './installation.js'
import type { HashKey } from './names.js'
import { bodyName, credentialName, formTokenName, foundByRoute, type FoundByRoute } from './requestNames.js'
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
  leaseMs: number
  operatorKey: string | undefined
  /** Owners of shards have changed. */
  onOwners: () => void
}

interface SeenShard extends ShardRow {
  /** When its owner was seen to be there last, or first. */
  movedAt: number
}

interface Asking {
  hashKey: HashKey
  client: string
}

const CACHED = 100_000
/** Requests of a client that wait for the database. */
const MOST_ASKED = 200
const POLL_MS = 250
/** Of a sign-in. */
const MOST_BODY_BYTES = 16 * 1024

export class RequestShards {
  readonly #parts: RequestShardsParts
  readonly #known = new BoundedCache<string, string>(CACHED)
  readonly #limit = concurrencyLimit(MOST_ASKED)
  readonly #isOperator: (bearer: string) => boolean
  /** All shards; none before they were first seen. */
  #seen: ReadonlyMap<string, SeenShard> = new Map()
  #hashKey: HashKey | undefined
  /** When the owner of any shard was seen to be there last, or another server was asked for it. */
  #movedAt = monotonicMs()
  #isEnded = false

  constructor(parts: RequestShardsParts) {
    this.#parts = parts
    this.#isOperator = operatorCheck(parts.operatorKey)
  }

  /** Keeps the owners of all shards until the end; resolves once it has tried to find them. */
  async follow(): Promise<void> {
    await this.#looked()
    void this.#keepLooking()
  }

  async #keepLooking(): Promise<void> {
    while (!this.#isEnded) {
      await setTimeout(POLL_MS, undefined, { ref: false })
      await this.#looked()
    }
  }

  /** What was seen last holds until the database is reached again. */
  #looked(): Promise<void> {
    return this.#look().catch(() => {})
  }

  end(): void {
    this.#isEnded = true
  }

  /** The URL of the node that owns the shard; null where none does. */
  ownerOf(shard: string): string | null {
    return this.#seen.get(shard)?.owner ?? null
  }

  /** No other shard is known. */
  get isAlone(): boolean {
    return this.#seen.size <= 1
  }

  /** The owners of all other shards. */
  get others(): string[] {
    const { shard } = this.#parts
    return [...this.#seen.values()].flatMap((row) => (row.shard === shard || row.owner === null ? [] : [row.owner]))
  }

  /** Undefined for a request of this node's own shard. Rejects where that is not found out. */
  of(req: IncomingMessage, client: string): ShardDestination | undefined | Promise<ShardDestination | undefined> {
    if (this.#seen.size === 1) return undefined
    const found = foundByRoute(req)
    const { authorization, cookie } = req.headers
    if (!found && authorization === undefined && cookie === undefined) return undefined
    const hashKey = this.#hashKey
    if (hashKey === undefined) return Promise.reject(new Error('The shards are not known yet'))
    if (found) return this.#ofRoute(req, found, { hashKey, client })
    const name = credentialName(req, hashKey)
    if (name === undefined) return undefined
    const known = this.#known.get(name)
    if (known !== undefined) return this.#elsewhere(known)
    return this.#asked(name, client).then((shard) => this.#elsewhere(shard))
  }

  async #look(): Promise<void> {
    const { directory, installation, onOwners } = this.#parts
    const rows = await directory.shards()
    if (rows.length > 1) this.#hashKey ??= await installation.hashKey()
    const now = monotonicMs()
    const before = this.#seen
    const seen = rows.map((row) => {
      const last = before.get(row.shard)
      const isMoved = last?.epoch !== row.epoch || last.beat !== row.beat
      return [row.shard, { ...row, movedAt: isMoved ? now : last.movedAt }] as const
    })
    this.#seen = new Map(seen)
    this.#leaveStandingServer()
    if (rows.some(({ shard, owner }) => before.get(shard)?.owner !== owner)) onOwners()
  }

  /** A primary that was left behind beside the new one goes on answering reads, with owners that no longer move. */
  #leaveStandingServer(): void {
    const { directory, leaseMs } = this.#parts
    const now = monotonicMs()
    this.#movedAt = Math.max(this.#movedAt, ...[...this.#seen.values()].map(({ movedAt }) => movedAt))
    if (now - this.#movedAt <= leaseMs) return
    this.#movedAt = now
    directory.leaveServer()
  }

  /** A shard that nobody knows is this one, which refuses what it does not know either. */
  #elsewhere(shard: string | undefined): ShardDestination | undefined {
    return shard === undefined || shard === this.#parts.shard ? undefined : { shards: [shard] }
  }

  async #asked(name: string, client: string): Promise<string | undefined> {
    const [shard] = await this.#shardsOf(name, client)
    if (shard !== undefined) this.#known.set(name, shard)
    return shard
  }

  async #shardsOf(name: string, client: string): Promise<string[]> {
    const asked = this.#limit(client, () => this.#parts.directory.shardsOf(name))
    if (asked === undefined) throw new Error('Too many requests of this client wait for the directory')
    return asked
  }

  async #ofRoute(
    req: IncomingMessage,
    { by, parameter }: FoundByRoute,
    asking: Asking,
  ): Promise<ShardDestination | undefined> {
    if (by === 'channelId') return this.#elsewhere(await this.#asked(`channel/${parameter}`, asking.client))
    if (by === 'email' || by === 'setUpToken')
      return this.#ofBody(await wholeBody(req, MOST_BODY_BYTES), asking, bodyName)
    if (by === 'oauthToken') return this.#ofBody(await wholeBody(req, MOST_BODY_BYTES), asking, formTokenName)
    if (!this.#isOperator(bearerIn(req.headers.authorization) ?? '')) return undefined
    if (by === 'organizationId') return this.#elsewhere(await this.#asked(`organization/${parameter}`, asking.client))
    return this.#elsewhere(await this.#leastLoaded(req.headers['idempotency-key'], asking))
  }

  /** An address that nobody has goes to one shard, so that its answer takes as long as that to a wrong password. */
  async #ofBody(body: Buffer, { hashKey, client }: Asking, nameIn: typeof bodyName): Promise<ShardDestination> {
    const name = nameIn(body, hashKey)
    const shards = name === undefined ? [] : await this.#shardsOf(name, client)
    return { shards: shards.length > 0 ? shards : [await this.#parts.installation.firstShard()], body }
  }

  /** A repeated request goes where the first one went. */
  async #leastLoaded(idempotencyKey: string | string[] | undefined, { hashKey }: Asking): Promise<string> {
    const { directory, leaseMs } = this.#parts
    const heard = [...this.#seen.values()].filter(({ movedAt }) => monotonicMs() - movedAt < leaseMs)
    const shard = await directory.leastLoaded(
      'organization/',
      heard.map((row) => row.shard),
    )
    if (idempotencyKey === undefined) return shard
    return directory.claim(`new organization/${hashKey(String(idempotencyKey))}`, shard)
  }
}
