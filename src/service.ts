// Wires store, host, commands, rules and HTTP, with events (events.ts) and live settlement (settle.ts), into a service
// that starts and stops.
import { hash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { charts } from '../machines/index.js'
import { idOf } from './actor/actor.js'
import { wakeAllDue } from './actor/wake.js'
import { breather } from './breather.js'
import { checkpointKey } from './checkpointKey.js'
import type { Settlement } from './chain/settlement.js'
import { resumeChanges } from './commands/changes.js'
import { authenticate } from './commands/keys.js'
import { createFirstKey, createOrganization, inviteFirstOwner } from './commands/organizations.js'
import type { Services } from './commands/ports.js'
import { createRules } from './commands/rules.js'
import { authenticateSession } from './commands/sessions.js'
import type { Config } from './config.js'
import { openCustody, providerSlots, type Custodians } from './custodians.js'
import { Failure } from './cli/command.js'
import { ConfigError } from './environment.js'
import { newId } from './domain/ids.js'
import type { Log } from './domain/log.js'
import { createEvents, type Events } from './events.js'
import { EmbeddedHost } from './host/embedded.js'
import { AuditFollower } from './host/follower.js'
import { startTimers, type TimerPorts } from './host/timers.js'
import { createApp, type HttpPorts } from './http/app.js'
import type { Credentials } from './http/auth.js'
import { carrier, holder } from './http/held.js'
import { idempotency, type Memories } from './http/idempotency.js'
import { routeTable } from './http/table.js'
import { PasswordHasher } from './passwords.js'
import { oncePerRound, sanctionsIn } from './sanctions.js'
import { secretIn } from './secrets.js'
import { ORDERS_PER_MS } from './store/keys.js'
import { lockFolder } from './store/lock.js'
import { probe } from './store/probe.js'
import { AuditLog } from './store/auditLog.js'
import { Query } from './store/query.js'
import { Store } from './store/store.js'
import { refuseUnfinishedRestore } from './store/unfinishedRestore.js'
import { refuseDestination } from './webhooks/destination.js'
import { listenOn } from './listenOn.js'

const POLICY_SETS = 1000
const GRACE_MS = 10_000
const TIMERS_EVERY_MS = 250

export interface Running {
  /** The public address. */
  url: string
  /** The address it listens on. */
  listening: string
  dataDir: string
  /** The first organization's key; only on the first start. */
  firstKey?: string
  /** The first owner's set-up link; only on the first start. */
  ownerLink?: string
  /** Finishes and writes what is in flight, then closes. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** Takes failures that no caller sees. */
  log: Log
  /** A commit failed: the service answers 503 from now on and must end. */
  onFailure: (error: Error) => void
}

const POOL_BYTES = 16_384

/** Draws randomness in large portions, because every draw is a system call. */
function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = randomBytes(POOL_BYTES)
  let used = 0
  return (bytes) => {
    if (used + bytes > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}

/** Strictly rising microseconds, so that records made in one millisecond keep their order. */
function orders(now: () => number): () => number {
  let last = 0
  return () => (last = Math.max(last + 1, now() * ORDERS_PER_MS))
}

/** True in about `percent` of calls. */
function percentage(percent: number, random: Services['random']): () => boolean {
  return () => {
    const [high, low] = random(2)
    return ((high! * 256 + low!) * 100) / 65_536 < percent
  }
}

/** The timer does not keep the process alive. */
function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms).unref()
  return () => clearInterval(timer)
}

interface RulesPorts extends Pick<Services, 'random' | 'breathe'> {
  log: Log
}

function rulesOf({ ruleCheckPercent }: Config, { random, breathe, log }: RulesPorts): Services['rules'] {
  return createRules({
    cacheSize: POLICY_SETS,
    breathe,
    isChecked: percentage(ruleCheckPercent, random),
    onDifference: (policySetHash) => log('evaluators differ, the payment is denied', { policySetHash }),
  })
}

interface Parts {
  config: Config
  store: Store
  query: Query
  events: Events
  custodians: Custodians
  /** Null in test settlement. */
  live: typeof import('./settle.js') | null
  now: Services['now']
  nextOrder: Services['nextOrder']
  random: Services['random']
  passwords: Services['passwords']
  publicUrl: () => string
  carryOut: Services['carryOut']
  log: Log
}

interface Wired extends Services {
  host: EmbeddedHost
  settlement: Settlement | null
  follower: AuditFollower
}

function servicesOf(parts: Parts): Wired {
  const {
    config,
    store,
    query,
    events,
    custodians,
    live,
    now,
    nextOrder,
    random,
    passwords,
    publicUrl,
    carryOut,
    log,
  } = parts
  const breathe = breather()
  const keyHashSecret = Buffer.from(secretIn(join(config.dataDir, 'keyhash.secret'))).toString('hex')
  const auditLog = new AuditLog(store)
  const onError = (error: unknown): void => log('an audit log cannot be followed', { error })
  const host = new EmbeddedHost(charts, store, { hotActors: config.hotActors, outbox: events.outbox })
  const sanctions = sanctionsIn(config.dataDir, (message) => log('the sanctions list cannot be read', { message }))
  return {
    host,
    query,
    auditLog,
    follower: new AuditFollower({ lastSequence: (organization) => auditLog.last(organization), every, onError }),
    inspect: config.inspect,
    checkpointKey: checkpointKey(secretIn(join(config.dataDir, 'checkpoint.secret'))),
    now,
    nextOrder,
    random,
    passwords,
    publicUrl,
    // Secret and key have fixed lengths, so that their boundary is unambiguous.
    hashKey: (key) => hash('sha256', keyHashSecret + key, 'hex'),
    newAddress: (organization) => custodians.keystore.newAddress(organization),
    refuseDestination: (url) => refuseDestination(url, config.devLoopbackWebhooks),
    ...events.services,
    breathe,
    rules: rulesOf(config, { random, breathe, log }),
    rateLimits: config.rateLimits === 'off' ? null : { ...config.rateLimits },
    sanctions: oncePerRound(sanctions),
    settlementMode: config.settlement.settlementMode,
    settlement:
      live?.createSettlement(config, custodians, {
        host,
        waiting: query.oldest.bind(query),
        sanctions: () => sanctions().list,
        now,
        log,
      }) ?? null,
    providers: providerSlots(custodians),
    assetContracts: Object.fromEntries(Object.entries(config.settlement.nodes).map(([id, { asset }]) => [id, asset])),
    carryOut,
  }
}

/**
 * The key of the first organization in a new data folder; undefined when both exist. A start interrupted between the
 * two is completed, also before the owner was invited.
 */
async function bootstrapKey(services: Services, query: Query, key: string | undefined): Promise<string | undefined> {
  const first = query.refs('organizations').at(-1)
  if (first && query.refs(`keys/${idOf(first)}`).length > 0) return undefined
  const made = first
    ? await createFirstKey(services, idOf(first), key)
    : await createOrganization(services, 'My organization', { isInstalled: true, secret: key })
  if (!made.ok) throw new Error(`The first organization could not be made: ${made.refusal.message}`)
  return made.secret
}

/** The set-up link of the first organization's owner; undefined when it has members. */
async function bootstrapOwner(services: Services, query: Query, email: string): Promise<string | undefined> {
  const first = idOf(query.refs('organizations').at(-1)!)
  if (query.refs(`members/${first}`).length > 0) return undefined
  const invited = await inviteFirstOwner(services, first, email)
  if (!invited.ok) throw new Error(`The first owner could not be invited: ${invited.refusal.message}`)
  return invited.setupUrl
}

/** The origins that browsers send from the service's own pages. */
function originsOf(url: string, isListening: boolean): string[] {
  const { protocol, hostname, port } = new URL(url)
  // localhost leads to the same pages.
  return isListening && hostname === '127.0.0.1' ? [url, `${protocol}//localhost:${port}`] : [url]
}

function memoriesIn(store: Store, query: Query): Memories {
  return { find: (key) => query.memory(key), put: (memory) => store.record(memory) }
}

function credentialsOf(services: Services, operatorKey: string | undefined): Credentials {
  return {
    authenticate: (bearer) => authenticate(services, bearer),
    authenticateSession: (token) => authenticateSession(services, token),
    operatorKey,
  }
}

function gaugesOf({ host, follower }: Wired): HttpPorts['gauges'] {
  return [
    {
      name: 'bursar_actors_in_memory',
      help: 'Actors in memory; BURSAR_HOT_ACTORS bounds them.',
      value: () => host.hotActors,
    },
    { name: 'bursar_audit_followers', help: 'Those who follow an audit log.', value: () => follower.size },
  ]
}

function timersOf({ host, now }: Services, store: Store, query: Query): TimerPorts {
  return { host, due: (at, limit) => query.due(at, limit), forget: (at, limit) => store.forget(at, limit), now }
}

/** Resumes work left by the last run, and carries out timers that are due. */
async function catchUp(services: Services, timers: TimerPorts, log: Log): Promise<void> {
  for (const error of await resumeChanges(services)) log('a change could not be taken up', { error })
  for (const error of await wakeAllDue(timers)) log('an end could not be carried out', { error })
}

/** The data folder, made when it is missing; throws ConfigError when there cannot be one. */
function dataFolder({ dataDir }: Config): string {
  const folder = resolve(dataDir)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`BURSAR_DATA_DIR cannot be used: ${(error as Error).message}`)
  }
  return folder
}

/** Ends the start with what is wrong with the data folder, which the operator reads in one line. */
function unusable(cause: Error): never {
  throw new Failure(cause.message, { cause })
}

/** Locks the data folder; the returned function unlocks it. */
async function lockUsable(dataDir: string): Promise<() => void> {
  const unlock = await lockFolder(dataDir)
  refuseUnfinishedRestore(dataDir)
  return unlock
}

/** Opens the store; all that it shows from then on is on disk. */
async function openStore(store: Store, dataDir: string): Promise<void> {
  await probe(dataDir, 'start').catch(unusable)
  store.open(dataDir)
  await store.sync()
}

/** Starts the service; throws when the data folder cannot be used. */
export async function startService(config: Config, { log, onFailure }: ServiceOptions): Promise<Running> {
  const dataDir = dataFolder(config)
  const unlock = await lockUsable(dataDir).catch(unusable)
  const random = pooledRandom()
  const store = new Store(() => newId(random), onFailure)
  const query = new Query(store)
  const passwords = new PasswordHasher()
  let url = config.publicUrl ?? ''
  const now = (): number => Date.now() + config.clockOffsetMs
  const nextOrder = orders(now)
  const publicUrl = (): string => url
  const events = createEvents({ config, store, now, nextOrder, random, publicUrl, log })
  const carryOut: Services['carryOut'] = (held, principal, name) => carry(held, principal, name)
  const custodians = await openCustody({ ...config, dataDir }, log)
  const made = { config, store, query, events, custodians, now, nextOrder, random, passwords, publicUrl, carryOut, log }
  const live = config.settlement.settlementMode === 'live' ? await import('./settle.js') : null
  const services = servicesOf({ ...made, live })
  const table = routeTable(services)
  const memories = memoriesIn(store, query)
  const carry = carrier(table, idempotency(memories, now))
  let origins: string[] = []
  let opened = false
  const app = createApp(
    {
      ...credentialsOf(services, config.operatorKey),
      origins: () => origins,
      hold: holder(services),
      memories,
      readiness: () => (store.failure ? 'failed' : opened ? 'ready' : 'starting'),
      now: services.now,
      random,
      gauges: gaugesOf(services),
      rateLimits: config.rateLimits,
      trustedProxies: config.trustedProxies,
      isHttps: config.publicUrl?.startsWith('https:') === true,
      log,
    },
    table,
  )
  const listening = await listenOn(config, app, random)
  url = config.publicUrl ?? listening.url
  origins = originsOf(url, config.publicUrl === undefined)
  await openStore(store, dataDir)
  const firstKey = await bootstrapKey(services, query, config.bootstrapOrgKey)
  const ownerLink = await bootstrapOwner(services, query, config.ownerEmail)
  const timers = timersOf(services, store, query)
  await catchUp(services, timers, log)
  opened = true
  const stopTimers = startTimers(timers, TIMERS_EVERY_MS, (error) => log('timers failed', { error }))
  events.start(services.host)
  services.settlement?.start()
  return {
    url,
    listening: listening.url,
    dataDir,
    ...(firstKey !== undefined && config.bootstrapOrgKey === undefined && { firstKey }),
    ...(ownerLink !== undefined && { ownerLink }),
    stop: async () => {
      services.follower.stop()
      await listening.close(GRACE_MS)
      await passwords.close()
      await stopTimers()
      await events.stop()
      await services.settlement?.stop()
      await store.close()
      unlock()
    },
  }
}
