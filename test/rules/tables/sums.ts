// Rules about sums and counts of payments.
import { micros } from '../policies.js'
import { sum, type Table } from './table.js'

export const SUMS: Table[] = [
  {
    rule: { ruleType: 'DAILY_LIMIT', value: 1000 },
    standing: { limit: micros(1000), current: micros(995.000001) },
    cases: [
      [sum('dayTotal', 5, 5), 'APPROVED', "5 on top of 0 stays within the day's limit of 1000"],
      [sum('dayTotal', 5, 1000), 'APPROVED', "5 on top of 995 stays within the day's limit of 1000"],
      [sum('dayTotal', 5, 1000.000001), 'DAILY_LIMIT', "5 on top of 995.000001 passes the day's limit of 1000"],
    ],
  },
  {
    rule: { ruleType: 'WEEKLY_LIMIT', value: 70 },
    standing: { limit: micros(70), current: micros(60.5) },
    cases: [
      [sum('weekTotal', 10, 70), 'APPROVED', "10 on top of 60 stays within the week's limit of 70"],
      [sum('weekTotal', 10, 70.5), 'WEEKLY_LIMIT', "10 on top of 60.5 passes the week's limit of 70"],
    ],
  },
  {
    rule: { ruleType: 'MONTHLY_LIMIT', value: 70 },
    standing: { limit: micros(70), current: micros(60.5) },
    cases: [
      [sum('monthTotal', 10, 70), 'APPROVED', "10 on top of 60 stays within the month's limit of 70"],
      [sum('monthTotal', 10, 70.5), 'MONTHLY_LIMIT', "10 on top of 60.5 passes the month's limit of 70"],
    ],
  },
  {
    rule: { ruleType: 'BUDGET_CAP', value: { amount: 50, period: 'TOTAL' } },
    standing: { limit: micros(50), current: micros(49) },
    cases: [
      [sum('total', 1, 50), 'APPROVED', '1 on top of 49 stays within the total budget of 50'],
      [sum('total', 1.5, 50.5), 'BUDGET_EXCEEDED', '1.5 on top of 49 passes the total budget of 50'],
    ],
  },
  {
    rule: { ruleType: 'BUDGET_CAP', value: { amount: 50, period: 'DAILY', of: 'AGENT' } },
    cases: [
      [sum('dayTotal', 1, 50), 'APPROVED', "1 on top of 49 stays within the day's budget of 50"],
      [sum('dayTotal', 1, 51), 'BUDGET_EXCEEDED', "1 on top of 50 passes the day's budget of 50"],
    ],
  },
  {
    rule: { ruleType: 'BUDGET_CAP', value: { amount: 50, period: 'MONTHLY', of: 'POLICY' } },
    standing: { limit: micros(50), current: micros(49) },
    cases: [
      [
        sum('budget:p1:MONTHLY', 1, 50),
        'APPROVED',
        "1 on top of 49 stays within the month's budget, shared under the policy, of 50",
      ],
      [
        sum('budget:p1:MONTHLY', 2, 51),
        'BUDGET_EXCEEDED',
        "2 on top of 49 passes the month's budget, shared under the policy, of 50",
      ],
    ],
  },
  {
    rule: { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 3, period: 'HOUR' } },
    standing: { limit: 3, current: 3, unit: 'COUNT' },
    cases: [
      [
        { 'count:HOUR': 5 },
        'VELOCITY_LIMIT',
        'At most 3 payments within an hour are allowed, and there are more already',
      ],
      [{ 'count:HOUR': 1 }, 'APPROVED', 'This is payment 1 within an hour, at most 3 are allowed'],
      [{ 'count:HOUR': 3 }, 'APPROVED', 'This is payment 3 within an hour, at most 3 are allowed'],
      [{ 'count:HOUR': 4 }, 'VELOCITY_LIMIT', 'This is payment 4 within an hour, at most 3 are allowed'],
    ],
  },
  {
    rule: { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'DAY' } },
    cases: [
      [{ 'count:DAY': 2 }, 'VELOCITY_LIMIT', 'This is payment 2 within a day, at most 1 is allowed'],
      [{ 'count:DAY': 3 }, 'VELOCITY_LIMIT', 'At most 1 payment within a day is allowed, and there are more already'],
    ],
  },
]
