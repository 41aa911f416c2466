// The ways to pay. Deciding, gates and reviews ask a funding source, and do not know what it is.
import type { Actor } from '../../actor/actor.js'
import { idOf } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Gate, Ref } from '../../domain/limits/gate.js'
import type { Sums } from '../../domain/limits/sums.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { delegationViolations, type DelegationTerms, type Spending } from '../../domain/parties/delegation.js'
import type { PaymentTerms } from '../../domain/payment/terms.js'
import { WALLET_NOT_ACTIVE } from '../../domain/parties/wallet.js'
import { CHAINS } from '../../domain/values/chains.js'
import type { Micros } from '../../domain/values/money.js'
import type { Services } from '../ports.js'
import { walletStatus } from '../status.js'
import { available, fundsViolations, walletGate } from './funds.js'
import { isSameActor } from './unchanged.js'

/** The gate that lets the agent spend, as it is now. */
export interface Leave {
  ref: Ref
  terms: DelegationTerms
  sums: Sums
  clock: number
}

/** Whose policies a payment is under, beside the agent's and the organization's. */
export interface Place {
  walletId?: string
  cardId?: string
}

/** When, and in which zone, something would be paid, and by x402 for what. */
export interface Occasion {
  now: number
  organization: { fields: { timezone: string } }
  resource?: object | undefined
}

export type PaidFrom = Pick<PaymentTerms, 'walletId' | 'delegationId' | 'currency' | 'asset' | 'wallet' | 'card'>

export interface FundingSource {
  readonly leave: Leave
  /** The gate that is spent from. */
  readonly ref: Ref
  readonly place: Place
  /** Both gates are as they were, as far as the decision rests on them. */
  isUnchanged(view: View): boolean
  /** By its status. */
  statusViolations(): Violation[]
  /** Of the leave, on top of `sums`. */
  leaveViolations(sums: Sums, payment: Spending, category: string | null): Violation[]
  /** Of the source, by the amount. */
  fundsViolations(amount: Micros, at: Occasion): Violation[]
  /** What a new hold may take. */
  available(at: Occasion): Micros
  /** The gate that is spent from, with what it is asked. */
  gate(amount: Micros, timezone: string): Gate
  /** The part of a payment's terms that says what it is paid from. */
  paidFrom(): PaidFrom
}

/** A delegation of the agent and the wallet that it spends from. */
export class WalletSource implements FundingSource {
  readonly #services: Services

  constructor(
    services: Services,
    readonly delegation: Actor<'delegation'>,
    readonly wallet: Actor<'wallet'>,
  ) {
    this.#services = services
  }

  get leave(): Leave {
    const { terms, sums, clock } = this.delegation.context
    return { ref: this.delegation.ref, terms, sums, clock }
  }

  get ref(): Ref {
    return this.wallet.ref
  }

  get place(): { walletId: string } {
    return { walletId: idOf(this.wallet.ref) }
  }

  isUnchanged(view: View): boolean {
    return isSameActor(view, this.delegation, ['terms']) && isSameActor(view, this.wallet, [])
  }

  statusViolations(): Violation[] {
    return walletStatus(this.wallet) === 'ACTIVE' ? [] : [WALLET_NOT_ACTIVE]
  }

  leaveViolations(sums: Sums, payment: Spending): Violation[] {
    return delegationViolations(this.leave.terms, sums, payment)
  }

  fundsViolations(amount: Micros, { resource }: Occasion): Violation[] {
    return fundsViolations(this.#services, this.wallet, amount, resource !== undefined)
  }

  available(): Micros {
    return available(this.#services, this.wallet)
  }

  gate(amount: Micros): Gate {
    return walletGate(this.#services, this.wallet, amount)
  }

  paidFrom(): PaidFrom {
    const { id, fields } = this.wallet.context
    const { address, chainId, custodyType, currency } = fields
    return {
      walletId: id,
      delegationId: idOf(this.delegation.ref),
      currency,
      asset: this.#services.assetContracts[chainId] ?? CHAINS[chainId]?.contract ?? null,
      wallet: { id, address, chainId, custodyType },
    }
  }

  get fields() {
    return this.wallet.context.fields
  }
}
