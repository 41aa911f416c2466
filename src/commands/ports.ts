// The ports of commands: where actors live, lists, time, randomness and settlement come in here. Commands must reach
// the world through nothing else.
import type { Attempt } from '../actor/attempt.js'
import type { ActorHost, Overdue, Unchanged } from '../actor/host.js'
import type { Rules } from './rules.js'
import type { Sent } from './send.js'
import type { Actor } from '../actor/actor.js'
import type { AuditLogPort } from '../actor/auditLog.js'
import type { Follower } from '../actor/follower.js'
import type { QueryPort } from '../actor/query.js'
import type { Json } from '../domain/values/canonical.js'
import type { ChannelFields } from '../domain/outcomes/channel.js'
import type { Checkpoint, Sign } from '../domain/audit/checkpoint.js'
import type { Delivery } from '../domain/outcomes/delivery.js'
import type { Ref } from '../domain/limits/gate.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { HeldRequest } from '../domain/outcomes/governance.js'
import type { Principal } from '../domain/access/principal.js'
import type { Result } from '../domain/outcomes/result.js'
import type { NetworkRow } from '../domain/parties/networkTotals.js'
import type { SanctionsList } from '../domain/parties/sanctions.js'
import type { ClaimedTransfer, SendFailure, SettlementMode, TransferVerdict } from '../domain/payment/settlement.js'
import type { TypedData } from '../domain/payment/x402.js'
import type { SlotName } from '../domain/parties/wallet.js'

/** Hashes passwords slowly on purpose, off the event loop. */
export interface Passwords {
  /** `salt` is text of the service's own: one for each e-mail address. */
  hash(password: string, salt: string): Promise<string>
  /**
   * Which of the hashes under this salt are of the password. It computes one hash, however many are stored. `renewed` is
   * the hash under today's parameters, given when one matches under others.
   */
  verify(password: string, salt: string, stored: readonly string[]): Promise<{ matches: boolean[]; renewed?: string }>
  /** True when the queue is so long that one more check would not finish in time. */
  busy(): boolean
}

/** The idempotency record of a request that queues the delivery with this id; undefined without an idempotency key. */
export type RecordQueued = (id: string) => IdempotencyRecord | undefined

/** The settings of a channel as they were given. */
export interface ChannelSettings {
  type: string
  config: { [field: string]: Json }
}

/** The settings of channels: which of them are secrets is up to their types. */
export interface ChannelPort {
  /** Splits and seals them; a secret that the service makes is made where `former` has none, and shown once. */
  seal(
    organization: string,
    settings: ChannelSettings,
    former?: ChannelFields,
  ): Pick<ChannelFields, 'config' | 'secret' | 'target'> & { shown: { secret?: string } }
  /** The settings with their secrets; throws where one cannot be opened. */
  open(organization: string, fields: ChannelFields): ChannelSettings['config']
}

/** What one organization may have of all, also of those in other shards: by its key in the index of unique keys. */
export interface Claims {
  /** Taken for this shard, forever; false where another one has it. What organization has it, the host knows. */
  take(key: string): Promise<boolean>
  isElsewhere(key: string): Promise<boolean>
}

/** What the organizations of other shards have. */
export interface OtherShards extends Claims {
  /** What they paid to a canonical address, a row for each shard: as far as it is known here, and without a long wait. */
  network(address: string): Promise<readonly NetworkRow[]>
}

/** A service without other shards. */
export const UNSHARED: OtherShards = {
  take: () => Promise.resolve(true),
  isElsewhere: () => Promise.resolve(false),
  network: () => Promise.resolve([]),
}

export interface Services {
  host: ActorHost
  /** Timers may be late; what is over must deny nothing. */
  overdue: Overdue
  query: QueryPort
  auditLog: AuditLogPort
  follower: Follower
  /** The installation's Ed25519 key for checkpoints; `publicKey` is 32 bytes. */
  checkpointKey: { publicKey: Uint8Array; sign: Sign }
  lastCheckpoints: LastCheckpoints
  /** Epoch ms. */
  now(): number
  /** Creation time in microseconds, unique and rising: the sort key of lists. */
  nextOrder(): number
  random(bytes: number): Uint8Array
  /** HMAC-SHA256 (hex) of a key or token, under the installation's secret. */
  hashKey(key: string): string
  passwords: Passwords
  /** The address that people and agents use, without a path. */
  publicUrl(): string
  /** Makes a key pair, keeps its private half in the organization's keystore, and returns the address (EIP-55). */
  newAddress(organization: string): Promise<string>
  /** Signs with the key that the organization's keystore has of an address: `0x` and hex. */
  signTypedData(
    address: string,
    organization: string,
    data: TypedData,
  ): Promise<Result<string, 'UNAVAILABLE' | 'WALLET_CONFIG_ERROR'>>
  /** Why events are not sent to this URL; undefined when its text is acceptable. */
  refuseDestination(url: string): string | undefined
  channels: ChannelPort
  /** Answers a press in Slack at the URL that Slack gave; not repeated where it fails. */
  answerSlack(organization: string, url: string, body: object): void
  /** The server that mails go through; null where none are sent. */
  mail: { url: string; from: string } | null
  /** Seals and opens text of an organization that must not be stored as it is. */
  sealed: { seal(organization: string, text: string): string; open(organization: string, sealed: string): string }
  /** A new signing secret and its sealed form. Only the sealed form may be stored. */
  newSigningSecret(organization: string): { secret: string; sealed: string }
  /** Stores a separate delivery and its idempotency record in one commit; returns its id once it is on disk. */
  enqueue(
    told: Pick<Delivery, 'organization' | 'agentId' | 'channelId' | 'subject' | 'event' | 'at' | 'data' | 'target'>,
    record?: RecordQueued,
  ): Promise<string>
  /** The idempotency records of the entries of imports. */
  importRecords: {
    find(key: string): IdempotencyRecord | undefined
    /** Removes records and stores another one, in one commit; resolves when that is on disk. */
    replace(keys: readonly string[], record: IdempotencyRecord | undefined): Promise<void>
  }
  /** The payload of an endpoint test. */
  testPayload(at: number): object
  /** Requests a minute by group; null when limits are off. */
  rateLimits: { [group: string]: number } | null
  /** Yields to other requests once this one has run for long. */
  breathe(): Promise<void>
  /** Evaluates policies; never fails open. */
  rules: Rules
  /**
   * The sanctions list in force, for callers that waited for an immediate since they were asked, as all HTTP requests do.
   * While it cannot be read, `list` is undefined and nothing is paid.
   */
  sanctions(): { list: SanctionsList | undefined; origin: 'SHIPPED' | 'LOADED' }
  otherShards: OtherShards
  settlementMode: SettlementMode
  /** Null in test settlement. */
  settlement: SettlementPort | null
  /** The state of the custody providers' slots. */
  providers: Readonly<Record<SlotName, ProviderSlot>>
  /** Carries out a held request as this principal; once for each `name`, also across a crash. */
  carryOut(held: HeldRequest, principal: Principal, name: string): Promise<Result<CarriedOut>>
  /** Whether the holder of the address's key signed the message (EIP-191); false for any invalid signature. */
  isSignedBy(address: string, message: string, signature: string): Promise<boolean>
  /** Contracts that override the chain table's, by chain id. */
  assetContracts: Readonly<Record<string, string>>
}

/** The last checkpoint that was signed of each log: what is signed later must continue it. */
export interface LastCheckpoints {
  /** Undefined before the first; `unreadable` where what is kept is not what was signed. */
  last(organization: string): Checkpoint | 'unreadable' | undefined
  /** Resolves once the note is on disk; false when it cannot be written. */
  keep(organization: string, note: string): Promise<boolean>
  /** Raises the alarm that the log does not continue its last checkpoint, or ends it. */
  tell(organization: string, problem: string | undefined): void
}

/** The answer of a request that was carried out. */
export interface CarriedOut {
  status: number
  body: Json
  /** The body without secrets. */
  memorable: Json
  /** The request was carried out before; this repeats its answer, without secrets. */
  isReplay: boolean
}

/** Null when nothing is configured. */
export type ProviderSlot = {
  /** Why it cannot be used; null when it can. */
  wrong: string | null
  /** The only organization that it serves; undefined for whichever is alone. */
  owner: string | undefined
} | null

/** Live settlement, as commands use it. */
export interface SettlementPort {
  /**
   * Runs a command that may leave a payment with a transfer to make, then makes the transfer until it is accepted,
   * refused, or unknown. `tell` sends the payment each result while `unchanged` holds. Returns the last reply;
   * undefined where the command did not begin.
   */
  carryOut(
    to: Ref<'payment'>,
    command: () => Promise<Sent<'payment'> | undefined>,
    tell: (type: string, fields: object, unchanged?: Unchanged) => Promise<Sent<'payment'> | undefined>,
  ): Promise<Sent<'payment'> | undefined>
  /** Why the service can make no transfer on this chain; null when it can. */
  refusalOn(chainId: string): SendFailure<'WALLET_CONFIG_ERROR'> | null
  /** True when balances on this chain can be read. */
  isSeen(chainId: string): boolean
  /** Reads the balances of these wallets, as far as their chains can be reached, and sends them to the wallets. */
  observe(wallets: readonly Ref<'wallet'>[]): Promise<void>
  /** Whether the chain shows exactly this transfer, deep enough. Rejects when its node cannot be reached. */
  verify(claimed: ClaimedTransfer): Promise<TransferVerdict>
}

/** The principal of a command, and how its answer is recorded under an idempotency key. */
export interface Caller {
  principal: Principal
  /** For the audit log; undefined at the first start, where no request is behind the command. */
  requestId: string | undefined
  /** The answer's idempotency record, made of the finished attempt before its commit. */
  record?: (made: Actor, attempt: Pick<Attempt, 'actor' | 'sequence'>) => IdempotencyRecord | undefined
}
