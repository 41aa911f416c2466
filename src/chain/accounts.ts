// Allocates nonces: one payment at a time signs for an address on a chain, and the next nonce is given out only when
// the transaction signed with the last one is on disk. INVARIANT: nonces have no gaps, even after a crash.
import type { Actor } from '../actor/actor.js'
import { deliver, type ActorHost } from '../actor/host.js'
import { keyedMutex } from '../async/keyedMutex.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import { derivedId } from '../domain/values/ids.js'
import { CustodyError } from './custody.js'

export interface Account {
  organization: string
  chainId: string
  address: string
}

/** The lowest usable nonce, given the account's `next`. */
export type Floor = (next: number) => Promise<number>

/** Each organization has its own: what another only tries at the address leaves nothing behind. */
function accountRef({ organization, chainId, address }: Account): Ref<'account'> {
  return `account/${derivedId('account', organization, chainId, address.toLowerCase())}`
}

export class Accounts {
  readonly #host: ActorHost
  readonly #now: () => number
  readonly #inTurn = keyedMutex()
  #isClosed = false

  constructor(host: ActorHost, now: () => number) {
    this.#host = host
    this.#now = now
  }

  /**
   * Calls `use` with a nonce of at least `floor(next)`. Another payment gets the same nonce only if nothing signed with
   * it was stored. Payments of one account run one at a time.
   */
  signing<Result>(
    of: Account,
    payment: Ref<'payment'>,
    floor: Floor,
    use: (nonce: number) => Promise<Result>,
  ): Promise<Result> {
    const ref = accountRef(of)
    return this.#inTurn(ref, () => this.#sign(ref, of, payment, floor, use))
  }

  /** From now on nothing begins to be signed: whatever waits its turn is rejected, and may be asked for again. */
  close(): void {
    this.#isClosed = true
  }

  async #sign<Result>(
    ref: Ref<'account'>,
    of: Account,
    payment: Ref<'payment'>,
    floor: Floor,
    use: (nonce: number) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw new CustodyError('UNAVAILABLE', 'The service stops, and signs nothing more: try again')
    await this.#close(ref, this.#host.peek(ref))
    const closed = this.#host.peek(ref)
    const least = await floor(closed?.context.nonce ?? 0)
    const reply = await this.#tell(ref, of.organization, 'ALLOCATE', { ...of, payment, floor: least })
    if (!reply.ok) throw new Error(`${ref} gave no nonce to ${payment}`)
    try {
      return await use(reply.actor.context.nonce)
    } finally {
      await this.#close(ref, reply.actor)
    }
  }

  /** Closes an open allocation: the nonce is spent if its payment stored a signed transaction, else free again. */
  async #close(ref: Ref<'account'>, account: Actor<'account'> | undefined): Promise<void> {
    if (!account) return
    const { holder, nonce, organization } = account.context
    if (holder === null) return
    const [payment] = await this.#host.read([holder])
    const isSpent = payment?.context.nonce === nonce
    await this.#tell(ref, organization, isSpent ? 'SPEND' : 'FREE', { payment: holder })
  }

  #tell(ref: Ref<'account'>, organization: string, type: string, fields: object) {
    return deliver(this.#host, SETTLEMENT, ref, { ...fields, type, now: this.#now(), organization })
  }
}
