// A node: one of several processes with the same journal. It follows the journal until it owns the shard, and is the
// service from then on.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { LeaseDeadline } from '../async/leaseDeadline.js'
import type { Config } from '../config/config.js'
import { Failure } from '../config/failure.js'
import type { NodeSettings } from '../config/nodes.js'
import type { App, Listening } from '../http/server/serve.js'
import { takeFollowingFolder } from '../service/dataFolder.js'
import { listenOn } from '../service/listen.js'
import { startService, type OwnedShard, type Running, type ServiceOptions } from '../service/service.js'
import { DATABASE } from '../store/folder/files.js'
import { withSharedJournal } from '../store/journal/owner.js'
import { Unacknowledged } from '../store/journal/postgres/connection.js'
import { ShardDirectory } from '../store/journal/postgres/directory.js'
import { ShardLost } from '../store/journal/postgres/shardLease.js'
import { PublishedNetwork } from '../store/journal/postgres/publishedNetwork.js'
import { ShardJournal, type EntryPlace } from '../store/journal/postgres/shardJournal.js'
import { LaterVersion } from '../store/migration/laterVersion.js'
import { Replica } from '../store/journal/replica.js'
import { Front, type NodeState } from './front.js'
import { sanctionsHash } from './sanctionsHash.js'
import { derivedKey, SealedFiles } from './sealedFiles.js'
import { Installation } from './shards/installation.js'
import { joined } from './shards/joining.js'
import { NetworkElsewhere } from './shards/networkElsewhere.js'
import { NetworkPublisher } from './shards/networkPublisher.js'
import type { HashKey } from './shards/names.js'
import { RequestShards } from './shards/requestShards.js'
import { RoutedJournal } from './shards/routedJournal.js'
import { Standby } from './standby.js'
import { nameOfUsable } from './usableJournal.js'

export interface NodeOptions extends ServiceOptions {
  /** This node owns its shard, and is the service. */
  onOwner: (running: Running) => void
}

export interface RunningNode {
  url: string
  shard: string
  /** An owner finishes what is in flight, and leaves the shard to the others at once. */
  stop(): Promise<void>
}

/** Starts the node as a standby; throws when its folder or the journal cannot be used. */
export async function startNode(config: Config, node: NodeSettings, options: NodeOptions): Promise<RunningNode> {
  const folder = await takeFollowingFolder(config)
  const deadline = new LeaseDeadline()
  const journal = new ShardJournal({ ...node, deadline })
  const replica = await followed(folder.dataDir, journal, node)
  const files = new SealedFiles(folder.dataDir, node.key)
  files.writeOut(replica)
  const directory = new ShardDirectory(node)
  const installation = new Installation({ ...node, directory, key: derivedKey(node.key, 'installation') })
  const published = new PublishedNetwork(node)
  const shared = { directory, installation, published }
  return new Node({ config, node, options, folder, journal, deadline, replica, files, ...shared }).start()
}

/** The folder, as one that follows this journal. */
async function followed(folder: string, journal: ShardJournal, { maySingle }: NodeSettings): Promise<Replica> {
  const hasData = existsSync(join(folder, DATABASE))
  const name = await nameOfUsable(journal, maySingle)
  const replica = new Replica(folder, name)
  const { shared } = replica.place
  if (hasData && shared === undefined) throw new Failure(`${folder} follows no journal: run bursar journal attach`)
  if (shared && shared.journal !== name) {
    throw new Failure(`${folder} follows another journal than that of BURSAR_JOURNAL: set it, or empty the folder`)
  }
  return replica
}

/** What an operator can mend is told without a stack. */
function inOneLine(error: Error): Error {
  return error instanceof LaterVersion ? new Failure(error.message, { cause: error }) : error
}

const RETRY_MS = 50

interface NodeParts {
  config: Config
  node: NodeSettings
  options: NodeOptions
  folder: OwnedShard['folder']
  journal: ShardJournal
  deadline: LeaseDeadline
  replica: Replica
  files: SealedFiles
  directory: ShardDirectory
  installation: Installation
  published: PublishedNetwork
}

class Node {
  readonly #parts: NodeParts
  readonly #shards: RequestShards
  readonly #sanctions: () => string
  readonly #publisher: NetworkPublisher
  #listening!: Listening
  #front!: Front
  #standby!: Standby
  #nodeUrl!: string
  /** Settles when the node follows no more. */
  #following: Promise<void> = Promise.resolve()
  #running: Running | undefined
  #isFirst = false
  #isJoining = false
  #isStopped = false

  constructor(parts: NodeParts) {
    this.#parts = parts
    const { directory, installation, published, journal, node, config, folder, options } = parts
    this.#sanctions = sanctionsHash(folder.dataDir)
    this.#shards = new RequestShards({
      directory,
      installation,
      shard: node.shard,
      leaseMs: node.leaseMs,
      operatorKey: config.operatorKey,
      onOwners: () => this.#front.ownerChanged(),
    })
    this.#publisher = new NetworkPublisher({
      published,
      epoch: () => journal.lease.epoch,
      isAlone: () => this.#shards.isAlone,
      now: () => this.#now(),
      log: options.log,
    })
  }

  #now(): number {
    return Date.now() + this.#parts.config.clockOffsetMs
  }

  async start(): Promise<RunningNode> {
    const { config, node } = this.#parts
    this.#front = this.#newFront()
    this.#listening = await listenOn(config, this.#front, randomBytes)
    this.#nodeUrl = node.nodeUrl ?? this.#listening.url
    this.#standby = this.#newStandby()
    await this.#shards.follow()
    this.#following = this.#follow().catch((error: Error) => this.#failed(error))
    return {
      url: config.publicUrl ?? this.#listening.url,
      shard: node.shard,
      stop: () => this.#stop(),
    }
  }

  #newFront(): Front {
    const { config, node, options } = this.#parts
    return new Front({
      state: this.#state(),
      key: derivedKey(node.key, 'forwarded requests'),
      now: () => this.#now(),
      random: randomBytes,
      shards: this.#shards,
      trustedProxies: config.trustedProxies,
      isHttps: config.publicUrl?.startsWith('https:') === true,
      readiness: () => (this.#standby.isCutOff ? 'waiting' : 'ready'),
      warnings: () => [],
      gauges: [
        { name: 'bursar_journal_lag', help: 'Entries that this standby is behind.', value: () => this.#standby.lag },
      ],
      log: options.log,
    })
  }

  #newStandby(): Standby {
    const { journal, replica, node, files, options } = this.#parts
    return new Standby({
      journal,
      replica,
      leaseMs: node.leaseMs,
      nodeUrl: this.#nodeUrl,
      sanctions: this.#sanctions,
      onStored: (entries) => files.follow(replica, entries),
      onOwner: () => this.#front.ownerChanged(),
      log: options.log,
    })
  }

  async #follow(): Promise<void> {
    const barrier = await this.#standby.untilOwner()
    if (!barrier) return
    // From now on, because opening the store may take longer than the lease.
    const { journal, replica } = this.#parts
    void journal.lease.keep(
      () => ({ confirmed: journal.confirmed, sanctions: this.#sanctions() }),
      () => this.#lost(),
    )
    const { shared } = replica.place
    const hashKey = await this.#joined()
    await replica.close()
    await this.#own(barrier, shared!.journal, hashKey)
  }

  /** The database may be failing over, too. */
  async #joined(): Promise<HashKey> {
    const { folder, node } = this.#parts
    this.#isJoining = true
    for (;;) {
      try {
        const hashKey = await joined({ ...this.#parts, dataDir: folder.dataDir, shard: node.shard })
        this.#isFirst = await this.#parts.installation.isFirstShard()
        this.#isJoining = false
        return hashKey
      } catch (error) {
        if (this.#isStopped || !(error instanceof Unacknowledged)) throw error
        await setTimeout(RETRY_MS)
      }
    }
  }

  async #own(barrier: EntryPlace, name: string, hashKey: HashKey): Promise<void> {
    const { config, options, folder, journal, deadline, files, directory } = this.#parts
    const place = { sequence: barrier.sequence, shared: { journal: name, epoch: barrier.epoch } }
    const routed = new RoutedJournal({
      journal,
      directory,
      hashKey,
      onDurable: (entry) => this.#publisher.note(entry),
      log: options.log,
    })
    // It is described when somebody asks for it: nobody waits for that while no node owns the shard.
    this.#running = await startService(
      config,
      { ...options, isDescribedLate: true },
      {
        folder,
        deadline,
        otherShards: this.#otherShards(),
        isFirst: this.#isFirst,
        takeOver: withSharedJournal(routed, place, journal.width),
        serve: (app) => this.#serve(app),
        http: { shardRole: () => this.#front.shardRole(), clientOf: this.#front.clientOf },
        share: async (store) => {
          void this.#publisher.run(store)
          await files.seal(store)
        },
        shareKey: (store, address) => files.sealKey(store, address),
      },
    )
    options.onOwner(this.#running)
  }

  #otherShards(): OwnedShard['otherShards'] {
    const { installation, published } = this.#parts
    const elsewhere = new NetworkElsewhere({ published, isAlone: () => this.#shards.isAlone })
    return {
      take: (key) => installation.take(key),
      isElsewhere: (key) => installation.isElsewhere(key),
      network: (address) => elsewhere.rows(address),
    }
  }

  #serve(app: App): Listening {
    this.#front.serve(app)
    return this.#listening
  }

  #failed(error: Error): void {
    if (!this.#isStopped) this.#parts.options.onFailure(inOneLine(error))
  }

  #lost(): void {
    this.#parts.options.onFailure(new ShardLost())
  }

  async #stop(): Promise<void> {
    const { journal, replica, folder, directory } = this.#parts
    this.#isStopped = true
    this.#standby.stop()
    this.#shards.end()
    this.#publisher.end()
    // It would wait for the database.
    if (this.#isJoining) directory.close()
    await this.#following
    if (this.#running) return this.#running.stop().finally(() => this.#closeFront())
    await this.#listening.close(0)
    this.#closeFront()
    journal.close()
    await replica.close()
    await folder.unlock()
  }

  /** Once nothing is under way any more. */
  #closeFront(): void {
    this.#front.close()
    this.#parts.directory.close()
    this.#parts.published.close()
  }

  #state(): NodeState {
    const { journal, node } = this.#parts
    const nodeUrl = (): string => this.#nodeUrl
    return {
      get nodeUrl() {
        return nodeUrl()
      },
      shard: node.shard,
      role: () => (this.#running ? 'OWNER' : 'STANDBY'),
      owner: () => (this.#running ? this.#nodeUrl : this.#standby.owner),
      epoch: () => this.#standby.at.epoch,
      applied: () => (this.#running ? journal.confirmed : this.#standby.at.sequence),
      lag: () => (this.#running ? 0 : this.#standby.lag),
      mayServe: () => this.#running !== undefined && journal.lease.isHeld,
    }
  }
}
