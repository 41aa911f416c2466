// What commands need from the world, handed in: where actors live, what can be listed, the time, and randomness.
import type { ActorHost, Reply, Sequence, StillValid, View } from '../actor/host.js'
import type { Rules } from './rules.js'
import type { Actor } from '../actor/actor.js'
import type { AuditLogPort } from '../actor/auditLog.js'
import type { Follower } from '../actor/follower.js'
import type { QueryPort } from '../actor/query.js'
import type { Json } from '../domain/canonical.js'
import type { Sign } from '../domain/checkpoint.js'
import type { Delivery } from '../domain/delivery.js'
import type { Ref } from '../domain/gate.js'
import type { Memory } from '../domain/memory.js'
import type { HeldRequest } from '../domain/governance.js'
import type { Principal } from '../domain/principal.js'
import type { Refused } from '../domain/refusal.js'
import type { SanctionsList } from '../domain/sanctions.js'
import type { ClaimedTransfer, NotMade, SettlementMode, Verdict } from '../domain/settlement.js'
import type { SlotName } from '../domain/wallet.js'

/** Hashes passwords with a function that is slow on purpose, beside the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one that was hashed. It costs the same without a hash, and then nothing matches.
   * `renewed` is the hash under today's parameters, where it matches one of others.
   */
  verify(password: string, stored: string | undefined): Promise<{ matches: boolean; renewed?: string }>
  /** So many wait that one more would not be answered in time. */
  busy(): boolean
}

export interface Services {
  host: ActorHost
  query: QueryPort
  auditLog: AuditLogPort
  follower: Follower
  /** Who is answered in the inspector's own format: callers on this machine, everybody with a key, nobody. */
  inspect: 'loopback' | 'anywhere' | 'off'
  /** The installation's Ed25519 key for checkpoints; the 32 bytes of its public half. */
  checkpointKey: { publicKey: Uint8Array; sign: Sign }
  /** Epoch ms. */
  now(): number
  /** Creation time in microseconds, never twice the same: the place in lists. */
  nextOrder(): number
  random(bytes: number): Uint8Array
  /** HMAC-SHA256 (hex) of a key or token, under the installation's own secret. */
  hashKey(key: string): string
  passwords: Passwords
  /** The address that people and agents use, without a path. */
  publicUrl(): string
  /** Makes a key pair, keeps its private half in the keystore for this organization, and gives the address (EIP-55). */
  newAddress(organization: string): Promise<string>
  /** Why events are not sent to this URL; undefined when nothing in its text speaks against it. */
  refuseDestination(url: string): string | undefined
  /** A new signing secret, and its sealed form, which alone may be stored. */
  newSigningSecret(organization: string): { secret: string; sealed: string }
  /** Queues a delivery of its own; gives its id once it is on disk. */
  enqueue(told: Pick<Delivery, 'organization' | 'agentId' | 'event' | 'at' | 'data' | 'target'>): Promise<string>
  /** What a test of the endpoint sends. */
  testPayload(at: number): object
  /** Requests a minute by group; null when they are off. */
  rateLimits: { [group: string]: number } | null
  /** Lets others have their turn, where this one has taken long. */
  breathe(): Promise<void>
  /** Evaluates policies; never fails open. */
  rules: Rules
  /** The sanctions list in force; where it cannot be read there is none, and nothing is paid. */
  sanctions(): { list: SanctionsList | undefined; origin: 'SHIPPED' | 'LOADED' }
  settlementMode: SettlementMode
  /** The chains; null in test settlement. */
  settlement: Settlement | null
  /** What became of the custody providers' slots. */
  providers: Readonly<Record<SlotName, ProviderSlot>>
  /** Carries out a request that was held, as this principal; once for each `name`, over a crash too. */
  carryOut(held: HeldRequest, principal: Principal, name: string): Promise<CarriedOut | Refused>
  /** Contracts that override the chain table's, by chain id. */
  assetContracts: Readonly<Record<string, string>>
}

/** What carrying out a request answered. */
export interface CarriedOut {
  ok: true
  status: number
  body: Json
  /** The body without secrets. */
  memorable: Json
  /** It was carried out before, and this is that answer again, without secrets. */
  isReplay: boolean
}

/** Null when nothing is configured for it. */
export type ProviderSlot = 'ready' | { wrong: string } | null

/** What live settlement offers to commands. */
export interface Settlement {
  /**
   * Runs a command that may leave a payment with a transfer to make, and makes it: until it is accepted, refused, or
   * unknown. `tell` sends the payment what was found out, while `stillValid` says so; the reply is the last one's, and
   * there is none where the command did not begin.
   */
  carryOut(
    to: Ref,
    command: () => Promise<Reply | undefined>,
    tell: (type: string, fields: object, stillValid?: StillValid) => Promise<Reply | undefined>,
  ): Promise<Reply | undefined>
  /** Why the service can make no transfer on this chain; null when it can. */
  refusalOn(chainId: string): NotMade | null
  /** True when balances on this chain can be read. */
  isSeen(chainId: string): boolean
  /** Reads what the chains say of these wallets, as far as they can be reached, and tells the wallets. */
  observe(wallets: readonly Ref[]): Promise<void>
  /** Whether the chain shows exactly this transfer, deep enough. Rejects when its node cannot be asked. */
  verify(claimed: ClaimedTransfer): Promise<Verdict>
}

/** Who asks, and how the answer is remembered under an idempotency key, if there is one. */
export interface Caller {
  principal: Principal
  /** For the audit log; undefined where no request asks: at the first start. */
  requestId: string | undefined
  remember?: (made: Actor, view: View, sequence: Sequence) => Memory | undefined
}
