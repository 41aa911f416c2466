// Every route answers exactly as /openapi.json describes.
import test from 'ava'
import type { Answer } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { ask, fundedAgent, made, RECIPIENT, type FundedAgent } from '../support/payments.js'
import { turnsOf } from '../support/depth.js'
import { descriptionAt, type Described } from '../support/answers.js'
import { deedFor } from '../support/requests.js'
import { newPerson } from '../support/people.js'
import { absentIds, idsFor, populate } from '../support/population.js'
import { bodyOf, rowsOf, urlOf, type Row } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'
import type { Payment, PaymentList } from '../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const MINUTE_MS = 60_000
const scope = wholeFile(test)
let service: Started
let rows: Row[]
let described: Described

test.before('the service starts', async () => {
  service = await start(scope, {
    at: NOON,
    env: { BURSAR_RATE_LIMITS: 'payments=100000,reads=100000,admin=100000,login=1000' },
  })
  rows = await rowsOf(service.url)
  described = await descriptionAt(service.url)
})

const isJson = ({ answers }: Row): boolean => Object.keys(answers).some((status) => status < '300')
const problemOf = (row: Row, { status, body }: Answer<unknown>): string | undefined =>
  described.problem(row, status, body)

test.serial("every route's successful answer matches its description, member by member", async (t) => {
  t.true(rows.length >= 60)
  for (const row of rows.filter(isJson)) {
    const { path, key, body } = await deedFor(service.client, row)
    const answer = await service.client.send(row.method, path, key, body)
    t.true(answer.status < 300, `${row.title}: ${answer.status} ${JSON.stringify(answer.body)}`)
    t.is(problemOf(row, answer), undefined, `${row.title}: ${JSON.stringify(answer.body)}`)
  }
})

const CONTEXT = { order: 7, lines: ['a', { b: null }] }
const ASKED = {
  recipientName: 'Cloud',
  purpose: 'Servers',
  category: 'CLOUD',
  executionContext: 'prod',
  urgency: 'HIGH',
  context: CONTEXT,
}
const RULES = [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1000 },
  { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 },
  { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 50, period: 'DAY' } },
]

/** A payment in each status, with every optional field, decided by a policy. */
async function payments(agent: FundedAgent): Promise<{ [status: string]: string }> {
  const { client } = service
  const asked = async (amount: number, more = {}) =>
    (await ask(client, agent.key, amount, { ...ASKED, ...more })).body.requestId
  const executed = await asked(1, { autoExecute: true, idempotencyKey: 'one' })
  const [cancelled, expired] = [await asked(2), await asked(3)]
  await client.post(`/api/sdk/payments/${cancelled}/cancel`, agent.key)
  service.setClock(service.now() + 6 * MINUTE_MS)
  return {
    EXECUTED: executed,
    CANCELLED: cancelled,
    EXPIRED: expired,
    REQUIRES_APPROVAL: await asked(500),
    DENIED: await asked(5000),
    APPROVED: await asked(4),
  }
}

test.serial('payments in every status match their description and show the fields of their request', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Described' })
  await made(service.client, '/api/policies', {
    name: 'P',
    policyType: 'SPEND_LIMIT',
    rules: RULES,
    agentIds: [agent.agentId],
  })
  const ids = await payments(agent)
  for (const [path, key] of [
    ['/api/payments/{paymentId}', ORGANIZATION_KEY],
    ['/api/sdk/payments/{paymentId}', agent.key],
    ['/api/payments', ORGANIZATION_KEY],
    ['/api/sdk/payments', agent.key],
  ] as const) {
    const row = rows.find((one) => one.title === `GET ${path}`)!
    for (const [status, paymentId] of Object.entries(ids)) {
      const url = `${urlOf(row, { paymentId })}${path.endsWith('}') ? '' : `?status=${status}`}`
      const answer = await service.client.get<Payment & Partial<PaymentList>>(url, key)
      t.is(problemOf(row, answer), undefined, `${url}: ${JSON.stringify(answer.body)}`)
      const shown = (answer.body.payments ?? [answer.body]).find(({ id }) => id === paymentId)
      t.like(shown, { ...ASKED, id: paymentId, requestId: paymentId, status, context: CONTEXT }, url)
      t.is(shown!.idempotencyKey, status === 'EXECUTED' ? 'one' : null)
      t.false(Object.hasOwn(shown!, 'metadata'))
      t.is(Array.isArray(shown!.context!['nextSteps']), status === 'DENIED')
    }
  }
})

test.serial('decisions, replays and the reads of agents match their descriptions, whatever the outcome', async (t) => {
  const agent = await fundedAgent(service.client, {
    name: 'Decided',
    terms: { spendLimitDaily: 100, delegationType: 'FULL' },
  })
  const check = async (method: string, path: string, key: string, ids: { [name: string]: string }, body?: object) => {
    const row = rows.find(({ title }) => title === `${method} ${path}`)!
    const answer = await service.client.send<{ requestId: string }>(method, urlOf(row, ids), key, body)
    t.true(answer.status < 300, JSON.stringify(answer.body))
    t.is(problemOf(row, answer), undefined, `${row.title}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  for (const amount of [1, 101, 1_000_000]) {
    const payment = { amount, recipientAddress: RECIPIENT, ...ASKED }
    const { requestId } = await check('POST', '/api/sdk/payments/request', agent.key, {}, payment)
    await check('POST', '/api/policies/evaluate', ORGANIZATION_KEY, {}, { agentId: agent.agentId, payment })
    for (const policies of ['stored', 'current'])
      await check('POST', '/api/payments/{paymentId}/replay', ORGANIZATION_KEY, { paymentId: requestId }, { policies })
  }
  await check('GET', '/api/sdk/counterparties', agent.key, { address: RECIPIENT })
  for (const path of ['/api/sdk/setup', '/api/sdk/wallets', '/api/sdk/policies', '/api/sdk/transactions'])
    await check('GET', path, agent.key, {})
  await check('GET', '/api/agents/{agentId}', ORGANIZATION_KEY, { agentId: agent.agentId })
})

test.serial('answers about policies match their descriptions: rules, tests, differences, versions', async (t) => {
  const { client } = service
  const policy = await made<{ id: string }>(client, '/api/policies', {
    name: 'P',
    policyType: 'COMPOSITE',
    rules: RULES,
  })
  const path = `/api/policies/${policy.id}`
  const cases = [{ name: 'Small', payment: { amount: 5, category: 'CLOUD' }, facts: { total: 7 }, expect: 'APPROVED' }]
  const answers: [title: string, url: string, body?: object][] = [
    ['PUT /api/policies/{policyId}/tests', `${path}/tests`, { tests: cases }],
    ['GET /api/policies/{policyId}/tests', `${path}/tests`],
    ['POST /api/policies/{policyId}/rules', `${path}/rules`, { ruleType: 'ANY_OF', value: [RULES[0], RULES[0]] }],
    ['PATCH /api/policies/{policyId}', path, { description: 'D', priority: 51 }],
    ['GET /api/policies/{policyId}', `${path}?format=json-rules-engine`],
    ['GET /api/policies/{policyId}/versions/compare', `${path}/versions/compare?from=1&to=3`],
    ['GET /api/policies/{policyId}/versions/compare', `${path}/versions/compare?from=3&to=1`],
    ['POST /api/policies/{policyId}/versions/{version}/rollback', `${path}/versions/1/rollback`, { note: 'Back' }],
    ['GET /api/policies/{policyId}/versions', `${path}/versions`],
    ['GET /api/policies/{policyId}/versions/{version}', `${path}/versions/3`],
  ]
  for (const [title, url, body] of answers) {
    const row = rows.find((one) => one.title === title)!
    const answer = await client.send(row.method, url, ORGANIZATION_KEY, body)
    t.true(answer.status < 300, `${title}: ${JSON.stringify(answer.body)}`)
    t.is(problemOf(row, answer), undefined, `${title}: ${JSON.stringify(answer.body)}`)
  }
})

test.serial('refusals match their descriptions: no key, no JSON, an unknown parameter, unknown ids', async (t) => {
  const { agentKey } = await populate(service.client, ORGANIZATION_KEY)
  const person = (await newPerson(service.client, 'OWNER')).cookie
  const keys = { organization: ORGANIZATION_KEY, person, agent: agentKey, operator: OPERATOR_KEY, none: '' }
  for (const [number, row] of rows.filter(({ key }) => key !== 'none').entries()) {
    const url = urlOf(row, idsFor(row, absentIds()))
    const key = keys[row.key]
    const strange = `${url}${url.includes('?') ? '&' : '?'}nonsense=1`
    const asked: [status: number, url: string, key: string, body?: unknown][] = [
      [401, url, 'nonsense'],
      [400, strange, key, bodyOf(row, {})],
    ]
    if (row.method !== 'GET') asked.push([400, url, key, '{"broken":'])
    if (row.params.length > 0) asked.push([404, url, key, bodyOf(row, {})])
    for (const [status, ...given] of turnsOf(asked, number)) {
      const answer = await service.client.send(row.method, ...given)
      t.is(answer.status, status, `${row.title}: ${JSON.stringify(answer.body)}`)
      t.is(problemOf(row, answer), undefined, `${row.title}: ${JSON.stringify(answer.body)}`)
    }
  }
  t.deepEqual(service.logged, [])
})
