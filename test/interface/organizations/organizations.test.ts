// The caller's organization, and the creation of further ones with the operator key.
import test from 'ava'
import { findOrganization, updateOrganization } from '../../../src/commands/organizations/organizations.js'
import type { Caller } from '../../../src/commands/ports.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { done, newOrganization, openBare } from '../../support/commands.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { NewOrganization, Organization, OrganizationKeyList } from '../../../sdk/api.js'

const MINUTE_MS = 60_000
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

const create = (body: object = { name: 'Further' }, key = OPERATOR_KEY) =>
  service.client.post<Required<NewOrganization>>('/api/organizations', key, body)
const read = (key: string) => service.client.get<Organization>('/api/organization', key)
const patch = (key: string, body: object) => service.client.send<Organization>('PATCH', '/api/organization', key, body)
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })

test('the operator creates organizations, each with its own key', async (t) => {
  const { status, body } = await create()
  t.is(status, 201)
  t.deepEqual(Object.keys(body).sort(), ['apiKey', 'id', 'name'])
  t.like((await read(body.apiKey)).body, { id: body.id, name: 'Further', timezone: 'UTC', settlementMode: 'test' })
  t.not((await read(ORGANIZATION_KEY)).body.id, body.id)
  const again = (await create()).body
  t.not(again.id, body.id)
  t.not(again.apiKey, body.apiKey)
})

test('organizations see nothing of each other', async (t) => {
  const { apiKey } = (await create()).body
  const agent = await fundedAgent(service.client, { name: 'Mine' })
  await ask(service.client, agent.key, 1, { autoExecute: true })
  for (const [path, noun] of [
    ['/api/agents', 'agents'],
    ['/api/wallets', 'wallets'],
    ['/api/payments', 'payments'],
    ['/api/transactions', 'transactions'],
  ] as const) {
    const { body } = await service.client.get<{ [noun: string]: unknown[] }>(path, apiKey)
    t.deepEqual(body[noun], [], path)
  }
  const same = await service.client.post('/api/agents', apiKey, { name: 'Mine', agentType: 'CUSTOM' })
  t.is(same.status, 201)
  const { keys } = (await service.client.get<OrganizationKeyList>('/api/api-keys', apiKey)).body
  t.is(keys.length, 1)
})

test('without an operator key the route does not exist for anybody', async (t) => {
  const own = await start(t, { operatorKey: undefined })
  for (const key of [OPERATOR_KEY, ORGANIZATION_KEY, 'nonsense']) {
    t.deepEqual(failureOf(await own.client.post('/api/organizations', key, { name: 'No' })), {
      status: 404,
      code: 'NOT_FOUND',
    })
    t.deepEqual(failureOf(await own.client.get('/api/organizations', key)), { status: 404, code: 'NOT_FOUND' })
  }
})

test('a name has 1 to 100 characters', async (t) => {
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 7 }, { name: 'A', id: 'x' }]) {
    t.deepEqual(failureOf(await create(body)), { status: 400, code: 'VALIDATION_ERROR' })
  }
})

test('an organization shows all of its settings', async (t) => {
  const { id, name, apiKey } = (await create()).body
  t.deepEqual((await read(apiKey)).body, {
    id,
    name,
    timezone: 'UTC',
    webhookUrl: null,
    webhookConfigured: false,
    status: 'ACTIVE',
    governance: { enabled: false, actions: [], requiredApprovals: 1, timeoutHours: 24, strictLineage: false },
    paymentTimeouts: { approvedMinutes: 5, approvalHours: 24 },
    settlementMode: 'test',
    limits: { payments: null, agents: null, policies: null, counterparties: null },
    rateLimits: null,
  })
})

test('an update changes only the fields in it', async (t) => {
  const { apiKey } = (await create()).body
  t.like((await patch(apiKey, { name: 'Renamed' })).body, { name: 'Renamed', timezone: 'UTC' })
  t.like((await patch(apiKey, { timezone: 'Europe/Berlin' })).body, { name: 'Renamed', timezone: 'Europe/Berlin' })
  t.like((await read(apiKey)).body, { name: 'Renamed', timezone: 'Europe/Berlin' })
  for (const body of [
    { timezone: 'Mars' },
    { timezone: '+02:00' },
    { name: null },
    { name: '' },
    { settlementMode: 'live' },
  ]) {
    t.deepEqual(failureOf(await patch(apiKey, body)), { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(body))
  }
})

test('null resets settings to their defaults', async (t) => {
  const { apiKey } = (await create()).body
  const initial = (await read(apiKey)).body
  await patch(apiKey, { timezone: 'Europe/Berlin', paymentTimeouts: { approvedMinutes: 1, approvalHours: 2 } })
  const halfway = await patch(apiKey, { timezone: null, paymentTimeouts: { approvedMinutes: null } })
  t.like(halfway.body, { timezone: 'UTC', paymentTimeouts: { approvedMinutes: 5, approvalHours: 2 } })
  t.deepEqual((await patch(apiKey, { paymentTimeouts: null })).body, initial)
})

test("the organization's timeouts apply to approved and to waiting payments", async (t) => {
  const own = await start(t, { at: Date.parse('2031-07-09T12:00:00Z') })
  t.like((await own.client.get<Organization>('/api/organization', ORGANIZATION_KEY)).body, {
    paymentTimeouts: { approvedMinutes: 5, approvalHours: 24 },
  })
  const paymentTimeouts = { approvedMinutes: 1, approvalHours: 2 }
  const { body } = await own.client.send<Organization>('PATCH', '/api/organization', ORGANIZATION_KEY, {
    paymentTimeouts,
  })
  t.deepEqual(body.paymentTimeouts, paymentTimeouts)
  for (const [delegationType, minutes] of [
    ['LIMITED', 1],
    ['PREAPPROVED', 120],
  ] as const) {
    const agent = await fundedAgent(own.client, { name: delegationType, terms: { delegationType } })
    const asked = (await ask(own.client, agent.key, 1)).body
    const lives = Date.parse(asked.expiresAt) - own.now()
    t.true(lives > (minutes - 0.5) * MINUTE_MS && lives <= minutes * MINUTE_MS, String(lives))
  }
})

test('the rate limits are shown, or null if there are none', async (t) => {
  t.is((await read(ORGANIZATION_KEY)).body.rateLimits, null)
  const own = await start(t, { env: { BURSAR_RATE_LIMITS: 'payments=7' } })
  const { body } = await own.client.get<Organization>('/api/organization', ORGANIZATION_KEY)
  t.deepEqual(body.rateLimits, { payments: 7, reads: 1200, admin: 1200, login: 10 })
})

test('concurrent updates of the governance lose none of its settings', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const owner: Caller = { ...admin, principal: { ...admin.principal, isOwner: true } }
  const given = [{ timeoutHours: 48 }, { requiredApprovals: 2 }, { actions: ['key.create' as const] }]
  await Promise.all(
    given.map(async (governance) => done(await updateOrganization(bare.services, owner, { governance }))),
  )
  const { fields } = (await findOrganization(bare.services, owner)).context
  t.deepEqual(fields.governance, { enabled: false, actions: ['key.create'], requiredApprovals: 2, timeoutHours: 48 })
})
