// What a service consists of, whatever gives it time, randomness, timers, a store and events: host, rules, commands and
// what stands between them and HTTP. It starts and stops nothing.
import { join } from 'node:path'
import { charts } from '../../machines/index.js'
import { ORGANIZATIONS } from '../../machines/organization.js'
import { WORK_LISTS } from '../../machines/payment/lists.js'
import { Unavailable } from '../actor/host.js'
import { isGone, wakeAtOf } from '../actor/turn.js'
import { followUpsOf } from '../alerts/followUps.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import type { Timing } from '../async/timing.js'
import { yielder } from '../async/yield.js'
import type { Keystore } from '../chain/keystore.js'
import type { TransferLoop } from '../chain/transferLoop.js'
import { authenticate } from '../commands/people/keys.js'
import { authenticateSession } from '../commands/people/sessions.js'
import type { Services } from '../commands/ports.js'
import { createRules } from '../commands/rules.js'
import type { Config } from '../config/config.js'
import { checkpointKey } from '../config/ed25519.js'
import { CHECKPOINT_SECRET, KEYHASH_SECRET, keyHasher, secretIn } from '../config/secrets.js'
import { ORDERS_PER_MS } from '../domain/values/ids.js'
import type { Log } from '../domain/values/log.js'
import { EmbeddedHost } from '../host/embedded.js'
import { AuditFollower } from '../host/follower.js'
import { OverdueActors } from '../host/overdue.js'
import type { HttpPorts } from '../http/app.js'
import type { Authenticators } from '../http/server/auth.js'
import type { IdempotencyStore } from '../http/server/idempotency.js'
import { AuditLog } from '../store/audit/log.js'
import { isDiskFailure, isExhausted } from '../store/folder/systemErrors.js'
import { Query } from '../store/query.js'
import type { Store } from '../store/store.js'
import { refuseDestination } from '../webhooks/destination.js'
import { providerSlots, type Custodians } from './custodians.js'
import type { Events } from './events.js'
import { LastCheckpointFiles } from './lastCheckpoints.js'
import { percentage } from './random.js'
import { oncePerRound, sanctionsIn } from './sanctions.js'
import { signingWith } from './signing.js'
import { warningsNow } from './warnings.js'

const POLICY_SETS = 1000

/** Strictly rising microseconds: no two records have the same, whatever the clock says. */
export function orders(now: () => number, store: Store): () => number {
  let last = 0
  return () => (last = Math.max(Math.max(last, store.lastOrder) + 1, now() * ORDERS_PER_MS))
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

type Given = 'now' | 'nextOrder' | 'random' | 'passwords' | 'publicUrl' | 'carryOut' | 'otherShards'

export interface Parts extends Pick<Services, Given> {
  config: Config
  store: Store
  query: Query
  events: Events
  custodians: Custodians
  /** Null in test settlement. */
  live: typeof import('./settlement.js') | null
  /** Resolves once the key of a new address is where it must be before anything names the address. */
  onNewKey: (address: string) => Promise<void>
  /** Of a node: until when nobody else can own its shard. */
  lease: LeaseDeadline | undefined
  timers: Timing
  log: Log
}

export interface Wired extends Services {
  host: EmbeddedHost
  overdue: OverdueActors
  settlement: TransferLoop | null
  follower: AuditFollower
  lastCheckpoints: LastCheckpointFiles
  keystore: Keystore
  /** What an operator should look at. */
  warnings: () => string[]
}

export function wiredServices({ config, store, events, custodians, live, timers, log, ...given }: Parts): Wired {
  const { query, now, random } = given
  const breathe = yielder()
  const auditLog = new AuditLog(store)
  const onError = (error: unknown): void => log('an audit log cannot be followed', { error })
  const host = new EmbeddedHost(charts, store, {
    hotActors: config.hotActors,
    outbox: events.outbox,
    followUps: followUpsOf({ nextOrder: given.nextOrder, random }),
  })
  const sanctions = sanctionsIn(config.dataDir, (message) => log('the sanctions list cannot be read', { message }))
  const providers = providerSlots(custodians)
  const signingKey = checkpointKey(secretIn(join(config.dataDir, CHECKPOINT_SECRET)))
  const lastCheckpoints = new LastCheckpointFiles(config.dataDir, signingKey.publicKey, log)
  return {
    ...given,
    host,
    overdue: overdueIn(store, host, now, log),
    warnings: () => warningsNow({ providers, organizations: () => given.query.size(ORGANIZATIONS), lastCheckpoints }),
    lastCheckpoints,
    keystore: custodians.keystore,
    auditLog,
    follower: new AuditFollower({
      lastSequence: (organization) => auditLog.last(organization),
      every: timers.every,
      onError,
    }),
    checkpointKey: signingKey,
    hashKey: keyHasher(secretIn(join(config.dataDir, KEYHASH_SECRET))),
    ...signingWith(custodians.keystore, given),
    refuseDestination: (url) => refuseDestination(url, config.devLoopbackWebhooks),
    ...events.services,
    mail: config.mail,
    importRecords: {
      find: (key) => store.idempotencyRecord(key),
      replace: (keys, record) => store.replace(keys, record),
    },
    breathe,
    rules: rulesOf(config, { random, breathe, log }),
    rateLimits: config.rateLimits === 'off' ? null : { ...config.rateLimits },
    sanctions: oncePerRound(sanctions),
    settlementMode: config.settlement.settlementMode,
    settlement:
      live?.createSettlement(config, custodians, {
        host,
        lists: query,
        waiting: (queue, limit, after) => query.oldest(WORK_LISTS[queue], limit, after),
        sanctions: () => sanctions().list,
        lease: given.lease,
        claims: given.otherShards,
        organizations: () => query.size(ORGANIZATIONS),
        now,
        log,
      }) ?? null,
    providers,
    assetContracts: Object.fromEntries(Object.entries(config.settlement.nodes).map(([id, { asset }]) => [id, asset])),
  }
}

export const queryOf = (store: Store): Query => new Query(store, (actor) => isGone(charts, actor))

export function idempotencyStoreIn(store: Store, query: Query): IdempotencyStore {
  return {
    find: (key) => query.idempotencyRecord(key),
    payment: (ref) => store.actor(ref),
    put: (record) => store.record(record),
  }
}

export function credentialsOf(services: Services, operatorKey: string | undefined): Authenticators {
  return {
    authenticate: (bearer) => authenticate(services, bearer),
    authenticateSession: (token) => authenticateSession(services, token),
    publicUrl: services.publicUrl,
    operatorKey,
  }
}

function overdueIn(store: Store, host: EmbeddedHost, now: () => number, log: Log): OverdueActors {
  const onError = (error: unknown): void => log('an expiry failed', { error })
  // The store is opened later.
  const timers = {
    due: (...range: Parameters<Store['timers']['due']>) => store.timers.due(...range),
    organizations: (at: number) => store.timers.organizations(at),
    renew: (organization: string) => store.timers.renew(organization),
  }
  return new OverdueActors({ host, timers, wakeAtOf: (actor) => wakeAtOf(charts, actor), now, onError })
}

/** Tells failures of the machine from bugs. A disk that fails elsewhere than in the store fails the store, too. */
export function unavailability(store: Store): HttpPorts['isUnavailable'] {
  return (error) => {
    if (isDiskFailure(error)) store.fail(error)
    return error instanceof Unavailable || store.failure !== undefined || isExhausted(error)
  }
}
