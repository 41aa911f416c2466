// Reads wallets' balances from their chains and tells the wallets: the token's balance at confirmation depth, and
// whether the chain's own coin covers network fees that the wallet pays. A node that does not answer leaves wallets
// unchanged.
import type { Actor } from '../actor/actor.js'
import { deliver, type ActorHost } from '../actor/host.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import type { Log } from '../domain/values/log.js'
import type { CustodyType } from '../domain/parties/wallet.js'
import type { Funds } from '../domain/limits/funds.js'
import type { Micros } from '../domain/values/money.js'
import { failureOf } from './failure.js'
import type { ChainNode } from './node.js'
import { lowGas } from './transfer.js'

const TIMEOUT_MS = 3_000
/** Pause before a node that did not answer is asked for balances again. */
const PAUSE_MS = 3_000

export interface WatcherParts {
  host: ActorHost
  /** By chain id. */
  nodes: ReadonlyMap<string, ChainNode>
  /** True when the service builds the transactions of such wallets: they pay the network fees themselves. */
  isBuiltHere: (custodyType: CustodyType) => boolean
  now: () => number
  /** Ms for waits: unlike `now`, it is never set back. */
  elapsed: () => number
  log: Log
}

export class Watcher {
  readonly #parts: WatcherParts
  readonly #looks = new BoundedCache<Ref, { head: bigint; done: Promise<void> }>(10_000)
  readonly #pausedUntil = new Map<string, number>()
  /** The last error logged for each chain without balances, until it answers again. */
  readonly #logged = new Map<string, string>()

  constructor(parts: WatcherParts) {
    this.#parts = parts
  }

  async observe(wallets: readonly Ref<'wallet'>[]): Promise<void> {
    const actors = wallets.map((ref) => this.#parts.host.peek(ref))
    const looks = Promise.all(actors.map((actor) => actor && this.#observe(actor)))
    await Promise.race([looks, timeout()])
  }

  async #observe(actor: Actor<'wallet'>): Promise<void> {
    const { chainId } = actor.context.fields
    const node = this.#parts.nodes.get(chainId)
    if (!node || (this.#pausedUntil.get(chainId) ?? 0) > this.#parts.elapsed()) return
    try {
      const head = await node.head()
      const last = this.#looks.get(actor.ref)
      if (last?.head === head) return await last.done
      const done = this.#look(actor, node)
      this.#looks.set(actor.ref, { head, done })
      await done
      this.#logged.delete(chainId)
    } catch (failure) {
      this.#looks.delete(actor.ref)
      this.#logOnce(chainId, failureOf(failure))
      this.#pausedUntil.set(chainId, this.#parts.elapsed() + PAUSE_MS)
    }
  }

  #logOnce(chainId: string, error: string): void {
    if (this.#logged.get(chainId) === error) return
    this.#logged.set(chainId, error)
    this.#parts.log('the balances of a chain cannot be read', { chainId, error })
  }

  async #look({ ref, context }: Actor<'wallet'>, node: ChainNode): Promise<void> {
    const { organization, fields, lowGas: before, ...funds } = context
    await node.check()
    const { token: balance, coin, block } = await node.balances(fields.address)
    const cost = this.#parts.isBuiltHere(fields.custodyType) ? await node.usualCost() : 0n
    const low = coin < cost ? lowGas(coin, cost) : null
    if (isKnown(funds, balance) && (before === null) === (low === null)) return
    const said = { type: 'OBSERVE', now: this.#parts.now(), organization, balance, block, lowGas: low }
    await deliver(this.#parts.host, SETTLEMENT, ref, said)
  }
}

/** False, too, once test settlement has changed the balance: it no longer follows from the reading. */
function isKnown({ balance, unsettled, observed }: Funds, read: Micros): boolean {
  return observed?.balance === read && balance === read - unsettled
}

function timeout(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS).unref())
}
