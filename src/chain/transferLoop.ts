// Live settlement: finds payments that wait for the chain or a provider, runs one settlement step of a payment at a
// time, and updates wallets from their chains. It stores nothing itself: the store lists the waiting payments, so a
// restart resumes them.
import { walletTerms } from '../domain/payment/terms.js'
import { isSent } from '../domain/values/meta.js'
import type { Actor } from '../actor/actor.js'
import type { Reply } from '../actor/attempt.js'
import { deliverIf, Unavailable, type ActorHost, type Unchanged } from '../actor/host.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import { CHAINS, isRead, noNode } from '../domain/values/chains.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Log } from '../domain/values/log.js'
import type { OutsideCall, ClaimedTransfer, SendFailure, TransferVerdict } from '../domain/payment/settlement.js'
import type { Accounts } from './accounts.js'
import { authorizationOutcome, type AuthorizationParts } from './authorizations.js'
import { failureOf } from './failure.js'
import type { ChainNode } from './node.js'
import type { OutgoingWatch } from './outgoingWatch.js'
import { verify } from './receipts.js'
import { RoundRobin, type Queue, type Portion } from './roundRobin.js'
import type { MetaOf } from './preflight.js'
import { settlementMessage, type TransferSteps, type Tell } from './transferSteps.js'
import type { Watcher } from './watcher.js'

export interface TransferLoopParts {
  host: ActorHost
  settler: TransferSteps
  authorizations: AuthorizationParts
  accounts: Accounts
  watcher: Watcher
  outgoing: OutgoingWatch
  nodes: ReadonlyMap<string, ChainNode>
  /** What an actor's state says of its transfer. */
  metaOf: MetaOf
  /** At most `limit` payments of a list, the oldest first, from where the previous portion ended. */
  waiting: (queue: Queue, limit: number, after: string | undefined) => Portion
  now: () => number
  /** Ms for waits: unlike `now`, it is never set back. */
  elapsed: () => number
  log: Log
  /** Interval between looks at the lists (ms). */
  everyMs: number
}

/** Payments of one queue that are processed at a time. */
const MAX_ACTIVE = 64
const LONGEST_WAIT_MS = 15_000

export class TransferLoop {
  readonly #parts: TransferLoopParts
  /** Running work by payment. */
  readonly #running = new Map<Ref<'payment'>, Promise<unknown>>()
  /** Payments to retry later, with backoff: when to try again, and the wait before that. */
  readonly #retries = new Map<Ref<'payment'>, { at: number; waitMs: number }>()
  /** The head of the chain at the last look at a followed payment. */
  readonly #seen = new Map<Ref<'payment'>, bigint>()
  /** How many payments of each queue are being processed. */
  readonly #active = new Map<string, number>()
  /** Running looks, by queue. */
  readonly #looks = new Map<string, Promise<void>>()
  readonly #rota: RoundRobin
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: TransferLoopParts) {
    this.#parts = parts
    this.#rota = new RoundRobin(parts.waiting)
  }

  carryOut<Sent extends Reply<'payment'>>(
    to: Ref<'payment'>,
    command: () => Promise<Sent | undefined>,
    tell: (type: string, fields: object, unchanged?: Unchanged) => Promise<Sent | undefined>,
  ): Promise<Sent | undefined> {
    return this.#serialize(to, async () => {
      let reply = await command()
      if (!reply?.ok) return reply
      while (reply) {
        const { call, ...meta } = this.#parts.metaOf(reply.actor)
        if (call === undefined || call === 'lookupAuthorization' || isSent(meta)) return reply
        // What is signed is still sent, and found by the next start.
        if (this.#stopped && call === 'lookup') return reply
        const next: Sent | undefined = await this.#answer(reply.actor, call, ({ type, ...fields }, unchanged) =>
          tell(type, fields, unchanged),
        )
        if (next === undefined) return reply
        reply = next
      }
    })
  }

  /** Undefined, too, where the outcome of a transfer could not be found out: a later look retries it. */
  async #answer<Sent>(payment: Actor<'payment'>, call: OutsideCall, tell: Tell<Sent>): Promise<Sent | undefined> {
    try {
      return await this.#parts.settler.answer(payment, call, tell)
    } catch (error) {
      if (error instanceof Unavailable) throw error
      this.#parts.log('a transfer could not be followed', { payment: payment.ref, error: failureOf(error) })
      return undefined
    }
  }

  refusalOn(chainId: string): SendFailure<'WALLET_CONFIG_ERROR'> | null {
    if (this.#parts.nodes.has(chainId)) return null
    const message = !this.isSeen(chainId)
      ? 'The service sends nothing on Solana: pay from an EXTERNAL wallet through the approve and confirm flow'
      : noNode(chainId)
    return { code: 'WALLET_CONFIG_ERROR', message }
  }

  isSeen(chainId: string): boolean {
    return isRead(CHAINS[chainId]!.chainType)
  }

  observe(wallets: readonly Ref<'wallet'>[]): Promise<void> {
    return this.#parts.watcher.observe(wallets)
  }

  verify(claimed: ClaimedTransfer): Promise<TransferVerdict> {
    const node = this.#parts.nodes.get(claimed.chainId)
    if (!node) return Promise.resolve({ is: 'unread', reason: noNode(claimed.chainId) })
    return verify(node, claimed)
  }

  /** Looks at the lists, and at what leaves the wallets, until `stop`. */
  start(): void {
    this.#parts.outgoing.start()
    this.#repeat()
  }

  #repeat(): void {
    this.#round = this.#look().catch((error: unknown) =>
      this.#parts.log('settlement failed', { error: failureOf(error) }),
    )
    void this.#round.then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.#repeat(), this.#parts.everyMs)
    })
  }

  /** Signs nothing more; resolves when all running work has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#parts.accounts.close()
    clearTimeout(this.#timer)
    await this.#parts.outgoing.stop()
    await this.#round
    await Promise.allSettled(this.#looks.values())
    await Promise.allSettled(this.#running.values())
  }

  /** Starts a look at each queue without waiting for it: a slow queue delays no other. */
  async #look(): Promise<void> {
    const { refs, everybody } = this.#rota.next()
    if (everybody) this.#forget(everybody)
    const free = refs.filter((ref) => !this.#running.has(ref) && this.#isDue(ref))
    for (const [queue, payments] of this.#queuesOf(free.map((ref) => this.#peek(ref)))) {
      if (this.#looks.has(queue)) continue
      this.#looks.set(
        queue,
        this.#lookAt(queue, payments).finally(() => this.#looks.delete(queue)),
      )
    }
  }

  /** Undefined, too, for a damaged record: it keeps nobody else waiting. */
  #peek(ref: Ref<'payment'>): Actor<'payment'> | undefined {
    try {
      return this.#parts.host.peek(ref)
    } catch (error) {
      this.#retryLater(ref, error)
      return undefined
    }
  }

  async #lookAt(queue: string, payments: readonly Actor<'payment'>[]): Promise<void> {
    const head = this.#waitsForBlock(payments[0]!) ? await this.#headOf(payments[0]!) : undefined
    for (const payment of payments) {
      const active = this.#active.get(queue) ?? 0
      if (this.#stopped || active >= MAX_ACTIVE) return
      if (this.#running.has(payment.ref) || this.#isUnchanged(payment, head)) continue
      this.#active.set(queue, active + 1)
      void this.#serialize(payment.ref, () => this.#step(payment.ref)).finally(() => this.#finish(queue))
    }
  }

  #finish(queue: string): void {
    this.#active.set(queue, this.#active.get(queue)! - 1)
  }

  /** Runs one settlement step of a payment in its current state. */
  async #step(ref: Ref<'payment'>): Promise<void> {
    const { host, settler, metaOf, now } = this.#parts
    try {
      const [actor] = await host.read([ref])
      const call = actor && metaOf(actor).call
      if (!actor || !call) return
      const organization = actor.context.organization
      const tell: Tell<Reply> = (said, unchanged) =>
        deliverIf(host, SETTLEMENT, unchanged, ref, settlementMessage(said, now(), organization))
      const told = await (call === 'lookupAuthorization'
        ? this.#lookUpAuthorization(actor, tell)
        : settler.answer(actor, call, tell))
      // The new state may have work to do at once, without waiting for another block.
      if (told) this.#seen.delete(ref)
      if (told || this.#waitsForBlock(actor)) this.#retries.delete(ref)
      else this.#backOff(ref)
    } catch (error) {
      this.#retryLater(ref, error)
    }
  }

  async #lookUpAuthorization<Told>({ context }: Actor<'payment'>, tell: Tell<Told>): Promise<Told | undefined> {
    const message = await authorizationOutcome(this.#parts.authorizations, context)
    return message && tell(message)
  }

  #retryLater(ref: Ref<'payment'>, error: unknown): void {
    this.#backOff(ref)
    this.#parts.log('a transfer could not be followed', { payment: ref, error: failureOf(error) })
  }

  #backOff(ref: Ref<'payment'>): void {
    const waitMs = Math.min((this.#retries.get(ref)?.waitMs ?? this.#parts.everyMs) * 2, LONGEST_WAIT_MS)
    this.#seen.delete(ref)
    this.#retries.set(ref, { at: this.#parts.elapsed() + waitMs, waitMs })
  }

  #isDue(ref: Ref<'payment'>): boolean {
    return (this.#retries.get(ref)?.at ?? 0) <= this.#parts.elapsed()
  }

  /** The latest block of the payment's chain; undefined when its node cannot be asked. */
  async #headOf(payment: Actor<'payment'>): Promise<bigint | undefined> {
    return this.#parts.nodes
      .get(chainOf(payment))
      ?.head()
      .catch(() => undefined)
  }

  /** True for a payment that waits for a block, and whose chain has none since the last look. */
  #isUnchanged(payment: Actor<'payment'>, head: bigint | undefined): boolean {
    if (!this.#waitsForBlock(payment)) return false
    if (head === undefined || this.#seen.get(payment.ref) === head) return true
    this.#seen.set(payment.ref, head)
    return false
  }

  /** Forgets payments that no longer wait. */
  #forget(waiting: ReadonlySet<Ref>): void {
    for (const kept of [this.#retries, this.#seen]) {
      for (const ref of kept.keys()) if (!waiting.has(ref)) kept.delete(ref)
    }
  }

  #waitsForBlock(payment: Actor<'payment'>): boolean {
    return this.#queueOf(payment) !== 'calls'
  }

  #queueOf(payment: Actor<'payment'>): 'followed' | 'authorized' | 'calls' {
    const meta = this.#parts.metaOf(payment)
    if (isSent(meta)) return 'followed'
    return meta.call === 'lookupAuthorization' ? 'authorized' : 'calls'
  }

  /** Groups payments into queues of each chain: to be sent, authorized by x402, and followed to confirmation. */
  #queuesOf(payments: readonly (Actor<'payment'> | undefined)[]): Map<string, Actor<'payment'>[]> {
    const queues = new Map<string, Actor<'payment'>[]>()
    for (const payment of payments) {
      if (!payment) continue
      const name = `${this.#queueOf(payment)} ${chainOf(payment)}`
      const queue = queues.get(name)
      if (queue) queue.push(payment)
      else queues.set(name, [payment])
    }
    return queues
  }

  /** Serializes work on a payment. */
  #serialize<Result>(ref: Ref<'payment'>, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#running.get(ref) ?? Promise.resolve()).then(work)
    const ended = result.then(ignore, ignore)
    this.#running.set(ref, ended)
    void ended.then(() => {
      if (this.#running.get(ref) === ended) this.#running.delete(ref)
    })
    return result
  }
}

function chainOf(payment: Actor<'payment'>): string {
  return walletTerms(payment.context.terms).wallet.chainId
}

function ignore(): void {}
