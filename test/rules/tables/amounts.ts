// Rules about the amount of one payment.
import { micros } from '../policies.js'
import { paying, type Table } from './table.js'

export const AMOUNTS: Table[] = [
  {
    rule: { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 },
    standing: { limit: micros(200), current: micros(200.000001) },
    cases: [
      [paying(5), 'APPROVED', 'The amount 5 is at most 200'],
      [paying(200), 'APPROVED', 'The amount 200 is at most 200'],
      [paying(200.000001), 'AMOUNT_LIMIT', 'The amount 200.000001 is not at most 200'],
    ],
  },
  {
    rule: { ruleType: 'MAX_AMOUNT', operator: 'LT', value: 0.3 },
    standing: { limit: 300_000, current: 300_000 },
    cases: [
      [paying(0.299999), 'APPROVED', 'The amount 0.299999 is below 0.3'],
      [paying(0.3), 'AMOUNT_LIMIT', 'The amount 0.3 is not below 0.3'],
    ],
  },
  {
    rule: { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 0 },
    cases: [[paying(0.000001), 'AMOUNT_LIMIT', 'The amount 0.000001 is not at most 0']],
  },
  {
    rule: { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 500 },
    cases: [
      [paying(5), 'APPROVED', 'The amount 5 is not above 500'],
      [paying(500), 'APPROVED', 'The amount 500 is not above 500'],
      [paying(500.000001), 'REQUIRES_APPROVAL', 'The amount 500.000001 is above 500'],
    ],
  },
]
