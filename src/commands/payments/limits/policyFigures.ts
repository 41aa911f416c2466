// What the rules of a wallet's policies say of every payment from it, whatever its time: the most in one, the amount above
// which a person must approve, and whether somebody may be paid who was never met. Composites are seen as they are
// enforced, because the compiled rules are asked; a rule that also depends on something else says nothing here.
import { objectionOf, type CompiledRule } from '../../../../rules/compile.js'
import type { Facts } from '../../../../rules/facts.js'
import { largestAmount, objectingAt, type Search } from '../../../../rules/ways.js'
import { NO_HISTORY } from '../../../domain/parties/paymentHistory.js'
import { trustScoreOf } from '../../../domain/parties/trust.js'
import type { Micros } from '../../../domain/values/money.js'

export interface PolicyFigures {
  /** Infinity where there is no limit, here and below. */
  perPayment: Micros
  approvalAbove: Micros
  isListed: boolean
}

/** Of policies that cannot be evaluated: nothing is paid under them. */
export const NOTHING_ALLOWED: PolicyFigures = { perPayment: 0, approvalAbove: 0, isListed: true }

const MOST: Micros = Number.MAX_SAFE_INTEGER
const OF_ANY = { facts: { amount: MOST }, objecting: [] }

export function* figuresOf(rules: readonly CompiledRule[], now: number): Search<PolicyFigures> {
  const byAmount = rules.filter(({ leaves }) => leaves.every(({ fact }) => fact === 'amount'))
  const asking = byAmount.filter((rule) => objectionOf(rule) === 'REQUIRE_APPROVAL')
  const stranger = strangerAt(now)
  const byRecipient = rules.filter(
    (rule) => objectionOf(rule) === 'DENY' && rule.leaves.every(({ fact }) => fact in stranger),
  )
  return {
    perPayment: unbounded(yield* largestAmount(byAmount, OF_ANY, { most: MOST, mayAsk: true })),
    approvalAbove: unbounded(yield* largestAmount(asking, OF_ANY, { most: MOST, mayAsk: false })),
    isListed: (yield* objectingAt(byRecipient, stranger)).length > 0,
  }
}

const unbounded = (amount: Micros): Micros => (amount === MOST ? Infinity : amount)

/** A recipient that was never met and is on no list. */
function strangerAt(now: number): Facts {
  return {
    recipient: '',
    counterpartyStatus: 'UNKNOWN',
    newCounterparty: true,
    trustScore: trustScoreOf(NO_HISTORY, 'UNKNOWN', now),
  }
}
