// What must be true of payments on a chain: each is made once or not at all, and is called what the chain shows.
import type { PaymentContext } from '../../../machines/payment/chart.js'
import { isOf, kindOf, type Actor } from '../../../src/actor/actor.js'
import type { Change } from '../../../src/store/change.js'
import { signedIsFollowed } from '../signed.js'
import { demand } from '../violated.js'
import type { Mined, SimulatedChain } from './chain.js'

const MADE = /^(executed|transferred\.)/
const UNDER_WAY = /^(transferring\.|transferred\.)/

/** The payment that each nonce of each address was signed for. */
export class Nonces {
  readonly #users = new Map<string, string>()

  committed({ actors }: Change): void {
    for (const { before, after } of actors) {
      if (!isOf('payment', after)) continue
      const { transfers, terms, id } = after.context
      for (const { nonce } of transfers) {
        const name = `${terms!.wallet!.address} ${nonce}`
        const user = this.#users.get(name) ?? id
        this.#users.set(name, user)
        demand('names', user === id, () => `nonce ${name} was signed for ${user} and for ${id}`)
      }
      signedIsFollowed(before, after)
    }
  }
}

/** When nothing moves any more. Each payment has an amount of its own. */
export function chainAgrees(chain: SimulatedChain, actors: Iterable<Actor>): void {
  const made = chain.blocks.flatMap(({ mined }) => mined).filter(({ isSuccess }) => isSuccess)
  for (const actor of actors) {
    if (kindOf(actor.ref) !== 'payment') continue
    const { terms } = actor.context as unknown as PaymentContext
    const recipient = terms!.recipientAddress!.toLowerCase()
    const own = made.filter(({ amount, to }) => amount === terms!.amount && to.toLowerCase() === recipient)
    agrees(actor, own)
  }
}

function agrees({ ref, state }: Actor, made: readonly Mined[]): void {
  demand('quiet', state !== 'transferring.signing' && !UNDER_WAY.test(state), () => `${ref} is still ${state}`)
  demand('once', made.length <= 1, () => `${ref} was made ${made.length} times`)
  demand(
    'followed',
    made.length === (MADE.test(state) ? 1 : 0),
    () => `${ref} is ${state}, and made ${made.length} times`,
  )
}
