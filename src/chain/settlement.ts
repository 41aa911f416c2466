// Live settlement: finds the payments that wait for the outside world, has each answered by one at a time, and tells
// wallets what their chains say. Which payments those are is in the store's lists; after a crash it simply begins again.
import type { Actor } from '../actor/actor.js'
import { Unavailable, type ActorHost, type Holds, type Reply } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import type { Call, ClaimedTransfer, NotMade, Verdict } from '../domain/settlement.js'
import type { ChainNode } from './node.js'
import { verify } from './receipts.js'
import { messageOf, noNode, type Settler, type Tell } from './settler.js'
import type { Watcher } from './watcher.js'

export interface SettlementParts {
  host: ActorHost
  settler: Settler
  watcher: Watcher
  nodes: ReadonlyMap<string, ChainNode>
  /** What an actor's state asks the outside world. */
  callOf: (actor: Actor) => Call | undefined
  /** Payments to be sent (`calls`) or followed (`followed`), the oldest first. */
  waiting: (list: 'calls' | 'followed', limit: number) => Ref[]
  now: () => number
  log: (event: string, fields: { [name: string]: unknown }) => void
  /** How often the lists are looked at (ms). */
  everyMs: number
}

const ALWAYS: Holds = () => true
const BY = { by: { type: 'SYSTEM', id: 'settlement' } }
const AT_ONCE = 1_000
const AT_WORK = 64
const LONGEST_WAIT_MS = 15_000

export class Settlement {
  readonly #parts: SettlementParts
  /** Who is at work on a payment. */
  readonly #busy = new Map<Ref, Promise<unknown>>()
  /** Payments of which nothing could be learnt lately: when to ask again, and how long it was waited last. */
  readonly #later = new Map<Ref, { at: number; waitMs: number }>()
  /** The block after which a followed payment was looked at last. */
  readonly #seen = new Map<Ref, bigint>()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: SettlementParts) {
    this.#parts = parts
  }

  carryOut(
    to: Ref,
    command: () => Promise<Reply | undefined>,
    tell: (type: string, fields: object, holds?: Holds) => Promise<Reply | undefined>,
  ): Promise<Reply | undefined> {
    return this.#alone(to, async () => {
      let reply = await command()
      while (reply) {
        const call = this.#parts.callOf(reply.actor)
        if (call === undefined || !reply.actor.state.startsWith('transferring.')) return reply
        const next = await this.#answer(reply.actor, call, ({ type, ...fields }, holds) => tell(type, fields, holds))
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
      this.#parts.log('a transfer could not be followed', { payment: payment.ref, error })
      return undefined
    }
  }

  refusalOn(chainId: string): NotMade | null {
    if (this.#parts.nodes.has(chainId)) return null
    const message = chainId.startsWith('solana')
      ? 'The service sends nothing on Solana: pay from an EXTERNAL wallet through the approve and confirm flow'
      : noNode(chainId)
    return { code: 'WALLET_CONFIG_ERROR', message }
  }

  isSeen(chainId: string): boolean {
    return !chainId.startsWith('solana')
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
    this.#round = this.#look().catch((error: unknown) => this.#parts.log('settlement failed', { error }))
    void this.#round.then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.start(), this.#parts.everyMs)
    })
  }

  /** Resolves when nobody is at work any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#round
    await Promise.allSettled(this.#busy.values())
  }

  async #look(): Promise<void> {
    const { waiting, host } = this.#parts
    const sending = waiting('calls', AT_ONCE)
    const followed = waiting('followed', AT_ONCE)
    this.#forget(new Set([...sending, ...followed]))
    const free = [...sending, ...followed].filter((ref) => !this.#busy.has(ref) && this.#isDue(ref))
    const actors = await host.peek(free)
    const heads = await this.#heads(actors)
    for (const actor of actors) {
      if (this.#busy.size >= AT_WORK) return
      if (!actor || this.#busy.has(actor.ref) || this.#isUnchanged(actor, heads)) continue
      void this.#alone(actor.ref, () => this.#attend(actor.ref))
    }
  }

  /** One step of one payment, as it is now. */
  async #attend(ref: Ref): Promise<void> {
    const { host, settler, callOf, now, log } = this.#parts
    const [actor] = await host.read([ref])
    const call = actor && callOf(actor)
    if (!actor || !call) return
    const organization = String(actor.context['organization'])
    const tell: Tell<Reply> = (said, holds = ALWAYS) =>
      host.askWhile(ref, messageOf(said, now(), organization), BY, holds)
    try {
      const told = await settler.answer(actor, call, tell)
      // Where it is now it may have something to do at once, without waiting for another block.
      if (told) this.#seen.delete(ref)
      if (told || actor.state.startsWith('transferred.')) this.#later.delete(ref)
      else this.#wait(ref)
    } catch (error) {
      this.#wait(ref)
      log('a transfer could not be followed', { payment: ref, error })
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

  /** The latest blocks of the chains on which somebody is followed. */
  async #heads(actors: readonly (Actor | undefined)[]): Promise<Map<string, bigint>> {
    const chains = new Set(actors.map((actor) => (actor ? chainOf(actor) : '')))
    const heads = new Map<string, bigint>()
    for (const chain of chains) {
      const head = await this.#parts.nodes.get(chain)?.head().catch(() => undefined)
      if (head !== undefined) heads.set(chain, head)
    }
    return heads
  }

  /** Nothing can have become of a followed payment since it was looked at: there is no newer block. */
  #isUnchanged(actor: Actor, heads: Map<string, bigint>): boolean {
    if (!actor.state.startsWith('transferred.')) return false
    const head = heads.get(chainOf(actor))
    if (head === undefined || this.#seen.get(actor.ref) === head) return true
    this.#seen.set(actor.ref, head)
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

function ignore(): void {}
