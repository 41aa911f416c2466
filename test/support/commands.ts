// The commands on a real store in a temporary folder, without HTTP and under a virtual clock, for property tests that
// run them thousands of times.
import { fieldsOf, type Actor } from '../../src/actor/actor.js'
import { hash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { charts } from '../../machines/index.js'
import { createAgent } from '../../src/commands/agents/agents.js'
import { delegateWallet, type GivenTerms } from '../../src/commands/agents/delegations.js'
import { createOrganization } from '../../src/commands/organizations/organizations.js'
import { UNSHARED, type Caller, type Services } from '../../src/commands/ports.js'
import { createRules } from '../../src/commands/rules.js'
import { createWallet, fundWallet } from '../../src/commands/agents/wallets.js'
import { parseAddress, toChecksum, type Address } from '../../src/domain/values/address.js'
import type { ChainType } from '../../src/domain/values/chains.js'
import { newId } from '../../src/domain/values/ids.js'
import type { Micros } from '../../src/domain/values/money.js'
import { refuse, type Result } from '../../src/domain/outcomes/result.js'
import { checkpointKey } from '../../src/config/ed25519.js'
import { AuditFollower } from '../../src/host/follower.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { isGone, wakeAtOf } from '../../src/actor/turn.js'
import { OverdueActors } from '../../src/host/overdue.js'
import { sanctionsIn } from '../../src/service/sanctions.js'
import { secretIn } from '../../src/config/secrets.js'
import { AuditLog } from '../../src/store/audit/log.js'
import { Query } from '../../src/store/query.js'
import { Store } from '../../src/store/store.js'
import { refuseDestination } from '../../src/webhooks/destination.js'
import { testPayload } from '../../src/webhooks/payloads.js'
import { newFolder, type Scope } from './process.js'

const ORDERS_PER_MS = 1000

export interface Bare {
  services: Services
  store: Store
  folder: string
  /** Moves the clock to `at` (epoch ms); nothing is woken. */
  setClock(at: number): void
  /** Moves the clock to `at` (epoch ms) and wakes every actor that is due. */
  moveClock(at: number): Promise<void>
  now(): number
  close(): Promise<void>
}

/** A folder that a service has used is opened with its keys; nothing else may have it open. */
export function openBare(scope: Scope, folder: string = newFolder(scope), hotActors = 10_000): Bare {
  mkdirSync(folder, { recursive: true })
  const store = new Store(randomBytes, charts)
  store.open(folder)
  // A failure of the store is what the next write says.
  store.takeOver().catch(() => {})
  const query = new Query(store, (actor) => isGone(charts, actor))
  let now = Date.parse('2026-01-01T00:00:00Z')
  let order = 0
  const secret = Buffer.from(secretIn(join(folder, 'keyhash.secret'))).toString('hex')
  const auditLog = new AuditLog(store)
  const host = new EmbeddedHost(charts, store, { hotActors })
  const overdue = new OverdueActors({
    host,
    timers: store.timers,
    wakeAtOf: (actor) => wakeAtOf(charts, actor),
    now: () => now,
    onError: (error) => {
      throw error
    },
  })
  const services: Services = {
    host,
    overdue,
    query,
    auditLog,
    follower: new AuditFollower({ lastSequence: (id) => auditLog.last(id), every: () => () => {}, onError: () => {} }),
    checkpointKey: checkpointKey(randomBytes(32)),
    lastCheckpoints: { last: () => undefined, keep: async () => true, tell: () => {} },
    now: () => now,
    nextOrder: () => (order = Math.max(order + 1, now * ORDERS_PER_MS)),
    random: (bytes) => randomBytes(bytes),
    passwords: { hash: async (password) => password, verify: async () => ({ matches: [] }), busy: () => false },
    publicUrl: () => 'http://127.0.0.1:3000',
    hashKey: (key) => hash('sha256', secret + key, 'hex'),
    newAddress: async () => randomAddress(),
    isSignedBy: async () => false,
    signTypedData: async () => refuse('WALLET_CONFIG_ERROR'),
    refuseDestination,
    newSigningSecret: () => ({ secret: 'secret', sealed: 'sealed' }),
    channels: {
      seal: (_, { config }) => ({ config, secret: {}, target: '', shown: {} }),
      open: (_, { config }) => config,
    },
    mail: null,
    answerSlack: () => {},
    sealed: { seal: (_, text) => text, open: (_, sealed) => sealed },
    enqueue: async () => newId(randomBytes),
    importRecords: {
      find: (key) => store.idempotencyRecord(key),
      replace: (keys, record) => store.replace(keys, record),
    },
    testPayload,
    breathe: async () => {},
    rules: createRules({ cacheSize: 100, isChecked: () => true, onDifference: () => {} }),
    rateLimits: null,
    sanctions: sanctionsIn(folder, () => {}),
    otherShards: UNSHARED,
    settlementMode: 'test',
    carryOut: async () => refuse('NOT_FOUND'),
    settlement: null,
    providers: { PROVIDER_A: null, PROVIDER_B: null },
    assetContracts: {},
  }
  const setClock = (at: number): void => void (now = at)
  const moveClock = async (at: number): Promise<void> => {
    setClock(at)
    for (const organization of store.timers.organizations(at)) await overdue.end(organization, Infinity)
  }
  let open = true
  const close = async (): Promise<void> => {
    if (open) await store.close()
    open = false
  }
  scope.teardown(close)
  return { services, store, folder, setClock, moveClock, now: () => now, close }
}

export function randomAddress(): string {
  return toChecksum(`0x${randomBytes(20).toString('hex')}`)
}

export function randomSolanaAddress(): string {
  return base58.encode(randomBytes(32))
}

export function addressOf(text: string): Address {
  return parseAddress(text)!
}

/** The outcome of a command; throws if it was refused. */
export function done<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.message}`)
  return result.value
}

const idIn = (actor: Actor): string => String(fieldsOf(actor)['id'])

/** A new organization, its administrator, and functions that create what tests need in it. */
export async function newOrganization({ services }: Bare) {
  const { organization, actor: key } = done(await createOrganization(services, 'Organization'))
  const id = idIn(organization)
  const admin: Caller = {
    principal: { type: 'ORGANIZATION_KEY', id: idIn(key), name: 'Admin', keyPrefix: '', organization: id, scopes: [] },
    requestId: undefined,
  }
  return {
    admin,
    /** The agent's id, and the caller that its keys represent. */
    agent: async (allowedContexts: string[] = []) => {
      const fields = { name: newId(randomBytes), agentType: 'CUSTOM', allowedContexts } as const
      const agent = idIn(done(await createAgent(services, admin, fields)))
      const caller: Caller = {
        ...admin,
        principal: { ...admin.principal, type: 'AGENT_KEY', agent, scopes: ['payments:execute'] },
      }
      return { id: agent, caller }
    },
    wallet: async (balance: Micros, chainType: ChainType = 'EVM') => {
      const address = chainType === 'EVM' ? undefined : addressOf(randomSolanaAddress())
      const given = { name: 'Wallet', custodyType: 'MANAGED', chainType, address, walletType: 'EOA' } as const
      const id = idIn(done(await createWallet(services, admin, given)).wallet)
      if (balance > 0) done(await fundWallet(services, admin, id, balance))
      return id
    },
    delegate: async (agentId: string, walletId: string, terms: GivenTerms) =>
      idIn(done(await delegateWallet(services, admin, agentId, walletId, terms))),
  }
}

/**
 * Runs as many concurrently as there are lanes, each on its own store, because each waits for the disk most of the
 * time. Waits for all of them, even if one fails.
 */
export async function inLanes(scope: Scope, lanes: number, run: (bare: Bare) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, () => run(openBare(scope))))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
