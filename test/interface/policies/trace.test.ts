// Every decision can be explained, replayed and tried beforehand: traces, replays, dry runs and the exported rule set.
import test from 'ava'
import { Engine, type RuleProperties } from 'json-rules-engine'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import {
  anotherAddress,
  DAY_MS,
  NOON,
  startStage,
  type Decided,
  type PolicyTrace,
  type Stage,
} from '../../support/policies.js'
import type { FrozenAgent } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const CATEGORIES = (...value: string[]) => ({ ruleType: 'ALLOWED_CATEGORIES', value })
const VENDOR = '0x00000000000000000000000000000000000000b1'
/** One rule of every type that reads its own fact. */
const ALL_RULES = [
  MOST(50),
  { ruleType: 'DAILY_LIMIT', value: 60 },
  { ruleType: 'WEEKLY_LIMIT', value: 1000 },
  { ruleType: 'MONTHLY_LIMIT', value: 1000 },
  { ruleType: 'BUDGET_CAP', value: { amount: 70.5, period: 'TOTAL' } },
  { ruleType: 'BUDGET_CAP', value: { amount: 80, period: 'DAILY', of: 'POLICY' } },
  { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 3, period: 'HOUR' } },
  { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '09:00', end: '17:00', timezone: 'Asia/Tokyo' } },
  { ruleType: 'DAY_OF_WEEK', operator: 'NOT_IN_LIST', value: ['Sun'] },
  { ruleType: 'DATE_RANGE', value: { start: '2031-01-01', end: '2031-12-31' } },
  {
    ruleType: 'BLACKOUT_PERIOD',
    value: { windows: [{ start: '2031-07-09T11:00:00Z', end: '2031-07-10', reason: 'Moving' }] },
  },
  CATEGORIES('CLOUD', 'TOOLS'),
  { ruleType: 'BLOCKED_CATEGORIES', value: ['GAMES'], action: 'REQUIRE_APPROVAL' },
  { ruleType: 'ALLOWED_COUNTERPARTIES', value: [VENDOR] },
  { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'UNKNOWN'] },
  { ruleType: 'TRUST_SCORE', value: 10 },
  { ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 20 },
  { ruleType: 'NEW_COUNTERPARTY', value: true },
  {
    ruleType: 'ALL_OF',
    value: [MOST(40), { ruleType: 'ANY_OF', value: [CATEGORIES('CLOUD'), { ruleType: 'TRUST_SCORE', value: 90 }] }],
  },
]
const REQUESTS: [number, object][] = [
  [10, { category: 'cloud', recipientAddress: VENDOR }],
  [45, { category: 'GAMES' }],
  [20.000001, { category: 'TOOLS', recipientAddress: VENDOR }],
  [500, { recipientAddress: anotherAddress() }],
]

const outcomes = ({ rules }: PolicyTrace) => rules.map(({ ruleId, outcome }) => [ruleId, outcome])

test.serial('a trace shows each rule with its version, hash, facts, outcome and explanation', async (t) => {
  const { agent, policy } = await stage.governed(ALL_RULES)
  const strict = await stage.policy([MOST(5)], { agentIds: [agent.agentId], priority: 90 })
  const { requestId } = await stage.ask(agent, 45, { category: 'GAMES' })
  const { trace, violations, status } = await stage.traced(requestId)
  t.is(status, 'DENIED')
  t.is(trace.outcome, 'DENIED')
  t.deepEqual(trace.violations, violations!)
  t.deepEqual(
    trace.policies.map(({ policyId }) => policyId),
    [strict.id, policy.id],
  )
  const [, shown] = trace.policies
  t.like(shown, { policyVersion: 1, policyName: policy.name, contentHash: policy.contentHash })
  t.deepEqual(
    shown!.rules.map(({ ruleId, ruleType, operator, value, action }) => ({
      id: ruleId,
      ruleType,
      operator,
      value,
      action,
    })),
    policy.rules,
  )
  for (const { explanation, facts, outcome, ruleType } of shown!.rules) {
    t.true(explanation.length > 10, ruleType)
    t.true(Object.keys(facts).length > 0, ruleType)
    t.true(['PASSED', 'DENIED', 'REQUIRES_APPROVAL'].includes(outcome))
  }
  const rule = (index: number) => shown!.rules[index]!
  t.like(rule(0), { outcome: 'PASSED', facts: { amount: 45 } })
  t.like(rule(1), { outcome: 'PASSED', facts: { amount: 45, dayTotal: 45 } })
  t.like(rule(6), { facts: { 'count:HOUR': 1 } })
  t.like(rule(7), { outcome: 'DENIED', facts: { 'minute@Asia/Tokyo': 21 * 60 } })
  t.like(rule(11), { outcome: 'DENIED', facts: { category: 'GAMES' } })
  t.like(rule(12), { outcome: 'REQUIRES_APPROVAL' })
  t.like(rule(16), { outcome: 'REQUIRES_APPROVAL' })
  t.regex(rule(10).explanation, /Moving/)
  const denied = trace.policies.flatMap(({ rules }) => rules.filter((one) => one.outcome === 'DENIED'))
  t.deepEqual(
    denied.map(({ ruleId, explanation }) => [ruleId, explanation]),
    violations!.map(({ ruleId, message }) => [ruleId, message]) as never,
  )
})

test.serial('a payment to which no policy applied has an empty trace', async (t) => {
  const { requestId } = await stage.ask(await stage.agent(), 1)
  const { trace } = await stage.traced(requestId)
  t.deepEqual(trace, { outcome: 'APPROVED', violations: [], policies: [] })
  t.like(await stage.replay(requestId), { outcome: 'APPROVED', matches: true, policies: [] })
})

test.serial('a trace shows which gate refused a payment that the facts allowed, and why', async (t) => {
  const agent = await stage.agent()
  const { requestId } = await stage.ask(agent, 50)
  t.false('refusal' in (await stage.traced(requestId)).trace)
  await stage.must('PATCH', `/api/agents/${agent.agentId}/wallets/${agent.walletId}`, { spendLimitDaily: 49 })
  t.is((await stage.execute(agent, requestId)).status, 400)
  const { status, violations, trace } = await stage.traced(requestId)
  t.is(status, 'DENIED')
  t.like(trace, { outcome: 'APPROVED', violations: [], refusal: { gate: 'delegation', violations: violations! } })
  t.like(trace.refusal!.violations, [{ type: 'DAILY_LIMIT', limit: 49, current: 0 }])
})

test.serial("a gate's refusal of an execution is not in the trace once a later one succeeds", async (t) => {
  const agent = await stage.agent()
  const { requestId } = await stage.ask(agent, 50)
  const setStatus = (status: string) => stage.must('PATCH', `/api/wallets/${agent.walletId}`, { status })
  await setStatus('FROZEN')
  t.is((await stage.execute(agent, requestId)).status, 400)
  t.like((await stage.traced(requestId)).trace.refusal, { gate: 'wallet', violations: [{ type: 'WALLET_NOT_ACTIVE' }] })
  await setStatus('ACTIVE')
  t.is((await stage.execute(agent, requestId)).status, 200)
  t.false('refusal' in (await stage.traced(requestId)).trace)
})

test.serial('a trace shows the decision on the request beside the one on its execution', async (t) => {
  for (const [limit, outcome] of [
    [60, 'APPROVED'],
    [49, 'DENIED'],
  ] as const) {
    const { agent, policy } = await stage.governed([MOST(100)])
    const { requestId, policyDecision } = await stage.ask(agent, 50)
    const { request: none, ...asked } = (await stage.traced(requestId)).trace
    t.is(none, undefined)
    await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [MOST(limit)] })
    await stage.execute(agent, requestId)
    const payment = await stage.traced(requestId)
    t.is(payment.trace.outcome, outcome)
    t.is(payment.trace.policies[0]!.policyVersion, 2)
    t.deepEqual(payment.trace.request, { ...policyDecision, ...asked })
    t.not(payment.policyDecision.decisionId, policyDecision.decisionId)
    t.like(await stage.replay(requestId), {
      outcome,
      matches: true,
      policySetHash: payment.policyDecision.policySetHash,
    })
  }
})

test.serial('a replay reproduces the stored decision, whatever has changed since', async (t) => {
  const { agent, policy } = await stage.governed(ALL_RULES)
  const asked: Decided[] = []
  for (const [amount, more] of REQUESTS) asked.push(await stage.ask(agent, amount, more))
  t.true(new Set(asked.map(({ status }) => status)).has('DENIED'))
  const path = `/api/policies/${policy.id}`
  const upheavals: (() => Promise<unknown>)[] = [
    async () => undefined,
    () => stage.must('PUT', `${path}/rules`, { rules: [MOST(0)] }),
    () => stage.must('PATCH', path, { isActive: false, priority: 1, name: 'Renamed' }),
    () => stage.must('DELETE', `/api/agents/${agent.agentId}/policies?policyId=${policy.id}`),
    () => stage.must('DELETE', path),
    () => stage.must('DELETE', `/api/agents/${agent.agentId}`),
    async () => stage.setClock(NOON + 3 * DAY_MS),
    () => stage.restart(),
  ]
  const before = await Promise.all(asked.map(({ requestId }) => stage.traced(requestId)))
  for (const upheaval of upheavals) {
    await upheaval()
    for (const [index, { requestId, policyDecision }] of asked.entries()) {
      const replayed = await stage.replay(requestId)
      const { trace } = before[index]!
      t.like(replayed, {
        requestId,
        matches: true,
        outcome: trace.outcome,
        policySetHash: policyDecision.policySetHash,
      })
      t.deepEqual(replayed.violations, trace.violations)
      t.deepEqual(replayed.policies, trace.policies)
      t.deepEqual((await stage.traced(requestId)).trace, trace)
    }
  }
  stage.setClock(NOON)
})

test.serial('a replay under the current policies gives their decision', async (t) => {
  const { agent, policy } = await stage.governed([MOST(100)])
  const { requestId } = await stage.ask(agent, 50)
  const path = `/api/policies/${policy.id}`
  t.like(await stage.replay(requestId, 'current'), { outcome: 'APPROVED', matches: true })
  const rules: [object, string][] = [
    [MOST(49), 'DENIED'],
    [MOST(50), 'APPROVED'],
    [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 10 }, 'REQUIRES_APPROVAL'],
    [CATEGORIES('CLOUD'), 'DENIED'],
    [{ ruleType: 'DAILY_LIMIT', value: 50 }, 'APPROVED'],
    [{ ruleType: 'DAILY_LIMIT', value: 49 }, 'DENIED'],
    [{ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Wed'] }, 'APPROVED'],
    [{ ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'DAY' } }, 'APPROVED'],
    [{ ruleType: 'BUDGET_CAP', value: { amount: 50, period: 'TOTAL', of: 'POLICY' } }, 'APPROVED'],
    [{ ruleType: 'BUDGET_CAP', value: { amount: 49, period: 'TOTAL', of: 'POLICY' } }, 'DENIED'],
  ]
  const check = async (when: string): Promise<void> => {
    for (const [rule, outcome] of rules) {
      await stage.must('PUT', `${path}/rules`, { rules: [rule] })
      const today = await stage.replay(requestId, 'current')
      const problem = today.violations.map(({ message }) => message).join()
      t.like(today, { outcome, matches: false }, `${when}: ${JSON.stringify(rule)} ${problem}`)
      t.false(today.violations.some(({ type }) => type === 'POLICY_ERROR'))
      t.like(await stage.replay(requestId), { outcome: 'APPROVED', matches: true })
    }
  }
  await check('approved')
  await stage.must('PUT', `${path}/rules`, { rules: [] })
  t.is((await stage.execute(agent, requestId)).status, 200)
  for (const [rule, outcome] of rules) {
    await stage.must('PUT', `${path}/rules`, { rules: [rule] })
    t.is((await stage.replay(requestId, 'current')).outcome, outcome, `executed: ${JSON.stringify(rule)}`)
  }
})

test.serial('a replay keeps what the delegation requires: approval or a denial', async (t) => {
  const waiting = await stage.agent({ terms: { delegationType: 'PREAPPROVED' } })
  const poor = await stage.agent({ terms: { spendLimitPerTx: 5 } })
  for (const [agent, status] of [
    [waiting, 'REQUIRES_APPROVAL'],
    [poor, 'DENIED'],
  ] as const) {
    const { requestId } = await stage.ask(agent, 10)
    for (const policies of ['stored', 'current'] as const) {
      t.like(await stage.replay(requestId, policies), { outcome: status, matches: true })
    }
  }
  const refused = await stage.admin('POST', `/api/payments/${'c'.repeat(25)}/replay`)
  t.is(refused.status, 404)
  const { requestId } = await stage.ask(poor, 1)
  t.is((await stage.admin('POST', `/api/payments/${requestId}/replay`, { policies: 'old' })).status, 400)
})

interface RuleSet {
  id: string
  version: number
  contentHash: string
  facts: string[]
  rules: (RuleProperties & { name: string })[]
}

/** What json-rules-engine, used without Bursar's code, decides by each rule that objects. */
async function plainly({ rules }: RuleSet, facts: object): Promise<Map<string, string>> {
  const engine = new Engine(rules)
  const { results } = await engine.run(facts as Record<string, unknown>)
  const objections = { DENY: 'DENIED', REQUIRE_APPROVAL: 'REQUIRES_APPROVAL' } as Record<string, string>
  return new Map(results.map(({ name, event }) => [name!, objections[event!.type]!]))
}

test.serial('json-rules-engine alone decides the exported rules as the trace does', async (t) => {
  const { agent, policy } = await stage.governed(ALL_RULES)
  const path = `/api/policies/${policy.id}?format=json-rules-engine`
  const set = await stage.must<RuleSet>('GET', path)
  t.like(set, { id: policy.id, version: 1, contentHash: policy.contentHash })
  const seen = new Set<string>()
  for (const [amount, more] of REQUESTS) {
    const { requestId } = await stage.ask(agent, amount, more)
    const {
      policies: [traced],
    } = (await stage.traced(requestId)).trace
    const facts = Object.assign({}, ...traced!.rules.map((one) => one.facts)) as object
    t.deepEqual(Object.keys(facts).sort(), set.facts)
    const said = await plainly(set, facts)
    const expected = traced!.rules.map(({ ruleId }) => [ruleId, said.get(`${policy.id}/${ruleId}`) ?? 'PASSED'])
    t.deepEqual(outcomes(traced!), expected as never)
    for (const { outcome } of traced!.rules) seen.add(outcome)
  }
  t.deepEqual([...seen].sort(), ['DENIED', 'PASSED', 'REQUIRES_APPROVAL'])
  t.is((await stage.admin('GET', `/api/policies/${policy.id}?format=yaml`)).status, 400)
})

/** Everything that a dry run must not change. */
async function everything(agentId: string): Promise<unknown> {
  const paths = ['/api/payments', '/api/transactions', '/api/wallets', '/api/policies', `/api/agents/${agentId}`]
  const answers = await Promise.all(paths.map((path) => stage.must('GET', path)))
  return answers
}
/** Explanations contain the time to the millisecond. */
const timeless = (value: unknown): string => String(JSON.stringify(value)).replace(/2031-07-09T12:00:[\d.]+Z/g, 'now')
const evaluate = (body: unknown) => stage.admin<Decided>('POST', '/api/policies/evaluate', body)

test.serial('a dry run shows the balance that its request would leave available', async (t) => {
  const { agent } = await stage.governed([{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }])
  const seen: string[] = []
  for (const amount of [10, 150, 1e7]) {
    const { body } = await evaluate({ agentId: agent.agentId, payment: { amount, recipientAddress: VENDOR } })
    const asked = await stage.ask(agent, amount, { recipientAddress: VENDOR })
    t.deepEqual(body.wallet, asked.wallet)
    seen.push(asked.status)
  }
  t.deepEqual(seen, ['APPROVED', 'REQUIRES_APPROVAL', 'DENIED'])
})

test.serial('a dry run answers like a request and stores nothing', async (t) => {
  const { agent } = await stage.governed(ALL_RULES)
  const { agentId } = agent
  const freeze = () => stage.must<FrozenAgent>('POST', `/api/agents/${agentId}/freeze`, { reason: 'Look' })
  const thaw = () => stage.must<FrozenAgent>('POST', `/api/agents/${agentId}/unfreeze`)
  await freeze()
  const { auditSequence } = await thaw()
  const before = await everything(agentId)
  const dry: Decided[] = []
  for (const [amount, more] of REQUESTS) {
    const { status, body } = await evaluate({ agentId, payment: { amount, recipientAddress: VENDOR, ...more } })
    t.is(status, 200)
    dry.push(body)
  }
  t.deepEqual(await everything(agentId), before)
  t.is((await stage.admin('GET', `/api/payments/${dry[0]!.requestId}`)).status, 404)
  t.is((await freeze()).auditSequence, auditSequence + 1)
  await thaw()
  for (const [index, [amount, more]] of REQUESTS.entries()) {
    const real = await stage.ask(agent, amount, { recipientAddress: VENDOR, ...more })
    const tried = dry[index]!
    t.deepEqual(Object.keys(tried).sort(), Object.keys(real).sort())
    for (const field of [
      'status',
      'amount',
      'currency',
      'recipientAddress',
      'reasons',
      'violations',
      'hint',
      'nearest',
    ] as const) {
      t.deepEqual(timeless(tried[field]), timeless(real[field]), field)
    }
    t.is(tried.policyDecision.policySetHash, real.policyDecision.policySetHash)
    if (real.status !== 'DENIED') await stage.client.post(`/api/sdk/payments/${real.requestId}/cancel`, agent.key)
  }
})

test.serial('a dry run assumes a key with every agent scope', async (t) => {
  const { agentId } = await stage.agent()
  const { body } = await evaluate({ agentId, payment: { amount: 1, recipientAddress: VENDOR, autoExecute: true } })
  t.like(body, { status: 'APPROVED', autoExecuteError: undefined } as never)
})

test.serial('a dry run of an invalid request is refused like the request', async (t) => {
  const { agentId } = await stage.agent()
  const payment = { amount: 1, recipientAddress: VENDOR }
  const refused: [unknown, number, string][] = [
    [{ agentId: 'c'.repeat(25), payment }, 404, 'NOT_FOUND'],
    [{ payment }, 400, 'VALIDATION_ERROR'],
    [{ agentId }, 400, 'VALIDATION_ERROR'],
    [{ agentId, payment: { ...payment, amount: 0 } }, 400, 'INVALID_AMOUNT'],
    [{ agentId, payment: { ...payment, recipientAddress: '0x1' } }, 400, 'INVALID_ADDRESS'],
    [{ agentId, payment: { ...payment, recipientAddress: `0x${'0'.repeat(40)}` } }, 400, 'INVALID_RECIPIENT'],
    [{ agentId, payment: { ...payment, walletId: 'c'.repeat(25) } }, 404, 'NOT_FOUND'],
    [{ agentId, payment, more: 1 }, 400, 'VALIDATION_ERROR'],
  ]
  for (const [body, status, code] of refused)
    t.like(await evaluate(body), { status, body: { code } } as never, JSON.stringify(body))
})

/** Ways for a requested payment to count nowhere. The last moves the clock, which cannot go back. */
const ENDINGS: [status: string, reach: (agent: FundedAgent) => Promise<Decided>][] = [
  ['DENIED', (agent) => stage.ask(agent, 101)],
  [
    'CANCELLED',
    async (agent) => {
      const asked = await stage.ask(agent, 50)
      await stage.client.post(`/api/sdk/payments/${asked.requestId}/cancel`, agent.key)
      return asked
    },
  ],
  [
    'EXPIRED',
    async (agent) => {
      const asked = await stage.ask(agent, 50)
      stage.setClock(NOON + DAY_MS)
      return asked
    },
  ],
]

for (const [status, reach] of ENDINGS) {
  test.serial(`a replay under the current policies counts a payment that is ${status} as one more`, async (t) => {
    const { agent, policy } = await stage.governed([MOST(100)])
    await stage.pay(agent, 1)
    const { requestId } = await reach(agent)
    t.is<string, string>((await stage.traced(requestId)).status, status)
    for (const [maxCount, outcome] of [
      [1, 'DENIED'],
      [2, 'APPROVED'],
    ] as const) {
      const rules = [{ ruleType: 'VELOCITY_LIMIT', value: { maxCount, period: 'WEEK' } }]
      await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules })
      t.is((await stage.replay(requestId, 'current')).outcome, outcome, `at most ${maxCount}`)
    }
  })
}
