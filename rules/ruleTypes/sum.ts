// The common part of limits on sums: their facts and their explanation. The result is a proposal; the gate that owns
// the sum decides again.
import type { Micros } from '../../src/domain/values/money.js'
import type { ViolationType } from '../../src/domain/outcomes/violation.js'
import type { BudgetPeriod, FactName, Facts } from '../facts.js'
import { money } from '../shown.js'
import type { Bound, Limit } from './ruleType.js'

interface Sum {
  of: Limit['of']
  period: BudgetPeriod
  limit: Micros
  policyId: string
  violation: ViolationType
  /** The limit's name in the sentence: `the day's limit`. */
  name: string
}

const MEASURES = { DAILY: 'DAY', WEEKLY: 'WEEK', MONTHLY: 'MONTH', TOTAL: 'TOTAL' } as const
const TOTALS = { DAILY: 'dayTotal', WEEKLY: 'weekTotal', MONTHLY: 'monthTotal', TOTAL: 'total' } as const

export function boundSum({ of, period, limit, policyId, violation, name }: Sum): Bound {
  const fact: FactName = of === 'AGENT' ? TOTALS[period] : `budget:${of === 'SERVICE' ? 'service' : policyId}:${period}`
  const earlier = (facts: Facts): Micros => Number(facts[fact]) - facts.amount!
  return {
    condition: { fact, operator: 'lessThanInclusive', value: limit },
    mentions: ['amount'],
    limits: [{ of, measure: MEASURES[period], limit, violation }],
    standing: (facts) => ({ limit, current: earlier(facts) }),
    explain(facts, met) {
      const both = `${money(facts.amount!)} on top of ${money(earlier(facts))}`
      return `${both} ${met ? 'stays within' : 'passes'} ${name} of ${money(limit)}`
    },
  }
}
