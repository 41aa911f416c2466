// Nonces: one payment at a time signs for an address on a chain, and the next nonce is given out only when what was
// signed with the last one is on disk. So there is never a gap, whatever crashes in between.
import type { Actor } from '../actor/actor.js'
import type { ActorHost } from '../actor/host.js'
import { oneByOne } from '../actor/oneByOne.js'
import { SETTLEMENT } from '../domain/audit.js'
import type { Ref } from '../domain/gate.js'
import { derivedId } from '../domain/ids.js'
import { CustodyError } from './custody.js'

export interface Account {
  organization: string
  chainId: string
  address: string
}

/** The least nonce that can be used, where the account would give out `next`. */
export type Floor = (next: number) => Promise<number>

function accountRef({ chainId, address }: Account): Ref {
  return `account/${derivedId('account', chainId, address.toLowerCase())}`
}

export class Accounts {
  readonly #host: ActorHost
  readonly #now: () => number
  readonly #inTurn = oneByOne()

  constructor(host: ActorHost, now: () => number) {
    this.#host = host
    this.#now = now
  }

  /**
   * Gives `use` a nonce that no other payment gets unless nothing was stored as signed with it. It is at least what
   * `floor` says, which is told the nonce that would be next. Waits for the account's other payments.
   */
  signing<Result>(of: Account, payment: Ref, floor: Floor, use: (nonce: number) => Promise<Result>): Promise<Result> {
    const ref = accountRef(of)
    return this.#inTurn(ref, () => this.#sign(ref, of, payment, floor, use))
  }

  async #sign<Result>(
    ref: Ref,
    of: Account,
    payment: Ref,
    floor: Floor,
    use: (nonce: number) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#host.peek(ref)
    if (known && known.context['organization'] !== of.organization) {
      throw new CustodyError('WALLET_CONFIG_ERROR', `The service does not sign for ${of.address} in this organization`)
    }
    await this.#close(ref, known)
    const closed = this.#host.peek(ref)
    const least = await floor(Number(closed?.context['nonce'] ?? 0))
    const reply = await this.#tell(ref, of.organization, 'ALLOCATE', { ...of, payment, floor: least })
    if (!reply.ok) throw new Error(`${ref} gave no nonce to ${payment}`)
    try {
      return await use(Number(reply.actor.context['nonce']))
    } finally {
      await this.#close(ref, reply.actor)
    }
  }

  /** What became of the nonce that is given out: it is spent when a payment keeps something signed with it. */
  async #close(ref: Ref, account: Actor | undefined): Promise<void> {
    const holder = account?.context['holder'] as Ref | null | undefined
    if (!account || !holder) return
    const [payment] = await this.#host.read([holder])
    const isSpent = payment?.context['nonce'] === account.context['nonce']
    await this.#tell(ref, String(account.context['organization']), isSpent ? 'SPEND' : 'FREE', { payment: holder })
  }

  #tell(ref: Ref, organization: string, type: string, fields: object) {
    return this.#host.ask(ref, { ...fields, type, now: this.#now(), organization }, { by: SETTLEMENT })
  }
}
