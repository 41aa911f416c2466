// Tests stored with a policy prevent changes that break them, and templates are valid policies.
import test from 'ava'
import type { Failure } from '../../support/client.js'
import { wholeFile } from '../../support/process.js'
import { startStage, type Policy, type Stage, type Version } from '../../support/policies.js'
import type { PolicyTemplates, VersionList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const pays = (amount: number, expect: string, more: object = {}) => ({
  name: `${amount} is ${expect}`,
  payment: { amount },
  expect,
  ...more,
})
const versions = async (id: string): Promise<Version[]> =>
  (await stage.must<VersionList>('GET', `/api/policies/${id}/versions`)).versions

test('tests are stored from a list or from {tests}, and read back', async (t) => {
  const { id } = await stage.policy([MOST(10)])
  const path = `/api/policies/${id}/tests`
  t.deepEqual(await stage.must('GET', path), { tests: [] })
  const tests = [pays(10, 'APPROVED'), pays(11, 'DENIED')]
  const stored = { tests: tests.map((one) => ({ ...one, facts: {} })) }
  t.deepEqual(await stage.must('PUT', path, tests), stored)
  t.deepEqual(await stage.must('GET', path), stored)
  t.deepEqual(await stage.must('PUT', path, { tests: tests.slice(1) }), { tests: stored.tests.slice(1) })
  t.deepEqual(await stage.must('PUT', path, []), { tests: [] })
  t.is((await versions(id)).length, 1)
})

test('a test may set facts by the names that traces use', async (t) => {
  const rules = [
    { ruleType: 'DAILY_LIMIT', value: 100 },
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 3, period: 'DAY' } },
    { ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'UNKNOWN'] },
    { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD'] },
    { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '09:00', end: '17:00' } },
  ]
  const { id } = await stage.policy(rules)
  const payment = { amount: 5, category: 'cloud', recipientAddress: '0x00000000000000000000000000000000000000b1' }
  const at = (time: string) => Date.parse(`2031-07-09T${time}Z`)
  const tests = [
    { name: 'fine', payment, expect: 'APPROVED' },
    { name: 'within the day', payment, facts: { dayTotal: 100 }, expect: 'APPROVED' },
    { name: 'beyond the day', payment, facts: { dayTotal: 100.000001 }, expect: 'DENIED' },
    { name: 'too often', payment, facts: { 'count:DAY': 4 }, expect: 'DENIED' },
    { name: 'blocked', payment, facts: { counterpartyStatus: 'BLOCKED' }, expect: 'DENIED' },
    { name: 'another category', payment: { ...payment, category: 'games' }, expect: 'DENIED' },
    { name: 'at work', payment, facts: { now: at('16:59:59') }, expect: 'APPROVED' },
    { name: 'after work', payment, facts: { now: at('17:00:00') }, expect: 'DENIED' },
  ]
  await stage.must('PUT', `/api/policies/${id}/tests`, tests)
  for (const { name, expect, ...rest } of tests) {
    const wrong = { name, ...rest, expect: expect === 'DENIED' ? 'APPROVED' : 'DENIED' }
    const refused = await stage.admin<Failure>('PUT', `/api/policies/${id}/tests`, [wrong])
    t.like(refused, { status: 409, body: { code: 'POLICY_TESTS_FAILED' } })
    t.deepEqual(
      refused.body.details!.map(({ path }) => path),
      [name],
    )
  }
})

test('an invalid test is refused with the path of the error', async (t) => {
  const { id } = await stage.policy([MOST(10)])
  const cases: [object, string][] = [
    [{ name: 'A', payment: {}, expect: 'APPROVED' }, 'tests.0.payment.amount'],
    [{ name: 'A', payment: { amount: 'x' }, expect: 'APPROVED' }, 'tests.0.payment.amount'],
    [
      { name: 'A', payment: { amount: 1, recipientAddress: 'nobody' }, expect: 'APPROVED' },
      'tests.0.payment.recipientAddress',
    ],
    [{ name: 'A', payment: { amount: 1, category: 5 }, expect: 'APPROVED' }, 'tests.0.payment.category'],
    [{ name: 'A', payment: { amount: 1, ammount: 1 }, expect: 'APPROVED' }, 'tests.0.payment.ammount'],
    [{ name: 'A', payment: { amount: 1 }, facts: { unknown: 1 }, expect: 'APPROVED' }, 'tests.0.facts.unknown'],
    [{ name: 'A', payment: { amount: 1 }, facts: { dayTotal: 'much' }, expect: 'APPROVED' }, 'tests.0.facts.dayTotal'],
    [{ name: 'A', payment: { amount: 1 }, facts: { trustScore: 101 }, expect: 'APPROVED' }, 'tests.0.facts.trustScore'],
    [{ name: 'A', payment: { amount: 1 }, expect: 'MAYBE' }, 'tests.0.expect'],
    [{ payment: { amount: 1 }, expect: 'DENIED' }, 'tests.0.name'],
  ]
  for (const [one, path] of cases) {
    const answer = await stage.admin<Failure>('PUT', `/api/policies/${id}/tests`, [one])
    t.like(answer, { status: 400, body: { code: 'VALIDATION_ERROR' } }, path)
    t.is(answer.body.details![0]!.path, path)
  }
})

/** A policy whose second version allows up to 20, with tests for that. */
async function tested(): Promise<{ policy: Policy; path: string }> {
  const policy = await stage.policy([MOST(10)])
  const path = `/api/policies/${policy.id}`
  await stage.must('PATCH', `${path}/rules/${policy.rules[0]!.id}`, { value: 20 })
  await stage.must('PUT', `${path}/tests`, [pays(20, 'APPROVED'), pays(15, 'APPROVED'), pays(21, 'DENIED')])
  return { policy, path }
}

/** Changes, with the names of the tests that each breaks; RULE stands for the rule's id. */
const BREAKING: [string, string, unknown, string[]][] = [
  ['PATCH', '/rules/RULE', { value: 15 }, ['20 is APPROVED']],
  ['POST', '/rules', MOST(1), ['20 is APPROVED', '15 is APPROVED']],
  ['PUT', '/rules', { rules: [] }, ['21 is DENIED']],
  ['DELETE', '/rules/RULE', undefined, ['21 is DENIED']],
  ['POST', '/versions/1/rollback', { note: 'Back' }, ['20 is APPROVED', '15 is APPROVED']],
]

for (const [method, at, body, failing] of BREAKING) {
  test(`${method} ${at} that breaks tests is refused with their names, unless forced, which is recorded`, async (t) => {
    const { policy, path } = await tested()
    const target = path + at.replace('RULE', policy.rules[0]!.id)
    const refused = await stage.admin<Failure>(method, target, body)
    t.like(refused, { status: 409, body: { code: 'POLICY_TESTS_FAILED' } })
    t.deepEqual(
      refused.body.details!.map((detail) => detail.path),
      failing,
    )
    refused.body.details!.forEach(({ message }) => t.regex(message, /expects .* would be /))
    t.is((await stage.admin(method, `${target}?force=false`, body)).status, 409)
    t.is((await versions(policy.id)).length, 2)
    t.true((await stage.admin<Policy>(method, `${target}?force=true`, body)).status < 300)
    const [newest] = await versions(policy.id)
    const forced = `forced past ${failing.length} failing tests: ${failing.join(', ')}`
    t.is(newest!.note, at.endsWith('rollback') ? `Back (${forced})` : forced)
  })
}

test('a change that breaks no test needs no force and leaves no note', async (t) => {
  const policy = await stage.policy([MOST(10)])
  const path = `/api/policies/${policy.id}`
  await stage.must('PUT', `${path}/tests`, [pays(5, 'APPROVED'), pays(50, 'DENIED')])
  await stage.must('PATCH', `${path}/rules/${policy.rules[0]!.id}?force=true`, { value: 20 })
  await stage.must('PATCH', path, { priority: 1 })
  t.deepEqual(
    (await versions(policy.id)).map(({ note }) => note),
    [null, null, null],
  )
  t.is((await stage.admin('PATCH', `${path}?force=maybe`, { priority: 1 })).status, 400)
})

test('two concurrent changes, each valid alone, do not break a test together', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const either = { ruleType: 'ANY_OF', value: [MOST(100), { ruleType: 'TRUST_SCORE', value: 100 }] }
    const policy = await stage.policy([MOST(50), either])
    const path = `/api/policies/${policy.id}`
    await stage.must('PUT', `${path}/tests`, [pays(500, 'DENIED')])
    const answers = await Promise.all(policy.rules.map(({ id }) => stage.admin('DELETE', `${path}/rules/${id}`)))
    t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})

test('60 concurrent changes of a policy with tests make 60 consecutive versions', async (t) => {
  const { id } = await stage.policy([MOST(10)])
  const path = `/api/policies/${id}`
  await stage.must('PUT', `${path}/tests`, [pays(11, 'DENIED')])
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => stage.must<Policy>('PATCH', path, { priority: index })),
  )
  t.deepEqual(
    answers.map(({ version }) => version).sort((a, b) => a - b),
    Array.from({ length: 60 }, (_, index) => index + 2),
  )
})

test('there are eight templates, and each is accepted as a policy unchanged', async (t) => {
  const { templates } = await stage.must<PolicyTemplates>('GET', '/api/policy-templates')
  t.is(templates.length, 8)
  t.is(new Set(templates.map(({ id }) => id)).size, 8)
  for (const { id: _id, ...template } of templates) {
    const policy = await stage.must<Policy>('POST', '/api/policies', template)
    const { rules, ...metadata } = template
    t.like(policy, metadata)
    t.deepEqual(
      policy.rules.map(({ id: _ruleId, ...rule }) => rule),
      rules as never,
    )
    const agent = await stage.agent()
    await stage.assign(policy.id, agent)
    const { violations = [] } = await stage.ask(agent, 1, { category: 'CLOUD' })
    t.false(
      violations.some(({ type }) => type === 'POLICY_ERROR'),
      template.name,
    )
  }
})
