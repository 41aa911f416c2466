// Watches the token's transfers out of the organizations' wallets, and records those that no payment explains. It looks
// through every block at confirmation depth once, from a block that is stored with what was found up to there, so that
// neither an outage nor a restart hides a transfer; what a reorganization moved is looked at again for some blocks. It
// sends nothing and stops nothing.
import { deliver } from '../actor/host.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import { enforcementOf, type WalletFields } from '../domain/parties/wallet.js'
import {
  judged,
  mayBeMade,
  ungovernedKey,
  watchOf,
  type Judgement,
  type OutgoingTransfer,
  type SeenTransfer,
  type WaitingTransfer,
} from '../domain/payment/outgoing.js'
import { asJson } from '../domain/values/canonical.js'
import type { Log } from '../domain/values/log.js'
import { permanentKey } from '../domain/values/uniqueKeys.js'
import { failureOf } from './failure.js'
import { firstBlockSince } from './firstBlock.js'
import { LogPages } from './logPages.js'
import type { ChainNode, TransferLog } from './node.js'
import { PossiblePayments, type PossiblePaymentsParts } from './possiblePayments.js'
import { authorizationOf, CLOCKS_DIFFER_MS } from './receipts.js'

export interface OutgoingWatchParts extends PossiblePaymentsParts {
  nodes: ReadonlyMap<string, ChainNode>
  /** Every wallet, by organization. */
  wallets: () => Iterable<readonly Ref<'wallet'>[]>
  now: () => number
  log: Log
  /** Pause between two rounds (ms). */
  everyMs: (chainId: string) => number
}

/** The fields of a watch that are read here. */
interface Stored {
  from: number
  to: number
  waiting: WaitingTransfer[]
}

/** A wallet, and how far its transfers have been looked through. */
interface Watched extends Stored {
  walletId: string
  organization: string
  fields: WalletFields
  /** The block that is stored. */
  stored: number
}

/** Addresses that a node is asked for at once. */
const BATCH = 100
/** Pages of a round: a chain with much to catch up on pauses in between. */
const PAGES = 20
/** Refusals of a round before the node counts as unable to answer. */
const REFUSALS = 4
/** Blocks that are looked through again, as long as a confirmed transfer is watched for reorganizations. */
const AGAIN = 10
/** Where nothing is found, the block is stored only so often: a restart looks through so many again. */
const STORED_EVERY = 1_000
/** Transfers of one commit. */
const COMMIT = 100
/** How far back a wallet is looked at that was created before there was a watch (ms). */
const LOOK_BACK_MS = 24 * 60 * 60_000

export class OutgoingWatch {
  readonly #parts: OutgoingWatchParts
  readonly #watched = new Map<Ref<'wallet'>, Watched>()
  readonly #payments: PossiblePayments
  /** Of every wallet. */
  readonly #chains = new Map<Ref<'wallet'>, string>()
  readonly #pages = new Map<ChainNode, LogPages>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #rounds = new Map<string, Promise<void>>()
  /** The last error logged of each chain, until it answers again. */
  readonly #logged = new Map<string, string>()
  #stopped = false

  constructor(parts: OutgoingWatchParts) {
    this.#parts = parts
    this.#payments = new PossiblePayments(parts)
  }

  /** Each chain goes on by itself: one that does not answer keeps no other waiting. */
  start(): void {
    for (const [chainId, node] of this.#parts.nodes) this.#repeat(chainId, node)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#rounds.values())
  }

  #repeat(chainId: string, node: ChainNode): void {
    const round = this.#round(chainId, node).then(
      () => void this.#logged.delete(chainId),
      (error: unknown) => this.#logOnce(chainId, failureOf(error)),
    )
    this.#rounds.set(chainId, round)
    void round.then(() => {
      if (this.#stopped) return
      const again = (): void => this.#repeat(chainId, node)
      this.#timers.set(chainId, setTimeout(again, this.#parts.everyMs(chainId)))
    })
  }

  #logOnce(chainId: string, error: string): void {
    if (this.#logged.get(chainId) === error) return
    this.#logged.set(chainId, error)
    this.#parts.log('the transfers of a chain cannot be looked through', { chainId, error })
  }

  async #round(chainId: string, node: ChainNode): Promise<void> {
    const refs = this.#walletsOn(chainId)
    if (refs.length === 0) return
    await node.checkChain()
    const deep = Number(await node.deepBlock())
    await this.#begin(node, refs)
    const wallets = refs.map((ref) => this.#watched.get(ref)!)
    for (const wallet of wallets) if (wallet.waiting.length > 0) await this.#settle(node, wallet, [], wallet.to)
    for (let page = 0; page < PAGES && !this.#stopped; page += 1) {
      const behind = wallets.filter(({ to }) => to < deep).sort((a, b) => a.to - b.to)
      if (behind.length === 0) return
      await this.#page(node, behind.slice(0, BATCH), deep)
    }
  }

  /** Forgets wallets that are gone. */
  #walletsOn(chainId: string): Ref<'wallet'>[] {
    const all = new Set([...this.#parts.wallets()].flat())
    for (const kept of [this.#watched, this.#chains]) for (const ref of kept.keys()) if (!all.has(ref)) kept.delete(ref)
    return [...all].filter((ref) => this.#chainOf(ref) === chainId)
  }

  #chainOf(ref: Ref<'wallet'>): string | undefined {
    const known = this.#chains.get(ref)
    if (known !== undefined) return known
    const actor = this.#parts.host.peek(ref)
    if (!actor) return undefined
    const { chainId } = actor.context.fields
    this.#chains.set(ref, chainId)
    return chainId
  }

  /** A wallet is watched from its creation, so far as that is not long ago. */
  async #begin(node: ChainNode, refs: readonly Ref<'wallet'>[]): Promise<void> {
    const { host, now } = this.#parts
    const firsts = new Map<number, number>()
    const oldest = now() - LOOK_BACK_MS
    for (const ref of refs) {
      if (this.#watched.has(ref)) continue
      const { id: walletId, organization, fields, createdAt } = host.peek(ref)!.context
      if (!host.peek(watchOf(walletId))) {
        const since = Math.max(wholeSecond(createdAt), oldest)
        const from = firsts.get(since) ?? (await firstBlockSince(node, since))
        firsts.set(since, from)
        await deliver(host, SETTLEMENT, watchOf(walletId), { type: 'WATCH', now: now(), organization, walletId, from })
      }
      const { from, to, waiting } = host.peek(watchOf(walletId))!.context
      this.#watched.set(ref, { walletId, organization, fields, from, to, stored: to, waiting })
    }
  }

  /** Looks through some blocks for wallets of which none has been looked through further than the next ones. */
  async #page(node: ChainNode, wallets: readonly Watched[], deep: number): Promise<void> {
    const { logs, to, again } = await this.#logs(node, wallets, deep)
    for (const wallet of wallets) {
      if (wallet.to >= to) continue
      const own = logs.filter((log) => isFrom(log, wallet) && log.block >= startOf(wallet, again))
      await this.#settle(node, wallet, own, to)
    }
  }

  async #logs(node: ChainNode, wallets: readonly Watched[], deep: number) {
    const pages = this.#pages.get(node) ?? new LogPages()
    this.#pages.set(node, pages)
    const addresses = [...new Set(wallets.map(({ fields }) => fields.address))]
    for (let refusals = 0; ; refusals += 1) {
      const again = Math.min(AGAIN, Math.floor(pages.blocks / 2))
      const from = Math.min(...wallets.map((wallet) => startOf(wallet, again)))
      const to = Math.min(from + pages.blocks - 1, deep)
      try {
        const logs = await node.transfersFrom(addresses, from, to)
        pages.answered()
        return { logs, to, again }
      } catch (error) {
        pages.refused()
        if (refusals === REFUSALS) throw error
      }
    }
  }

  /** Judges what was seen up to a block, and what waits, and commits what follows from it. */
  async #settle(node: ChainNode, wallet: Watched, logs: readonly TransferLog[], to: number): Promise<void> {
    const seen = await this.#unexplained(node, wallet, logs)
    const open = seen.length > 0 ? await this.#payments.open(wallet.walletId) : []
    const { organization } = wallet
    const enforcement = enforcementOf(wallet.fields.custodyType)
    // Nothing is awaited from here to the commit: a payment that is confirmed meanwhile comes before or after.
    const made = judged(wallet.waiting, seen, {
      withHash: (txHash) => this.#payments.withHash(organization, txHash),
      withNonce: (nonce) => this.#payments.withNonce(organization, nonce),
      payment: (id) => this.#payments.of(`payment/${id}`),
      open: open.flatMap((ref) => this.#payments.of(ref) ?? []).filter((one) => mayBeMade(one, enforcement)),
      enforcement,
    })
    if (isSame(made, wallet) && to - wallet.stored < STORED_EVERY) wallet.to = Math.max(wallet.to, to)
    else await this.#record(wallet, made, to)
  }

  /** Those that neither are known already nor have a payment with their hash. */
  async #unexplained(node: ChainNode, wallet: Watched, logs: readonly TransferLog[]): Promise<SeenTransfer[]> {
    const waiting = new Set(wallet.waiting.map(ungovernedKey))
    const seen: SeenTransfer[] = []
    for (const { transfer, blockHash } of transfersOf(wallet, logs)) {
      const key = ungovernedKey(transfer)
      if (waiting.has(key) || this.#parts.host.keyOwner(permanentKey(key)) !== undefined) continue
      const isPaid = this.#payments.withHash(wallet.organization, transfer.txHash) !== undefined
      const askedBefore = isPaid ? 0 : (await node.timeOf(blockHash)) + CLOCKS_DIFFER_MS
      const nonce = isPaid ? undefined : await nonceIn(node, wallet, transfer)
      seen.push({ ...transfer, askedBefore, ...(nonce !== undefined && { nonce }) })
    }
    return seen
  }

  /** INVARIANT: the stored block advances only in the commit of all that was found up to it. */
  async #record(wallet: Watched, { waiting, found }: Judgement, to: number): Promise<void> {
    for (let first = 0; ; first += COMMIT) {
      const some = found.slice(first, first + COMMIT)
      const isLast = first + COMMIT >= found.length
      const done = isLast ? { to, waiting } : { to: wallet.stored, waiting: wallet.waiting }
      await this.#commit(wallet, some, done)
      if (isLast) break
    }
    wallet.waiting = waiting
    wallet.to = wallet.stored = Math.max(wallet.to, to)
  }

  #commit(
    { walletId, organization }: Watched,
    found: OutgoingTransfer[],
    done: { to: number; waiting: WaitingTransfer[] },
  ): Promise<void> {
    const { host, now } = this.#parts
    const attempt = host.attempt(SETTLEMENT)!
    const told = found.length > 0 ? { type: 'FIND', found: asJson(found) } : { type: 'ADVANCE' }
    attempt.send(watchOf(walletId), { ...told, ...asJson(done), now: now(), organization })
    for (const transfer of found) {
      attempt.take(permanentKey(ungovernedKey(transfer)), { owner: watchOf(walletId), organization })
    }
    return attempt.commit()
  }
}

/** Blocks name their time in seconds: one of the second of the creation can come after it. */
function wholeSecond(time: number): number {
  return Math.floor(time / 1_000) * 1_000
}

/** Of the authorization by which the transfer was made. */
async function nonceIn(node: ChainNode, { fields }: Watched, transfer: OutgoingTransfer): Promise<string | undefined> {
  const receipt = await node.receipt(transfer.txHash)
  return receipt && authorizationOf(receipt, { asset: node.asset, from: fields.address, logIndex: transfer.logIndex })
}

/** The first block to look through, with so many again. */
function startOf({ from, to }: Watched, again: number): number {
  return Math.max(from, to + 1 - again)
}

function isFrom({ from }: TransferLog, { fields }: Watched): boolean {
  return from.toLowerCase() === fields.address.toLowerCase()
}

/** Without those that move nothing: anybody can make a token log a transfer of 0 from any address. */
function transfersOf({ walletId }: Watched, logs: readonly TransferLog[]) {
  const places = new Map<string, number>()
  const sorted = [...logs].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  return sorted.flatMap(({ from, blockHash, ...log }) => {
    if (log.amount === 0 || log.to.toLowerCase() === from.toLowerCase()) return []
    const place = places.get(log.txHash) ?? 0
    places.set(log.txHash, place + 1)
    return [{ transfer: { walletId, place, ...log }, blockHash }]
  })
}

function isSame({ waiting, found }: Judgement, before: Watched): boolean {
  return (
    found.length === 0 &&
    waiting.length === before.waiting.length &&
    waiting.every((one, at) => one === before.waiting[at])
  )
}
