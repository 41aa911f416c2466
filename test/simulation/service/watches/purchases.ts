// What is decided on one payment: it is within what one payment may be, its own agent alone acts on it, and a card is
// charged with what was told.
import type { Card as CardRecord, Payment as PaymentRecord } from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { Organization, Payment } from '../organization.js'
import type { Call, Exchange, Watch, World } from '../world.js'
import { everyOne, read } from './reading.js'

const HELD = new Set(['APPROVED', 'REQUIRES_APPROVAL'])
const ASKS = /^\/api\/sdk\/(payments\/(request|approve)|cards\/approve|x402\/authorize)$/
const OF_PAYMENT = /^\/api\/sdk\/(?:payments|cards|x402)\/(c[a-z0-9]{24})(?:\/\w+)?$/
const CHARGES = /^\/api\/sdk\/cards\/([^/]+)\/confirm$/

interface Asked {
  walletId?: string
  senderAddress?: string
  cardId?: string
}

export class Purchases implements Watch {
  readonly #world: World
  /** What each card payment was charged with. */
  readonly #charged = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  answered({ call, told, isAlone }: Exchange): void {
    const { organization, path, by } = call
    if (!organization || told.status >= 300) return
    const [, id] = OF_PAYMENT.exec(path) ?? []
    const payment = organization.payments.find((each) => each.id === id)
    const isOwn = !payment || payment.agent === by?.agent
    demand('access', isOwn, () => `${by?.name} acted on ${id} of ${payment?.agent.name}`)
    if (told.isReplay) return
    if (payment && CHARGES.test(path) && told.body.status === 'EXECUTED') this.#charge(payment, call, told.body.amount!)
    const isNew = isAlone && ASKS.test(path) && told.body.status !== 'DENIED'
    const isKnown = organization.payments.some((each) => each.id === told.body.requestId)
    if (isNew && !isKnown) within(call, organization, told.body.amount)
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      const payments = await everyOne<PaymentRecord>(this.#world, organization, '/api/payments')
      const onCards = payments.filter(({ rail }) => rail === 'CARD')
      for (const { id, status, amount } of onCards) {
        const charged = this.#charged.get(id)
        const isSame = charged === undefined || (status === 'EXECUTED' && amount === charged)
        demand('money', isSame, () => `${id} is ${status} with ${amount}, and was charged with ${charged}`)
      }
      for (const { id } of organization.cards) await this.#held(organization, id, onCards)
    }
  }

  /** A second charge under the same reference is the first one again, whatever its amount. */
  #charge({ id }: Payment, { body }: Call, told: number): void {
    const amount = this.#charged.get(id) ?? (body as { amount: number }).amount
    demand('money', told === amount, () => `${id} was charged with ${amount}, and counts ${told}`)
    this.#charged.set(id, amount)
  }

  async #held(organization: Organization, cardId: string, payments: readonly PaymentRecord[]): Promise<void> {
    const { reserved } = await read<CardRecord>(this.#world, organization, `/api/cards/${cardId}`)
    const own = payments.filter(({ card, status }) => card?.id === cardId && HELD.has(status))
    const held = own.reduce((sum, { amount }) => sum + amount, 0)
    demand('money', reserved === held, () => `the card ${cardId} holds ${reserved}, and its payments ${held}`)
  }
}

/** As the limits for one payment were known. */
function within({ body, by }: Call, { delegations, cards }: Organization, amount?: number): void {
  const { walletId, senderAddress, cardId } = body as Asked
  const asked = amount ?? (body as { amount: number }).amount
  const delegation = delegations.find(({ agent, wallet }) => {
    return agent === by?.agent && (wallet.id === walletId || wallet.address === senderAddress)
  })
  const card = cards.find(({ id }) => id === cardId)
  const most = delegation?.perTx ?? card?.perTx ?? Infinity
  demand('limit', asked <= most, () => `${by?.name} may pay ${asked}, and ${most} is the most for one payment`)
}
