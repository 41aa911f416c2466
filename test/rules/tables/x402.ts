// Rules about payments by x402. On other rails they have no objection.
import type { Facts } from '../../../rules/facts.js'
import { hostScopes } from '../../../src/domain/payment/x402.js'
import { micros } from '../policies.js'
import { paying, sum, type Table } from './table.js'

const by = (host: string, amount = 5, recipientApproved = true): Facts => ({
  ...paying(amount),
  rail: 'X402',
  resourceHost: host,
  resourceScopes: hostScopes(host),
  resourcePath: '/',
  recipientApproved,
})
const OTHER_RAIL = 'The rule is about the rail X402, not TRANSFER'
const LIST = '*.example.com, one.test'

export const X402: Table[] = [
  {
    rule: { ruleType: 'X402_MAX_PER_REQUEST', value: 100 },
    standing: { limit: micros(100), current: micros(100.01) },
    cases: [
      [paying(5000), 'APPROVED', OTHER_RAIL],
      [by('one.test', 100), 'APPROVED', 'The amount 100 is at most 100 by x402'],
      [by('one.test', 100.01), 'AMOUNT_LIMIT', 'The amount 100.01 is not at most 100 by x402'],
    ],
  },
  {
    rule: { ruleType: 'X402_MAX_PER_SERVICE', value: { amount: 100, period: 'DAILY' } },
    standing: { limit: micros(100), current: micros(60) },
    cases: [
      [paying(5000), 'APPROVED', OTHER_RAIL],
      [
        { ...by('one.test'), ...sum('budget:service:DAILY', 40, 100) },
        'APPROVED',
        "40 on top of 60 stays within the day's limit for this service of 100",
      ],
      [
        { ...by('one.test'), ...sum('budget:service:DAILY', 40.01, 100.01) },
        'X402_SERVICE_LIMIT',
        "40.01 on top of 60 passes the day's limit for this service of 100",
      ],
    ],
  },
  {
    rule: { ruleType: 'X402_BLOCKED_SERVICES', value: ['*.example.com', 'ONE.test'] },
    cases: [
      [paying(5), 'APPROVED', OTHER_RAIL],
      [by('example.com'), 'APPROVED', `example.com is not one of ${LIST}`],
      [by('a.b.example.com'), 'X402_SERVICE_BLOCKED', `a.b.example.com is one of ${LIST}`],
      [by('one.test'), 'X402_SERVICE_BLOCKED', `one.test is one of ${LIST}`],
      [by('evilexample.com'), 'APPROVED', `evilexample.com is not one of ${LIST}`],
    ],
  },
  {
    rule: { ruleType: 'X402_ALLOWED_SERVICES', value: ['*.example.com', 'one.test'] },
    cases: [
      [paying(5), 'APPROVED', OTHER_RAIL],
      [by('api.example.com'), 'APPROVED', `api.example.com is one of ${LIST}`],
      [by('example.com'), 'X402_SERVICE_NOT_ALLOWED', `example.com is not one of ${LIST}`],
      [
        by('one.test', 5, false),
        'REQUIRES_APPROVAL',
        'No payment to 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913 at one.test was approved before',
      ],
      [by('two.test', 5, false), 'X402_SERVICE_NOT_ALLOWED', `two.test is not one of ${LIST}`],
    ],
  },
]
