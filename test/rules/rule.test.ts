// Checking rules: what is accepted and how it is stored, and what is refused, with its path and a remedy.
import test from 'ava'
import fc from 'fast-check'
import { checkRule, checkRules } from '../../rules/rule.js'
import { MAX_RULES } from '../../src/domain/parties/policy.js'
import { runs } from '../support/depth.js'
import { ruleInput } from './arbitraries.js'
import { CAP, dates, hours, nested, NIGHT, pick, repeat, WINDOWS, type Written } from './inputs.js'
import { kept, RECIPIENT, SOLANA } from './policies.js'

/** The rule as written, and fields of its stored form. */
const TAKEN: [what: string, written: Written, kept: Written][] = [
  ['all fields', { ...CAP, action: 'ALLOW' }, { ...CAP, action: 'ALLOW' }],
  ['an id', { id: 'x', ...CAP }, { ...CAP, action: 'ALLOW' }],
  ['an implied operator', { ruleType: 'DAILY_LIMIT', value: 1 }, { operator: 'LTE', value: 1 }],
  ['an operator implied by a list', { ruleType: 'COUNTERPARTY_STATUS', value: ['TRUSTED'] }, { operator: 'IN_LIST' }],
  ['an operator implied by one value', { ruleType: 'COUNTERPARTY_STATUS', value: 'TRUSTED' }, { operator: 'EQUALS' }],
  ['no operator', { ruleType: 'ALL_OF', operator: null, value: [CAP] }, { operator: null, value: [CAP] }],
  ['JSON in a string', { ...CAP, value: '200.5' }, { value: 200.5 }],
  [
    'a JSON object in a string',
    { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: JSON.stringify(NIGHT) },
    { value: NIGHT },
  ],
  ['a JSON string in a string', { ruleType: 'COUNTERPARTY_STATUS', value: '"TRUSTED"' }, { value: 'TRUSTED' }],
  [
    'an amount as a string',
    { ruleType: 'BUDGET_CAP', value: { amount: '5.50', period: 'DAILY' } },
    { value: { amount: 5.5, period: 'DAILY' } },
  ],
  [
    'a list of addresses',
    { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT.toLowerCase(), SOLANA] },
    { value: [RECIPIENT, SOLANA] },
  ],
  [
    'a repeated address',
    { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT, RECIPIENT.toLowerCase()] },
    { value: [RECIPIENT] },
  ],
  [
    'categories in any letter case',
    { ruleType: 'BLOCKED_CATEGORIES', value: ['cloud', ' Cafe\u0301 ', 'CLOUD'] },
    { value: ['CLOUD', 'CAFÉ'] },
  ],
  ['the default action of a block list', { ruleType: 'BLOCKED_CATEGORIES', value: ['A'] }, { action: 'DENY' }],
  [
    'the default action of a blackout',
    { ruleType: 'BLACKOUT_PERIOD', value: { windows: [{ start: '2026-01-01', end: '2026-01-01' }] } },
    { action: 'DENY' },
  ],
  ['the default action for new ones', { ruleType: 'NEW_COUNTERPARTY', value: true }, { action: 'REQUIRE_APPROVAL' }],
  ['the default action above', { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 0 }, { action: 'REQUIRE_APPROVAL' }],
  ['1,000 entries', { ruleType: 'BLOCKED_CATEGORIES', value: repeat(1_000, (at) => `C${at}`) }, { action: 'DENY' }],
  ['five nested levels', nested(5), { operator: null }],
  [
    'an implied operator in a condition',
    { ruleType: 'ALL_OF', value: [{ ruleType: 'TRUST_SCORE', value: '50' }] },
    { value: [{ ruleType: 'TRUST_SCORE', operator: 'GTE', value: 50 }] },
  ],
  [
    'sums inside ALL_OF',
    { ruleType: 'ALL_OF', value: [{ ruleType: 'ALL_OF', value: [{ ruleType: 'DAILY_LIMIT', value: 1 }] }] },
    { action: 'ALLOW' },
  ],
]

for (const [what, written, expected] of TAKEN) {
  test(`a rule with ${what} is accepted and stored in its normal form`, (t) => {
    t.like(kept(written), expected)
  })
}

test('a stored rule is accepted again unchanged', (t) => {
  fc.assert(
    fc.property(ruleInput, (input) => {
      t.deepEqual(kept(kept(input)), kept(input))
    }),
    { numRuns: runs(1_000) },
  )
})

const AMOUNT = 'must be an amount: a number from 0, below 1000000000 and with at most 6 decimals, not '

const ORDER = 'must have a start that is before its end'

/** The rule as written, the path of the error in it (the rule is `rules.0`), and how the message begins. */
const REFUSED: [written: unknown, path: string, said: string][] = [
  [null, '', 'must be a JSON object, not null'],
  [[CAP], '', 'must be a JSON object, not a list of 1'],
  [{}, 'ruleType', 'is required and must be one of MAX_AMOUNT, DAILY_LIMIT'],
  [{ ...CAP, ruleType: 'MAX' }, 'ruleType', 'must be one of MAX_AMOUNT, DAILY_LIMIT'],
  [{ ...CAP, fact: 'amount' }, 'fact', 'is not a known field, known are ruleType, operator, value, action, id'],
  [{ ruleType: 'MAX_AMOUNT', value: 1 }, 'operator', 'is required and must be one of LTE, LT'],
  [{ ...CAP, operator: 'GTE' }, 'operator', 'must be one of LTE, LT, not "GTE"'],
  [{ ...pick('TRUST_SCORE', 1), operator: 'lte' }, 'operator', 'must be GTE, not "lte"'],
  [{ ...pick('COUNTERPARTY_STATUS', ['TRUSTED']), operator: 'EQUALS' }, 'operator', 'must be IN_LIST, not "EQUALS"'],
  [{ ...CAP, action: 'deny' }, 'action', 'must be ALLOW, not "deny"'],
  [{ ...CAP, action: null }, 'action', 'must be ALLOW, not null'],
  [{ ruleType: 'MAX_AMOUNT', operator: 'LTE' }, 'value', 'is required'],
  [{ ...CAP, value: -1 }, 'value', `${AMOUNT}-1`],
  [{ ...CAP, value: 0.0000001 }, 'value', `${AMOUNT}1e-7`],
  [{ ...CAP, value: 'much' }, 'value', `${AMOUNT}"much"`],
  [{ ...CAP, value: { amount: 5 } }, 'value', `${AMOUNT}an object`],
  [pick('BUDGET_CAP', { period: 'DAILY' }), 'value.amount', 'is required'],
  [pick('BUDGET_CAP', { amount: 5, period: 'HOURLY' }), 'value.period', 'must be one of DAILY, WEEKLY, MONTHLY, TOTAL'],
  [
    pick('BUDGET_CAP', { amount: 5, period: 'DAILY', of: 'ALL' }),
    'value.of',
    'must be one of AGENT, POLICY, not "ALL"',
  ],
  [pick('BUDGET_CAP', { amount: 5, period: 'DAILY', path: '$' }), 'value.path', 'is not a known field'],
  [pick('VELOCITY_LIMIT', { maxCount: 1.5, period: 'DAY' }), 'value.maxCount', 'must be a whole number from 0 to 1000'],
  [pick('VELOCITY_LIMIT', { maxCount: 1, period: 'DAILY' }), 'value.period', 'must be one of MINUTE, HOUR, DAY, WEEK'],
  [hours({ start: '9:00', end: '17:00' }), 'value.start', 'must be a time from "00:00" to "23:59", not "9:00"'],
  [hours({ start: '24:00', end: '17:00' }), 'value.start', 'must be a time from "00:00" to "23:59"'],
  [hours({ start: '09:00', end: '25:00' }), 'value.end', 'must be a time from "00:00" to "24:00", not "25:00"'],
  [hours({ start: '09:00', end: '09:00' }), 'value', 'must have a start and an end that differ'],
  [hours({ ...NIGHT, timezone: '+02:00' }), 'value.timezone', 'must be the IANA name of a time zone, not "+02:00"'],
  [{ ...pick('DAY_OF_WEEK', ['Monday']), operator: 'IN_LIST' }, 'value.0', 'must be one of Mon, Tue, Wed, Thu, Fri'],
  [
    { ...pick('DAY_OF_WEEK', []), operator: 'IN_LIST' },
    'value',
    'must be a list of 1 to 1000 entries, not a list of 0',
  ],
  [dates('2026-02-30', '2026-03-01'), 'value.start', 'must be a timestamp such as 2026-01-31T09:00:00Z or a date'],
  [
    dates('2026-03-01', '2026-03-01T12:00:00'),
    'value.end',
    'must be a timestamp such as 2026-01-31T09:00:00Z or a date',
  ],
  [dates('2026-03-02', '2026-03-01'), 'value', ORDER],
  [dates('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'), 'value', ORDER],
  [pick('DATE_RANGE', { start: '2026-03-01' }), 'value.end', 'is required'],
  [pick('BLACKOUT_PERIOD', [{ start: '2026-03-01', end: '2026-03-02' }]), 'value.windows', 'is required'],
  [
    pick('BLACKOUT_PERIOD', { windows: [{ start: 1, end: '2026-03-02' }] }),
    'value.windows.0.start',
    'must be a timestamp',
  ],
  [
    pick('BLACKOUT_PERIOD', { windows: [{ start: '2026-03-01', end: '2026-03-02', reason: 'a\u0000' }] }),
    'value.windows.0.reason',
    'must have no control characters, has U+0000 at index 1',
  ],
  [pick('ALLOWED_CATEGORIES', 'CLOUD'), 'value', 'must be a list of 1 to 1000 entries, not "CLOUD"'],
  [pick('ALLOWED_CATEGORIES', ['A', ' ']), 'value.1', 'must be a category of 1 to 100 characters, not " "'],
  [pick('ALLOWED_COUNTERPARTIES', ['0x12']), 'value.0', 'must be an EVM address (0x, 40 hex digits, right checksum)'],
  [
    pick('COUNTERPARTY_STATUS', 'trusted'),
    'value',
    'must be one of TRUSTED, VERIFIED, UNKNOWN, BLOCKED, not "trusted"',
  ],
  [pick('TRUST_SCORE', 101), 'value', 'must be a whole number from 0 to 100, not 101'],
  [pick('TRUST_SCORE', 0.2), 'value', 'must be a whole number from 0 to 100, not 0.2'],
  [pick('NEW_COUNTERPARTY', 1), 'value', 'must be true or false, not 1'],
  [pick('ALL_OF', []), 'value', 'must be a list of 1 to 1000 conditions, not a list of 0'],
  [{ ...pick('ANY_OF', [CAP]), operator: 'IN_LIST' }, 'operator', 'must be left out, ANY_OF has none'],
  [pick('ALL_OF', [{ ...CAP, action: 'ALLOW' }]), 'value.0.action', 'is not a known field'],
  [pick('ALL_OF', [CAP, { ...CAP, value: 'x' }]), 'value.1.value', AMOUNT],
  [nested(6), `${'value.0.'.repeat(5)}value`, 'must not nest more than 5 deep'],
]

for (const [written, path, said] of REFUSED) {
  test(`${JSON.stringify(written)} is refused with its path and a remedy`, (t) => {
    const checked = checkRule(written, 'rules.0')
    if (checked.ok) return t.fail('was taken')
    t.is(checked.refusal.details![0]?.path, path === '' ? 'rules.0' : `rules.0.${path}`)
    t.true(checked.refusal.details![0]?.message.startsWith(said), checked.refusal.details![0]?.message)
    t.is(checkRule(written, '').ok, false)
  })
}

test('JSON in a string may nest 32 levels, not counting brackets inside its strings', (t) => {
  const reason = `${'['.repeat(50)} "quoted" \\`
  const value = { windows: [{ ...WINDOWS.windows[0], reason }] }
  t.like(kept(pick('BLACKOUT_PERIOD', JSON.stringify(value))), { value })
  const deep = checkRule(pick('BLACKOUT_PERIOD', `${'['.repeat(33)}${']'.repeat(33)}`), '')
  t.regex(deep.ok ? '' : deep.refusal.details![0]!.message, /not "\[\[/)
})

test('a category that is accepted is accepted again as it is kept', (t) => {
  const rule = (category: string) => pick('BLOCKED_CATEGORIES', [category])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (category) => {
      const checked = checkRule(rule(category), '')
      if (checked.ok) t.deepEqual(checkRule(checked.value, ''), checked)
    }),
    { numRuns: runs(5_000) },
  )
  // Its upper case is twice as long.
  t.true(checkRule(rule('ß'.repeat(50)), '').ok)
  t.like(checkRule(rule('ß'.repeat(51)), ''), { ok: false, refusal: { details: [{ path: 'value.0' }] } })
})

test('a malformed amount or address has its own code, whatever else is wrong', (t) => {
  const codeOf = (...rules: unknown[]) => {
    const checked = checkRules(rules, 'rules')
    return checked.ok ? 'none' : checked.refusal.code
  }
  const amount = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: -5 }
  const address = pick('ALLOWED_COUNTERPARTIES', ['0x123'])
  const other = { ruleType: 'NONE', value: 1 }
  t.is(codeOf(amount), 'INVALID_AMOUNT')
  t.is(codeOf(address), 'INVALID_ADDRESS')
  t.is(codeOf(other), 'VALIDATION_ERROR')
  t.is(codeOf(other, address, amount), 'INVALID_AMOUNT')
  t.is(codeOf({ ruleType: 'ALL_OF', value: [address] }), 'INVALID_ADDRESS')
  t.is(codeOf({ ruleType: 'MAX_AMOUNT', operator: 'LTE' }), 'VALIDATION_ERROR')
  const many = checkRules([...Array(30).fill(other), amount], 'rules')
  t.like(!many.ok && many.refusal.details![0], { path: 'rules.30.value' })
})

test('all errors in a value are reported at once', (t) => {
  const checked = checkRule(hours({ start: 'a', end: 'b', timezone: 'c', day: 'd' }), '')
  t.deepEqual(!checked.ok && checked.refusal.details!.map(({ path }) => path), [
    'value.start',
    'value.end',
    'value.timezone',
    'value.day',
  ])
})

const ACTIONS = ['ALLOW', 'DENY', 'REQUIRE_APPROVAL']
const AMOUNTS = { amount: 1, period: 'DAILY' }

/** Rule types, with the actions that each supports. */
const TAKES: [rule: Written, ...actions: string[]][] = [
  [CAP, 'ALLOW'],
  [pick('DAILY_LIMIT', 1), 'ALLOW'],
  [pick('WEEKLY_LIMIT', 1), 'ALLOW'],
  [pick('MONTHLY_LIMIT', 1), 'ALLOW'],
  [pick('BUDGET_CAP', AMOUNTS), 'ALLOW'],
  [pick('VELOCITY_LIMIT', { maxCount: 1, period: 'DAY' }), 'ALLOW'],
  [pick('TRUST_SCORE', 1), 'ALLOW'],
  [pick('REQUIRE_APPROVAL_ABOVE', 1), 'REQUIRE_APPROVAL'],
  [pick('BLOCKED_CATEGORIES', ['A']), 'DENY', 'REQUIRE_APPROVAL'],
  [pick('BLOCKED_COUNTERPARTIES', [RECIPIENT]), 'DENY', 'REQUIRE_APPROVAL'],
  [pick('BLACKOUT_PERIOD', WINDOWS), 'DENY', 'REQUIRE_APPROVAL'],
  [pick('ALLOWED_CATEGORIES', ['A']), ...ACTIONS],
  [pick('NEW_COUNTERPARTY', true), ...ACTIONS],
  [pick('ALL_OF', [pick('NEW_COUNTERPARTY', true)]), ...ACTIONS],
]

for (const [rule, ...actions] of TAKES) {
  test(`${rule['ruleType']} supports only actions that do not contradict its meaning`, (t) => {
    t.deepEqual(
      ACTIONS.filter((action) => checkRule({ ...rule, action }, '').ok),
      actions,
    )
  })
}

/** A condition, and the actions of an ALL_OF that may contain it. */
const STANDS: [condition: Written, ...actions: string[]][] = [
  [CAP, 'ALLOW'],
  [pick('DAILY_LIMIT', 1), 'ALLOW'],
  [pick('TRUST_SCORE', 1), 'ALLOW'],
  [pick('REQUIRE_APPROVAL_ABOVE', 1), 'DENY', 'REQUIRE_APPROVAL'],
  [pick('BLOCKED_CATEGORIES', ['A']), 'DENY', 'REQUIRE_APPROVAL'],
  [pick('NEW_COUNTERPARTY', true), ...ACTIONS],
]

for (const [condition, ...actions] of STANDS) {
  test(`${condition['ruleType']} is refused inside composites whose action contradicts its meaning`, (t) => {
    const inner = pick('ALL_OF', [condition])
    for (const value of [[condition], [inner]]) {
      t.deepEqual(
        ACTIONS.filter((action) => checkRule({ ruleType: 'ALL_OF', value, action }, '').ok),
        actions,
      )
    }
  })
}

test('sums and counts are refused inside ANY_OF at any depth', (t) => {
  const sums = [
    pick('DAILY_LIMIT', 1),
    pick('BUDGET_CAP', AMOUNTS),
    pick('VELOCITY_LIMIT', { maxCount: 1, period: 'DAY' }),
  ]
  for (const sum of sums) {
    t.true(checkRule(pick('ALL_OF', [sum]), '').ok)
    for (const rule of [
      pick('ANY_OF', [sum]),
      pick('ANY_OF', [pick('ALL_OF', [sum])]),
      pick('ALL_OF', [pick('ANY_OF', [sum])]),
    ]) {
      const checked = checkRule(rule, '')
      t.regex(
        checked.ok ? '' : checked.refusal.details![0]!.message,
        /is a sum or count and cannot stand inside ANY_OF/,
      )
    }
  }
})

test('a policy has at most 100 rules', (t) => {
  t.true(
    checkRules(
      repeat(MAX_RULES, () => CAP),
      'rules',
    ).ok,
  )
  const checked = checkRules(
    repeat(MAX_RULES + 1, () => CAP),
    'rules',
  )
  const details = [{ path: 'rules', message: 'must be a list of at most 100 rules, not a list of 101' }]
  t.like(checked, { ok: false, refusal: { code: 'VALIDATION_ERROR', details } })
  t.false(checkRules({ 0: CAP }, 'rules').ok)
})

test('the errors of every rule of a policy are reported', (t) => {
  const checked = checkRules([CAP, { ...CAP, value: 'x' }, {}], 'rules')
  t.deepEqual(!checked.ok && checked.refusal.details!.map(({ path }) => path), ['rules.1.value', 'rules.2.ruleType'])
  const some = checkRules([CAP, { ...CAP, id: 'x' }], 'rules')
  t.deepEqual(some, { ok: true, value: [kept(CAP), kept(CAP)] })
})

test('the number of conditions is limited per rule and per policy', (t) => {
  const conditions = (count: number): Written =>
    pick(
      'ALL_OF',
      repeat(count, () => CAP),
    )
  t.true(checkRule(conditions(1_000), '').ok)
  t.false(checkRule(pick('ALL_OF', [conditions(500), conditions(500)]), '').ok)
  t.true(checkRules([conditions(1_000), conditions(1_000)], 'rules').ok)
  const checked = checkRules([conditions(1_000), conditions(1_000), conditions(1)], 'rules')
  t.is(checked.ok ? '' : checked.refusal.details![0]?.message, 'must have at most 2000 conditions in all, not 2001')
})
