// The figures of a limit in a decision: a rule has them among its facts, a violation that no policy caused has its own.
import type { Answer } from '../api.js'
import { micros } from '../format/money.js'
import type { LimitFigures } from './limitStep.js'

type Trace = Answer<'GET /api/payments/{paymentId}'>['trace']
type Rule = Trace['policies'][number]['rules'][number]
type Violation = Trace['violations'][number]

/** Facts that are sums, with the payment itself. */
const isSum = (fact: string): boolean => /^((day|week|month)Total|total|budget:.*)$/.test(fact)
const isNumber = (value: unknown): value is number => Number.isFinite(value)

/** Facts that the figures of a limit say already. */
export const isFigure = (fact: string): boolean => isSum(fact) || fact.startsWith('count:')

const ONE_PAYMENT: ReadonlySet<string> = new Set(['MAX_AMOUNT', 'CARD_MAX_AMOUNT', 'X402_MAX_PER_REQUEST'])

/** Undefined for a rule that is no limit, or that was not applied. */
export function figuresOfRule({ ruleType, value, outcome, facts }: Rule, amount: number): LimitFigures | undefined {
  if (outcome === 'NOT_APPLICABLE') return undefined
  const { amount: inside, maxCount } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const limit = [value, inside, maxCount].map((one) => (typeof one === 'string' ? Number(one) : one)).find(isNumber)
  if (limit === undefined) return undefined
  if (ONE_PAYMENT.has(ruleType)) return ofAmounts(0n, amount, limit)
  const [fact, after] = Object.entries(facts).find(([name]) => isFigure(name)) ?? []
  if (fact === undefined || !isNumber(after)) return undefined
  if (fact.startsWith('count:')) return ofCounts(after - 1, limit)
  return ofAmounts(micros(after) - micros(amount), amount, limit)
}

const ofCounts = (before: number, limit: number): LimitFigures => ({
  before: BigInt(before),
  now: 1n,
  limit: BigInt(limit),
  isCount: true,
})

const ofAmounts = (before: bigint, amount: number, limit: number): LimitFigures => ({
  before,
  now: micros(amount),
  limit: micros(limit),
  isCount: false,
})

/** Of a limit on one payment, what is current is the payment itself. */
const ALONE: ReadonlySet<string> = new Set(['PER_TX_LIMIT', 'AMOUNT_LIMIT'])

export function figuresOfViolation({ type, limit, current }: Violation, amount: number): LimitFigures | undefined {
  if (limit === undefined || current === undefined) return undefined
  if (type === 'VELOCITY_LIMIT') return ofCounts(current, limit)
  return ofAmounts(ALONE.has(type) ? 0n : micros(current), amount, limit)
}
