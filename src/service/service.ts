// Wires store, host, commands, rules and HTTP, with events (events.ts) and live settlement (settle.ts), into a service
// that starts and stops.
import { charts } from '../../machines/index.js'
import type { Unavailable } from '../actor/host.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import { processTiming } from '../async/timing.js'
import { resumeChanges } from '../commands/approvals/changes.js'
import { UNSHARED, type OtherShards, type Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import { openCustody } from './custodians.js'
import { startCourier } from '../webhooks/courierThread.js'
import { openFollowingStore, openStore, takeFolder, type TakenFolder } from './dataFolder.js'
import type { TakeOver } from '../store/journal/owner.js'
import type { OnReplay } from '../store/journal/replay.js'
import type { Log } from '../domain/values/log.js'
import { startBackground } from './background.js'
import { HandOver } from './handOver.js'
import { stopRunning } from './stopping.js'
import { firstCredentials, type FirstCredentials } from './firstCredentials.js'
import { createEvents } from './events.js'
import { startTimers } from '../host/timers.js'
import { createApp, type HttpPorts } from '../http/app.js'
import { replayHeld, holder } from '../http/server/heldRequests.js'
import { idempotency } from '../http/server/idempotency.js'
import { slackActions } from '../http/routes/channels/slack.js'
import { operations } from '../http/routes/index.js'
import { pageRoutes } from '../http/routes/pages.js'
import { PasswordHasher } from './passwords.js'
import { pooledRandom } from './random.js'
import { Store } from '../store/store.js'
import type { App, Listening } from '../http/server/serve.js'
import { listenOn } from './listen.js'
import { mcpTo } from './mcp.js'
import { oauthTo } from './oauth.js'
import {
  credentialsOf,
  idempotencyStoreIn,
  orders,
  queryOf,
  wiredServices,
  unavailability,
  type Parts,
  type Wired,
} from './wiring.js'

const TIMERS_EVERY_MS = 250

export interface Running extends FirstCredentials {
  url: string
  /** The address it listens on. */
  listening: string
  dataDir: string
  /** Whether the start has checked every record of the data folder. */
  isChecked: boolean
  /** Finishes and writes what is in flight, then closes. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** Takes failures that no caller sees. */
  log: Log
  /** The data folder failed: the service answers 503 from now on and must end. */
  onFailure: (error: Error) => void
  /** Hashes passwords in place of a hasher that ends with the service; who gives it ends it. */
  passwords?: PasswordHasher
  /** The interface is described when that is asked for first, not at the start. */
  isDescribedLate?: boolean
  /** False for a data folder that was closed a moment ago: no process of its own checks it before it is opened. */
  isProbed?: boolean
}

/** The origins that browsers send from the service's own pages. */
function originsOf(url: string, isListening: boolean): string[] {
  const { protocol, hostname, port } = new URL(url)
  // localhost leads to the same pages.
  return isListening && hostname === '127.0.0.1' ? [url, `${protocol}//localhost:${port}`] : [url]
}

function gaugesOf({ host, follower, lastCheckpoints, warnings }: Wired): HttpPorts['gauges'] {
  return [
    {
      name: 'bursar_actors_in_memory',
      help: 'Actors in memory; BURSAR_HOT_ACTORS bounds them.',
      value: () => host.hotActors,
    },
    {
      name: 'bursar_audit_conflicts',
      help: 'Audit logs that do not continue their last signed checkpoint.',
      value: () => lastCheckpoints.conflicts,
    },
    { name: 'bursar_warnings', help: 'What /readyz warns of.', value: () => warnings().length },
    { name: 'bursar_audit_followers', help: 'Those who follow an audit log.', value: () => follower.size },
  ]
}

/** Resumes work left by the last run. What is overdue ends in the background. */
async function catchUp(services: Wired, store: Store, log: Log): Promise<void> {
  await services.lastCheckpoints.check(services.auditLog)
  for (const error of await resumeChanges(services)) log('an approved change could not be executed', { error })
  for (const message of services.warnings()) log('something needs attention', { message })
  if (store.failure) throw store.failure
}

/** The returned function ends them. */
function timersOf({ overdue, now }: Wired, store: Store, log: Log): () => Promise<void> {
  const flushStats = (at: number): Promise<void> => store.stats.flushIfDue(at)
  const timers = { overdue, forget: store.forget.bind(store), flushStats, now }
  return startTimers(timers, TIMERS_EVERY_MS, (error) => log('timers failed', { error }))
}

/** What requests are answered from. */
function portsOf(services: Wired, config: Config, log: Log) {
  const { warnings, now } = services
  const mounted = [oauthTo(services, config, log)]
  return { services, hold: holder(services), warnings, now, gauges: gaugesOf(services), mounted }
}

/** What is asked of connections and clients, as configured. */
function edgeOf({ rateLimits, trustedProxies, publicUrl }: Config) {
  return { rateLimits, trustedProxies, isHttps: publicUrl?.startsWith('https:') === true }
}

/** Loaded only where it is needed, because it is large. */
async function liveSettlement({ settlement }: Config): Promise<Parts['live']> {
  return settlement.settlementMode === 'live' ? await import('./settlement.js') : null
}

/** What a node has that owns its shard, one of several nodes with the same journal. */
export interface OwnedShard {
  folder: Omit<TakenFolder, 'isNew'>
  takeOver: TakeOver
  /** Until when nobody else can own the shard. */
  deadline: LeaseDeadline
  /** Hands all requests to the service from now on. */
  serve: (app: App) => Listening
  http: Required<Pick<HttpPorts, 'shardRole' | 'clientOf'>>
  otherShards: OtherShards
  /** The first of its installation: what a first start makes is here. */
  isFirst: boolean
  /** The store is open: what nodes share gets into the journal before anybody is answered. */
  share: (store: Store) => Promise<void>
  /** The same for the key of a new address. */
  shareKey: (store: Store, address: string) => Promise<void>
}

/** Starts the service, of a node where `shard` is given; throws when the data folder cannot be used. */
export async function startService(config: Config, options: ServiceOptions, shard?: OwnedShard): Promise<Running> {
  const { log, onFailure, passwords = new PasswordHasher(), isDescribedLate = false, isProbed = true } = options
  const folder = shard ? { ...shard.folder, isNew: false } : await takeFolder(config)
  const { dataDir, unlock } = folder
  const random = pooledRandom()
  let opened = false
  // A start that fails says so itself.
  const onLost = (error: Unavailable): void => void (opened && onFailure(error))
  const store = new Store(random, charts, onLost)
  const query = queryOf(store)
  let url = config.publicUrl ?? ''
  const now = (): number => Date.now() + config.clockOffsetMs
  const time = { now, nextOrder: orders(now, store), timers: processTiming }
  const ports = { config, store, query, ...time, random, publicUrl: () => url, lease: shard?.deadline, log }
  const events = createEvents({ ...ports, startCourier })
  const carryOut: Services['carryOut'] = (held, principal, name) => carry(held, principal, name)
  const custodians = await openCustody({ ...config, dataDir }, log)
  const live = await liveSettlement(config)
  const onNewKey = async (address: string): Promise<void> => shard?.shareKey(store, address)
  const otherShards = shard?.otherShards ?? UNSHARED
  const services = wiredServices({ ...ports, events, custodians, passwords, carryOut, live, onNewKey, otherShards })
  const idempotencyStore = idempotencyStoreIn(store, query)
  const carry = replayHeld(services, operations, idempotency(idempotencyStore, now))
  let origins: string[] = []
  let handOver: HandOver | undefined
  const app = createApp(
    {
      ...credentialsOf(services, config.operatorKey),
      ...portsOf(services, config, log),
      origins: () => origins,
      idempotencyStore,
      readiness: () => handOver?.readiness ?? (store.failure ? 'failed' : opened ? 'ready' : 'starting'),
      shardRole: () => ({ role: 'SINGLE', shard: '0', epoch: 0, applied: store.durable, lag: 0 }),
      ...shard?.http,
      isUnavailable: unavailability(store),
      random,
      ...edgeOf(config),
      isDescribedLate,
      log,
    },
    [...operations, slackActions, ...mcpTo(services, config, () => listening.url, log), ...pageRoutes()],
  )
  const listening = shard ? shard.serve(app) : await listenOn(config, app, random)
  url = config.publicUrl ?? listening.url
  origins = originsOf(url, config.publicUrl === undefined)
  const onReplay: OnReplay = (done, total) => log('the journal is replayed after a crash', { done, total })
  const { isWhole, unwatch } = await (shard
    ? openFollowingStore(store, folder, shard.takeOver)
    : openStore(store, { ...folder, isProbed: isProbed && !folder.isNew }, onReplay))
  await shard?.share(store)
  const credentials = shard?.isFirst === false ? {} : await firstCredentials(services, query, config)
  await catchUp(services, store, log)
  opened = true
  const stopTimers = timersOf(services, store, log)
  const background = startBackground(store, log)
  store.stats.recount().catch((error: unknown) => log('statistics could not be counted again', { error }))
  events.start(services.host)
  services.settlement?.start()
  const ownPasswords = options.passwords ? undefined : passwords
  const parts = { unwatch, services, listening, ownPasswords, stopTimers, background, events, store, unlock }
  if (!shard) handOver = new HandOver(parts, { dataDir, log, onFailure })
  return {
    url,
    listening: listening.url,
    dataDir,
    isChecked: isWhole,
    ...credentials,
    stop: () => (handOver ? handOver.stop() : stopRunning(parts)),
  }
}
