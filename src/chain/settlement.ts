// Live settlement: finds the payments that wait for the outside world, has each answered by one at a time, and tells
// wallets what their chains say. Which payments those are is in the store's lists; after a crash it simply begins again.
import type { Actor } from '../actor/actor.js'
import { Unavailable, type ActorHost, type Reply, type StillValid } from '../actor/host.js'
import { SETTLEMENT } from '../domain/audit.js'
import { CHAINS, isRead } from '../domain/chains.js'
import type { Ref } from '../domain/gate.js'
import type { Log } from '../domain/log.js'
import type { Call, ClaimedTransfer, NotMade, Verdict } from '../domain/settlement.js'
import { failureOf } from './failure.js'
import type { ChainNode } from './node.js'
import { verify } from './receipts.js'
import { Rota, type List, type Portion } from './rota.js'
import { messageOf, noNode, type Settler, type Tell } from './settler.js'
import type { Watcher } from './watcher.js'

export interface SettlementParts {
  host: ActorHost
  settler: Settler
  watcher: Watcher
  nodes: ReadonlyMap<string, ChainNode>
  /** What an actor's state asks the outside world. */
  callOf: (actor: Actor) => Call | undefined
  /** So many of a list, the oldest first, from where the portion before ended. */
  waiting: (list: List, limit: number, after: string | undefined) => Portion
  now: () => number
  log: Log
  /** How often the lists are looked at (ms). */
  everyMs: number
}

const ALWAYS: StillValid = () => true
/** So many payments of a queue are worked on at a time. */
const PLACES = 64
const LONGEST_WAIT_MS = 15_000

export class Settlement {
  readonly #parts: SettlementParts
  /** Who is at work on a payment. */
  readonly #busy = new Map<Ref, Promise<unknown>>()
  /** Payments of which nothing could be learnt lately: when to ask again, and how long it was waited last. */
  readonly #later = new Map<Ref, { at: number; waitMs: number }>()
  /** The block after which a followed payment was looked at last. */
  readonly #seen = new Map<Ref, bigint>()
  /** The payments of each queue that are worked on. */
  readonly #atWork = new Map<string, number>()
  /** Queues that are looked at now. */
  readonly #looks = new Map<string, Promise<void>>()
  readonly #rota: Rota
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: SettlementParts) {
    this.#parts = parts
    this.#rota = new Rota(parts.waiting)
  }

  carryOut(
    to: Ref,
    command: () => Promise<Reply | undefined>,
    tell: (type: string, fields: object, stillValid?: StillValid) => Promise<Reply | undefined>,
  ): Promise<Reply | undefined> {
    return this.#alone(to, async () => {
      let reply = await command()
      while (reply) {
        const call = this.#parts.callOf(reply.actor)
        if (call === undefined || !reply.actor.state.startsWith('transferring.')) return reply
        const next = await this.#answer(reply.actor, call, ({ type, ...fields }, stillValid) =>
          tell(type, fields, stillValid),
        )
        if (next === undefined) return reply
        reply = next
      }
    })
  }

  /** Undefined, too, where it could not be found out what became of a transfer: somebody will ask again. */
  async #answer(payment: Actor, call: Call, tell: Tell<Reply>): Promise<Reply | undefined> {
    try {
      return await this.#parts.settler.answer(payment, call, tell)
    } catch (error) {
      if (error instanceof Unavailable) throw error
      this.#parts.log('a transfer could not be followed', { payment: payment.ref, error: failureOf(error) })
      return undefined
    }
  }

  refusalOn(chainId: string): NotMade | null {
    if (this.#parts.nodes.has(chainId)) return null
    const message = !this.isSeen(chainId)
      ? 'The service sends nothing on Solana: pay from an EXTERNAL wallet through the approve and confirm flow'
      : noNode(chainId)
    return { code: 'WALLET_CONFIG_ERROR', message }
  }

  isSeen(chainId: string): boolean {
    return isRead(CHAINS[chainId]!.chainType)
  }

  observe(wallets: readonly Ref[]): Promise<void> {
    return this.#parts.watcher.observe(wallets)
  }

  verify(claimed: ClaimedTransfer): Promise<Verdict> {
    const node = this.#parts.nodes.get(claimed.chainId)
    if (!node) return Promise.resolve({ is: 'wrong', reason: noNode(claimed.chainId) })
    return verify(node, claimed)
  }

  /** Looks at the lists until `stop`. */
  start(): void {
    this.#round = this.#look().catch((error: unknown) => this.#parts.log('settlement failed', { error: failureOf(error) }))
    void this.#round.then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.start(), this.#parts.everyMs)
    })
  }

  /** Resolves when nobody is at work any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#round
    await Promise.allSettled(this.#looks.values())
    await Promise.allSettled(this.#busy.values())
  }

  /** What is done about one queue keeps no other waiting. */
  async #look(): Promise<void> {
    const { refs, everybody } = this.#rota.next()
    if (everybody) this.#forget(everybody)
    const free = refs.filter((ref) => !this.#busy.has(ref) && this.#isDue(ref))
    const actors = free.map((ref) => this.#parts.host.peek(ref))
    for (const [queue, payments] of queuesOf(actors)) {
      if (this.#looks.has(queue)) continue
      this.#looks.set(queue, this.#lookAt(queue, payments).finally(() => this.#looks.delete(queue)))
    }
  }

  async #lookAt(queue: string, payments: readonly Actor[]): Promise<void> {
    const head = isFollowed(payments[0]!) ? await this.#headOf(payments[0]!) : undefined
    for (const payment of payments) {
      const atWork = this.#atWork.get(queue) ?? 0
      if (this.#stopped || atWork >= PLACES) return
      if (this.#busy.has(payment.ref) || this.#isUnchanged(payment, head)) continue
      this.#atWork.set(queue, atWork + 1)
      void this.#alone(payment.ref, () => this.#attend(payment.ref)).finally(() => this.#leave(queue))
    }
  }

  #leave(queue: string): void {
    this.#atWork.set(queue, this.#atWork.get(queue)! - 1)
  }

  /** One step of one payment, as it is now. */
  async #attend(ref: Ref): Promise<void> {
    const { host, settler, callOf, now, log } = this.#parts
    const [actor] = await host.read([ref])
    const call = actor && callOf(actor)
    if (!actor || !call) return
    const organization = String(actor.context['organization'])
    const tell: Tell<Reply> = (said, stillValid = ALWAYS) =>
      host.askWhile(ref, messageOf(said, now(), organization), { by: SETTLEMENT }, stillValid)
    try {
      const told = await settler.answer(actor, call, tell)
      // Where it is now it may have something to do at once, without waiting for another block.
      if (told) this.#seen.delete(ref)
      if (told || isFollowed(actor)) this.#later.delete(ref)
      else this.#wait(ref)
    } catch (error) {
      this.#wait(ref)
      log('a transfer could not be followed', { payment: ref, error: failureOf(error) })
    }
  }

  #wait(ref: Ref): void {
    const waitMs = Math.min((this.#later.get(ref)?.waitMs ?? this.#parts.everyMs) * 2, LONGEST_WAIT_MS)
    this.#seen.delete(ref)
    this.#later.set(ref, { at: this.#parts.now() + waitMs, waitMs })
  }

  #isDue(ref: Ref): boolean {
    return (this.#later.get(ref)?.at ?? 0) <= this.#parts.now()
  }

  /** The latest block of the payment's chain, if it tells. */
  async #headOf(payment: Actor): Promise<bigint | undefined> {
    return this.#parts.nodes.get(chainOf(payment))?.head().catch(() => undefined)
  }

  /** Nothing can have become of a followed payment since it was looked at: there is no newer block. */
  #isUnchanged(payment: Actor, head: bigint | undefined): boolean {
    if (!isFollowed(payment)) return false
    if (head === undefined || this.#seen.get(payment.ref) === head) return true
    this.#seen.set(payment.ref, head)
    return false
  }

  /** Keeps nothing of payments that are no longer waited for. */
  #forget(waiting: ReadonlySet<Ref>): void {
    for (const kept of [this.#later, this.#seen]) {
      for (const ref of kept.keys()) if (!waiting.has(ref)) kept.delete(ref)
    }
  }

  /** Works on a payment when everybody who is at work on it has ended. */
  #alone<Result>(ref: Ref, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#busy.get(ref) ?? Promise.resolve()).then(work)
    const ended = result.then(ignore, ignore)
    this.#busy.set(ref, ended)
    void ended.then(() => {
      if (this.#busy.get(ref) === ended) this.#busy.delete(ref)
    })
    return result
  }
}

function chainOf(payment: Actor): string {
  return (payment.context['terms'] as { wallet: { chainId: string } }).wallet.chainId
}

function isFollowed({ state }: Actor): boolean {
  return state.startsWith('transferred.')
}

/** Payments of one chain that wait to be sent are a queue, and so are those that are followed there. */
function queuesOf(payments: readonly (Actor | undefined)[]): Map<string, Actor[]> {
  const queues = new Map<string, Actor[]>()
  for (const payment of payments) {
    if (!payment) continue
    const name = `${isFollowed(payment) ? 'followed' : 'calls'} ${chainOf(payment)}`
    const queue = queues.get(name)
    if (queue) queue.push(payment)
    else queues.set(name, [payment])
  }
  return queues
}

function ignore(): void {}
