// A card as a way to pay: an agent's assignment to it, and the card itself.
import { idOf, type Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Gate, Ref } from '../../domain/limits/gate.js'
import { counted, sumsMoved, type Sums } from '../../domain/limits/sums.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import {
  assignmentAsDelegation,
  assignmentViolations,
  CARD_NOT_ACTIVE,
  cardViolations,
} from '../../domain/parties/card.js'
import type { Spending } from '../../domain/parties/delegation.js'
import type { Micros } from '../../domain/values/money.js'
import { cardStatus } from '../status.js'
import type { FundingSource, Leave, PaidFrom, Occasion } from './fundingSource.js'
import { isSameActor } from './unchanged.js'

export class CardSource implements FundingSource {
  constructor(
    readonly assignment: Actor<'cardAssignment'>,
    readonly card: Actor<'card'>,
  ) {}

  get leave(): Leave {
    const { terms, sums, clock } = this.assignment.context
    return { ref: this.assignment.ref, terms: assignmentAsDelegation(terms), sums, clock }
  }

  get ref(): Ref {
    return this.card.ref
  }

  get place(): { cardId: string } {
    return { cardId: idOf(this.card.ref) }
  }

  isUnchanged(view: View): boolean {
    return isSameActor(view, this.assignment, ['terms']) && isSameActor(view, this.card, ['fields'])
  }

  statusViolations(): Violation[] {
    return cardStatus(this.card) === 'ACTIVE' ? [] : [CARD_NOT_ACTIVE]
  }

  leaveViolations(sums: Sums, spending: Spending, category: string | null): Violation[] {
    return assignmentViolations(this.assignment.context.terms, sums, category ?? undefined, spending)
  }

  fundsViolations(amount: Micros, at: Occasion): Violation[] {
    const { now, timezone, sums } = this.#sumsAt(at)
    return cardViolations(this.card.context.fields, timezone, sums, { amount, now })
  }

  available(at: Occasion): Micros {
    const { spendLimitPerTx, spendLimitDaily } = this.card.context.fields
    const { sums } = this.#sumsAt(at)
    return Math.min(spendLimitPerTx ?? Infinity, (spendLimitDaily ?? Infinity) - counted(sums, 'day'))
  }

  #sumsAt({ now: at, organization }: Occasion): { now: number; timezone: string; sums: Sums } {
    const { sums, timezone: former, clock } = this.card.context
    const now = Math.max(clock, at)
    const { timezone } = organization.fields
    return { now, timezone, sums: sumsMoved(sums, now, former, timezone) }
  }

  gate(amount: Micros, timezone: string): Gate {
    return { ref: this.card.ref, amount, terms: { timezone } }
  }

  paidFrom(): PaidFrom {
    const { id, fields } = this.card.context
    const { last4, brand } = fields
    const card = { id, assignmentId: idOf(this.assignment.ref), last4, brand }
    return { walletId: null, delegationId: null, currency: 'USD', asset: null, wallet: null, card }
  }
}
