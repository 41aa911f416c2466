// Composite rules: ALL_OF and ANY_OF.
import { paying, sum, type Table } from './table.js'

const SMALL = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 10 }
const LARGE = { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 10 }
const TRUSTED = { ruleType: 'COUNTERPARTY_STATUS', value: 'TRUSTED' }
const NEW = { ruleType: 'NEW_COUNTERPARTY', value: true }

export const COMPOSITES: Table[] = [
  {
    rule: { ruleType: 'ALL_OF', value: [SMALL, TRUSTED] },
    cases: [
      [
        { ...paying(10), counterpartyStatus: 'TRUSTED' },
        'APPROVED',
        'All conditions are met: The amount 10 is at most 10; The counterparty is TRUSTED',
      ],
      [
        { ...paying(10.000001), counterpartyStatus: 'TRUSTED' },
        'COMPOSITE',
        'Not all conditions are met: The amount 10.000001 is not at most 10',
      ],
      [
        paying(11),
        'COMPOSITE',
        'Not all conditions are met: The amount 11 is not at most 10; The counterparty is UNKNOWN, not TRUSTED',
      ],
    ],
  },
  {
    rule: { ruleType: 'ANY_OF', value: [SMALL, { ruleType: 'ALL_OF', value: [TRUSTED] }] },
    cases: [
      [paying(10), 'APPROVED', 'One of the conditions is met: The amount 10 is at most 10'],
      [
        { ...paying(11), counterpartyStatus: 'TRUSTED' },
        'APPROVED',
        'One of the conditions is met: All conditions are met: The counterparty is TRUSTED',
      ],
      [
        paying(11),
        'COMPOSITE',
        'None of the conditions is met: The amount 11 is not at most 10; ' +
          'Not all conditions are met: The counterparty is UNKNOWN, not TRUSTED',
      ],
    ],
  },
  {
    rule: { ruleType: 'ALL_OF', value: [LARGE, NEW], action: 'DENY' },
    cases: [
      [
        { ...paying(11), newCounterparty: false },
        'APPROVED',
        'Not all conditions are met: The recipient was paid before',
      ],
      [
        { ...paying(10), newCounterparty: true },
        'APPROVED',
        'Not all conditions are met: The amount 10 is not above 10',
      ],
      [
        { ...paying(11), newCounterparty: true },
        'COMPOSITE',
        'All conditions are met: The amount 11 is above 10; The recipient was never paid before',
      ],
    ],
  },
  {
    rule: { ruleType: 'ANY_OF', value: [LARGE, NEW], action: 'REQUIRE_APPROVAL' },
    cases: [
      [
        paying(10),
        'APPROVED',
        'None of the conditions is met: The amount 10 is not above 10; The recipient was paid before',
      ],
      [paying(11), 'REQUIRES_APPROVAL', 'One of the conditions is met: The amount 11 is above 10'],
    ],
  },
  {
    rule: {
      ruleType: 'ALL_OF',
      value: [
        { ruleType: 'DAILY_LIMIT', value: 20 },
        { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'] },
      ],
    },
    cases: [
      [
        sum('dayTotal', 5, 20),
        'APPROVED',
        "All conditions are met: 5 on top of 15 stays within the day's limit of 20; " +
          "The payment's category CLOUD is one of CLOUD",
      ],
      [sum('dayTotal', 5, 21), 'COMPOSITE', "Not all conditions are met: 5 on top of 16 passes the day's limit of 20"],
    ],
  },
]
