// The whole service over a real store, with the time, the randomness, the timers and the courier of a simulation: what
// it decides depends on the requests alone. It can be stopped and started again.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { charts } from '../../../machines/index.js'
import { resumeChanges } from '../../../src/commands/approvals/changes.js'
import { UNSHARED, type Passwords, type Services } from '../../../src/commands/ports.js'
import { readConfig, type Config } from '../../../src/config/config.js'
import { CHECKPOINT_SECRET, KEYHASH_SECRET, WEBHOOKS_SECRET } from '../../../src/config/secrets.js'
import { createApp } from '../../../src/http/app.js'
import { operations } from '../../../src/http/routes/index.js'
import { holder, replayHeld } from '../../../src/http/server/heldRequests.js'
import { idempotency } from '../../../src/http/server/idempotency.js'
import { createEvents, type Events } from '../../../src/service/events.js'
import {
  credentialsOf,
  idempotencyStoreIn,
  orders,
  queryOf,
  wiredServices,
  unavailability,
  type Wired,
} from '../../../src/service/wiring.js'
import { Store } from '../../../src/store/store.js'
import type { Random } from '../../support/random.js'
import type { SimulatedCourier } from './courier.js'
import { exchange, type Answer, type Request } from './exchange.js'
import { fakeCustodians } from './custody.js'
import type { VirtualTimers } from './timers.js'

export const OPERATOR_KEY = 'an operator key, of 32 characters or more'
export const URL = 'http://bursar'

/** What comes from outside: the same for all starts of one run. */
export interface Outside {
  folder: string
  random: Random
  now: () => number
  timers: VirtualTimers
  courier: SimulatedCourier
}

/** Argon2id is tested elsewhere. */
const PASSWORDS: Passwords = {
  hash: async (password, salt) => `${salt} ${password}`,
  verify: async (password, salt, stored) => ({ matches: stored.map((one) => one === `${salt} ${password}`) }),
  busy: () => false,
}

/** Secrets of the run, so that it does not depend on others. */
export function makeFolder(folder: string, random: Random): void {
  mkdirSync(folder, { recursive: true })
  for (const name of [KEYHASH_SECRET, CHECKPOINT_SECRET, WEBHOOKS_SECRET]) {
    writeFileSync(join(folder, name), Buffer.from(bytesOf(random)(32)).toString('hex'), { mode: 0o600 })
  }
}

const bytesOf =
  (random: Random) =>
  (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => random.below(256))

function configOf(folder: string): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    BURSAR_DATA_DIR: folder,
    BURSAR_RATE_LIMITS: 'off',
    BURSAR_HOT_ACTORS: '50',
    BURSAR_RULE_CHECK_PERCENT: '10',
  })
}

export class SimulatedService {
  /** Bugs that it reported. */
  readonly logged: string[] = []
  store!: Store
  services!: Wired
  readonly #outside: Outside
  #events!: Events
  #answer!: Parameters<typeof exchange>[0]

  constructor(outside: Outside) {
    this.#outside = outside
  }

  async start(): Promise<void> {
    const { folder, now, timers, courier } = this.#outside
    const random = bytesOf(this.#outside.random)
    const config = configOf(folder)
    const log = (event: string, fields: object): void => void this.logged.push(`${event}: ${said(fields)}`)
    const store = new Store(random, charts, (error) => log('the store failed', { error }))
    const query = queryOf(store)
    const given = {
      config,
      store,
      query,
      now,
      nextOrder: orders(now, store),
      random,
      publicUrl: () => URL,
      timers,
      log,
    }
    const ports = { ...given, lease: undefined }
    const events = createEvents({ ...ports, startCourier: (its) => courier.open(its) })
    const carryOut: Services['carryOut'] = (...held) => carry(...held)
    const custodians = fakeCustodians(random)
    const rest = { passwords: PASSWORDS, live: null, onNewKey: async () => {}, otherShards: UNSHARED }
    const services = wiredServices({ ...ports, ...rest, events, custodians, carryOut })
    const idempotencyStore = idempotencyStoreIn(store, query)
    const carry = replayHeld(services, operations, idempotency(idempotencyStore, now))
    const app = createApp(
      {
        ...credentialsOf(services, OPERATOR_KEY),
        services,
        hold: holder(services),
        warnings: () => [],
        now,
        gauges: [],
        origins: () => [URL],
        idempotencyStore,
        readiness: () => (store.failure ? 'failed' : 'ready'),
        shardRole: () => ({ role: 'SINGLE', shard: '0', epoch: 0, applied: store.durable, lag: 0 }),
        isUnavailable: unavailability(store),
        random,
        rateLimits: 'off',
        trustedProxies: config.trustedProxies,
        isHttps: false,
        isDescribedLate: true,
        log,
      },
      operations,
    )
    this.#answer = app.callback()
    store.open(folder)
    await store.takeOver()
    Object.assign(this, { store, services })
    this.#events = events
    for (const error of await resumeChanges(services)) log('a change could not be executed', { error })
    events.start(services.host)
  }

  send(request: Request): Promise<Answer> {
    return exchange(this.#answer, request)
  }

  /** What the service does without being asked: timers fire, what is over ends. */
  async tick(): Promise<void> {
    const { timers, now } = this.#outside
    timers.fire()
    await this.services.overdue.round(new Set(), () => false)
    await this.store.forget(now(), 200)
    await this.store.stats.flushIfDue(now())
  }

  async stop(): Promise<void> {
    await this.#events.stop()
    await this.store.close()
  }
}

function said(fields: object): string {
  const { error, ...rest } = fields as { error?: unknown }
  return error instanceof Error ? String(error.stack) : JSON.stringify({ error, ...rest })
}
