// Who may decide a change, and what happens to one that is denied, expired, stale or requested by a former member.
import test from 'ava'
import { newPerson } from '../../support/people.js'
import { RULE } from '../../support/routes.js'
import { anotherAddress, HOUR_MS } from '../../support/policies.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import type { Failure } from '../../support/client.js'
import { GOVERNED_ACTIONS } from '../../../src/domain/outcomes/governance.js'
import { startReceiver } from '../../support/receiver.js'
import { keyOf, startGovernance, type GovernedStage, type Pending } from '../../support/governance.js'
import type { ApprovalRequestList, Counterparty, Organization } from '../../../sdk/api.js'

const register = (stage: GovernedStage) =>
  stage.must<Counterparty>('POST', '/api/counterparties', { name: 'Paper', address: anotherAddress() })
const trust = (stage: GovernedStage, { id }: Counterparty) =>
  stage.pend('POST', `/api/counterparties/${id}/trust`, { reason: 'Known' })
const statusOf = async (stage: GovernedStage, { id }: Counterparty) =>
  (await stage.must<Counterparty>('GET', `/api/counterparties/${id}`)).status

test('nobody approves their own request, by whichever key or session', async (t) => {
  const stage = await startGovernance(t)
  const owner = await newPerson(stage.client, 'OWNER')
  const [own, ofKey] = [await keyOf(stage, owner.cookie), await keyOf(stage)]
  await stage.enable()
  const one = await register(stage)
  const path = `/api/counterparties/${one.id}/trust`
  const asked = await stage.client.post<Pending>(path, owner.cookie, { reason: 'Known' }, { Origin: stage.url })
  for (const by of [owner.cookie, own.key]) {
    t.like((await stage.decide(by, asked.body.governanceApprovalRequestId)).body, { code: 'SELF_APPROVAL' })
    t.like((await stage.decide(by, asked.body.governanceApprovalRequestId, 'DENIED')).body, { code: 'SELF_APPROVAL' })
  }
  const byKey = await trust(stage, one)
  for (const by of [ORGANIZATION_KEY, ofKey.key])
    t.like((await stage.decide(by, byKey)).body, { code: 'SELF_APPROVAL' })
  t.is(await statusOf(stage, one), 'UNKNOWN')
  t.is((await stage.decide(own.key, byKey)).status, 200)
  t.is(await statusOf(stage, one), 'TRUSTED')
})

test("strict lineage bars the policy's last editor and the creator of the agent's keys", async (t) => {
  const stage = await startGovernance(t)
  const [editor, other] = [await newPerson(stage.client, 'OWNER'), await newPerson(stage.client, 'ADMIN')]
  const viaCookie = { Origin: stage.url }
  const { id } = await stage.must<{ id: string }>('POST', '/api/policies', {
    name: 'Policy',
    policyType: 'COMPOSITE',
    rules: [RULE],
  })
  await stage.client.send('PATCH', `/api/policies/${id}`, editor.cookie, { priority: 3 }, viaCookie)
  const agent = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Buyer', agentType: 'CUSTOM' })
  await stage.client.post(`/api/agents/${agent.id}/sdk-keys`, editor.cookie, { name: 'Key' }, viaCookie)
  await stage.enable({ strictLineage: true })
  const edited = await stage.pend('PATCH', `/api/policies/${id}`, { priority: 9 })
  const { id: walletId } = await stage.must<{ id: string }>('POST', '/api/wallets', {
    name: 'Wallet',
    custodyType: 'MANAGED',
  })
  const delegated = await stage.pend('POST', `/api/agents/${agent.id}/wallets`, { walletId })
  for (const change of [edited, delegated]) {
    t.like((await stage.decide(editor.cookie, change)).body, { code: 'SELF_APPROVAL' })
    t.is((await stage.decide(other.cookie, change)).body.application?.status, 'APPLIED')
  }
})

test('a denial is final, and every required approval comes from a different person', async (t) => {
  const stage = await startGovernance(t)
  const other = await newPerson(stage.client, 'ADMIN')
  const viewer = await newPerson(stage.client, 'VIEWER')
  await stage.enable({ requiredApprovals: 2 })
  const one = await register(stage)
  const denied = await trust(stage, one)
  t.is((await stage.decide(viewer.cookie, denied)).body.code, 'INSUFFICIENT_SCOPE')
  t.like((await stage.decide(other.cookie, denied, 'DENIED', 'Who is that?')).body, { status: 'DENIED' })
  t.like((await stage.decide(stage.admin2.cookie, denied)).body, { code: 'INVALID_STATUS' })
  const agreed = await trust(stage, one)
  t.like((await stage.decide(other.cookie, agreed)).body, { status: 'PENDING' })
  t.like((await stage.decide(other.cookie, agreed)).body, { code: 'ALREADY_DECIDED' })
  t.is(await statusOf(stage, one), 'UNKNOWN')
  t.like((await stage.decide(stage.admin2.cookie, agreed)).body, { status: 'APPROVED' })
  t.is(await statusOf(stage, one), 'TRUSTED')
  const listed = await stage.must<ApprovalRequestList>('GET', '/api/approval-requests?status=DENIED')
  t.deepEqual(
    listed.requests.map(({ id, kind }) => ({ id, kind })),
    [{ id: denied, kind: 'GOVERNANCE' }],
  )
})

test('an approval no longer counts when its approver loses the right to approve', async (t) => {
  const stage = await startGovernance(t)
  const [demoted, removed, third] = [
    await newPerson(stage.client, 'ADMIN'),
    await newPerson(stage.client, 'ADMIN'),
    await newPerson(stage.client, 'ADMIN'),
  ]
  await stage.enable({ requiredApprovals: 2, actions: ['counterparty.trust'] })
  const one = await register(stage)
  const id = await trust(stage, one)
  t.like((await stage.decide(demoted.cookie, id)).body, { status: 'PENDING', givenApprovals: 1 })
  await stage.must('PATCH', `/api/members/${demoted.id}`, { role: 'VIEWER' })
  t.like((await stage.decide(removed.cookie, id)).body, { status: 'PENDING' })
  await stage.must('DELETE', `/api/members/${removed.id}`)
  const { body } = await stage.decide(third.cookie, id)
  t.like(body, { status: 'PENDING', givenApprovals: 1 })
  t.deepEqual(
    body.decisions.map(({ lapsed }) => lapsed === true),
    [true, true, false],
  )
  t.is(await statusOf(stage, one), 'UNKNOWN')
  t.like((await stage.decide(stage.admin2.cookie, id)).body, { status: 'APPROVED', application: { status: 'APPLIED' } })
})

test('a change expires at its time, and so does an approved key that nobody collects', async (t) => {
  const stage = await startGovernance(t, { timeoutHours: 2 })
  const one = await register(stage)
  const late = await trust(stage, one)
  const key = await stage.pend('POST', '/api/api-keys', { name: 'Second', scopePreset: 'READ_ONLY' })
  await stage.decide(stage.admin2.cookie, key)
  stage.setClock(stage.now() + 2 * HOUR_MS)
  t.like((await stage.decide(stage.admin2.cookie, late)).body, { code: 'INVALID_STATUS' })
  t.like(await stage.change(late), { status: 'EXPIRED' })
  t.like(await stage.change(key), { status: 'APPROVED', application: { status: 'REFUSED', code: 'EXPIRED' } })
  t.is((await stage.admin<Failure>('POST', `/api/governance/approvals/${key}/collect`)).body.code, 'INVALID_STATUS')
})

test('a change whose subject has changed since the request becomes stale', async (t) => {
  const stage = await startGovernance(t)
  const { id } = await stage.must<{ id: string }>('POST', '/api/policies', {
    name: 'Policy',
    policyType: 'COMPOSITE',
    rules: [RULE],
  })
  await stage.enable()
  const [first, second] = [
    await stage.pend('PATCH', `/api/policies/${id}`, { priority: 3 }),
    await stage.pend('DELETE', `/api/policies/${id}`),
  ]
  t.is((await stage.decide(stage.admin2.cookie, first)).status, 200)
  t.like((await stage.decide(stage.admin2.cookie, second)).body, { code: 'INVALID_STATUS' })
  t.like(await stage.change(second), { status: 'EXPIRED', application: { status: 'STALE' } })
  t.like(await stage.must('GET', `/api/policies/${id}`), { version: 2, priority: 3 })
})

/** What somebody did after the change was requested, and the status that must stay. */
const SINCE: {
  what: string
  kind: 'agents' | 'counterparties'
  asked: Sent
  before?: Sent[]
  since: Sent[]
  status: string
}[] = [
  {
    what: 'a second block',
    kind: 'counterparties',
    before: [['POST', '/block', { reason: 'Typo' }]],
    asked: ['POST', '/unblock'],
    since: [['POST', '/block', { reason: 'Fraud confirmed' }]],
    status: 'BLOCKED',
  },
  {
    what: 'a second block for the same reason',
    kind: 'counterparties',
    before: [['POST', '/block', { reason: 'Fraud' }]],
    asked: ['POST', '/unblock'],
    since: [['PUT', '', { status: 'BLOCKED' }]],
    status: 'BLOCKED',
  },
  {
    what: 'another name and category',
    kind: 'counterparties',
    asked: ['POST', '/trust', { reason: 'Known' }],
    since: [['PUT', '', { name: 'Somebody else', category: 'CLOUD_SERVICES', notes: 'New' }]],
    status: 'UNKNOWN',
  },
  {
    what: 'a block',
    kind: 'counterparties',
    asked: ['POST', '/trust', { reason: 'Known' }],
    since: [['POST', '/block', { reason: 'Fraud' }]],
    status: 'BLOCKED',
  },
  {
    what: 'a second freeze',
    kind: 'agents',
    before: [['POST', '/freeze', { reason: 'Drill' }]],
    asked: ['POST', '/unfreeze'],
    since: [['POST', '/freeze', { reason: 'Key leaked' }]],
    status: 'SUSPENDED',
  },
  {
    what: 'a second freeze for the same reason',
    kind: 'agents',
    before: [['POST', '/freeze', { reason: 'Drill' }]],
    asked: ['PATCH', '', { status: 'ACTIVE' }],
    since: [['POST', '/freeze', { reason: 'Drill' }]],
    status: 'SUSPENDED',
  },
  {
    what: 'another status',
    kind: 'agents',
    before: [['POST', '/freeze', { reason: 'Drill' }]],
    asked: ['PATCH', '', { status: 'ACTIVE', name: 'Awake' }],
    since: [['PATCH', '', { status: 'PAUSED' }]],
    status: 'PAUSED',
  },
]
type Sent = [method: string, path: string, body?: unknown]

for (const { what, kind, before = [], asked, since, status } of SINCE) {
  test(`${what} since the request makes the change stale, and stays`, async (t) => {
    const stage = await startGovernance(t)
    const made = { agents: { agentType: 'CUSTOM' }, counterparties: { address: anotherAddress() } }[kind]
    const { id } = await stage.must<{ id: string }>('POST', `/api/${kind}`, { name: 'Somebody', ...made })
    const at = ([method, path, body]: Sent) => [method, `/api/${kind}/${id}${path}`, body] as const
    for (const one of before) await stage.must(...at(one))
    await stage.enable()
    const change = await stage.pend(...at(asked))
    for (const one of since) await stage.must(...at(one))
    t.like((await stage.decide(stage.admin2.cookie, change)).body, { code: 'INVALID_STATUS' })
    t.like(await stage.change(change), { status: 'EXPIRED', application: { status: 'STALE' } })
    t.like(await stage.must('GET', `/api/${kind}/${id}`), { status })
  })
}

test('a pending reactivation does not apply to a later suspension', async (t) => {
  const stage = await startGovernance(t)
  const { id } = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Bot', agentType: 'CUSTOM' })
  await stage.must('POST', `/api/agents/${id}/freeze`, { reason: 'Drill' })
  await stage.enable()
  const first = await stage.pend('POST', `/api/agents/${id}/unfreeze`)
  const second = await stage.pend('PATCH', `/api/agents/${id}`, { status: 'ACTIVE' })
  t.is((await stage.decide(stage.admin2.cookie, first)).body.application?.status, 'APPLIED')
  await stage.must('POST', `/api/agents/${id}/freeze`, { reason: 'Drill' })
  t.like((await stage.decide(stage.admin2.cookie, second)).body, { code: 'INVALID_STATUS' })
  t.like(await stage.must('GET', `/api/agents/${id}`), { status: 'SUSPENDED' })
})

test('a change of a delegation stays stale when the terms return to their old values', async (t) => {
  const stage = await startGovernance(t)
  const { agentId, walletId } = await stage.agent({ terms: { spendLimitDaily: 100 } })
  const path = `/api/agents/${agentId}/wallets/${walletId}`
  await stage.enable()
  const [wide, narrow] = [
    await stage.pend('PATCH', path, { spendLimitDaily: 900 }),
    await stage.pend('PATCH', path, { spendLimitDaily: 1 }),
  ]
  t.is((await stage.decide(stage.admin2.cookie, narrow)).status, 200)
  t.is((await stage.decide(stage.admin2.cookie, await stage.pend('PATCH', path, { spendLimitDaily: 100 }))).status, 200)
  t.like((await stage.decide(stage.admin2.cookie, wide)).body, { code: 'INVALID_STATUS' })
})

test('payments to a counterparty and upserts by agents make no change of it stale', async (t) => {
  const stage = await startGovernance(t)
  const agent = await stage.agent()
  const one = await register(stage)
  await stage.enable()
  const change = await trust(stage, one)
  const { address } = await stage.must<{ address: string }>('GET', `/api/counterparties/${one.id}`)
  t.is((await stage.pay(agent, 5, { recipientAddress: address })).status, 'EXECUTED')
  t.is(
    (await stage.client.post('/api/sdk/counterparties', agent.key, { name: 'Paper', address, category: 'Paper' }))
      .status,
    200,
  )
  t.is((await stage.decide(stage.admin2.cookie, change)).body.application?.status, 'APPLIED')
})

test('of four concurrently approved changes of a policy one is applied and the others are stale', async (t) => {
  const stage = await startGovernance(t)
  const { id } = await stage.must<{ id: string }>('POST', '/api/policies', {
    name: 'Policy',
    policyType: 'COMPOSITE',
    rules: [RULE],
  })
  await stage.enable()
  const ids = await Promise.all(
    [3, 4, 5, 6].map((priority) => stage.pend('PATCH', `/api/policies/${id}`, { priority })),
  )
  await Promise.all(ids.map((one) => stage.decide(stage.admin2.cookie, one)))
  const became = (await Promise.all(ids.map((one) => stage.change(one)))).map(({ application }) => application?.status)
  t.deepEqual(became.toSorted(), ['APPLIED', 'STALE', 'STALE', 'STALE'])
  t.like(await stage.must('GET', `/api/policies/${id}`), { version: 2 })
})

test('a change is not applied if its requester has lost the right to make it', async (t) => {
  const stage = await startGovernance(t)
  const asker = await newPerson(stage.client, 'ADMIN')
  await stage.enable({ actions: ['counterparty.trust'] })
  const one = await register(stage)
  const path = `/api/counterparties/${one.id}/trust`
  const { body } = await stage.client.post<Pending>(path, asker.cookie, { reason: 'Known' }, { Origin: stage.url })
  await stage.must('PATCH', `/api/members/${asker.id}`, { role: 'VIEWER' })
  const decided = await stage.decide(stage.admin2.cookie, body.governanceApprovalRequestId)
  t.like(decided.body, { status: 'APPROVED', application: { status: 'REFUSED', code: 'INSUFFICIENT_SCOPE' } })
  t.is(await statusOf(stage, one), 'UNKNOWN')
})

test('fifty concurrent decisions have one outcome, one event and one application', async (t) => {
  const receiver = await startReceiver(t)
  const stage = await startGovernance(t)
  await stage.must('PUT', '/api/webhooks', { url: `${receiver.url}/in` })
  const people = await Promise.all(Array.from({ length: 10 }, () => newPerson(stage.client, 'ADMIN')))
  await stage.enable()
  const one = await register(stage)
  const id = await trust(stage, one)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      stage.decide(people[at % 10]!.cookie, id, at % 3 === 0 ? 'DENIED' : 'APPROVED'),
    ),
  )
  t.is(answers.filter(({ status }) => status === 200).length, 1)
  const { status, decisions } = await stage.change(id)
  t.is(decisions.length, 1)
  t.is(await statusOf(stage, one), status === 'APPROVED' ? 'TRUSTED' : 'UNKNOWN')
  const last = await register(stage)
  await stage.decide(stage.admin2.cookie, await trust(stage, last))
  const seen = await receiver.until(
    (all) => all.filter(({ body }) => body.event === 'governance.approval.decided').length >= 2,
  )
  const events = seen.filter(({ body }) => body.event === 'governance.approval.decided').map(({ body }) => body.data)
  const { organizationId, ...data } = events.find((event) => event['governanceApprovalRequestId'] === id)!
  t.truthy(organizationId)
  const about = { action: 'counterparty.trust', resource: 'counterparty', resourceId: one.id }
  t.deepEqual(data, { governanceApprovalRequestId: id, ...about, decision: status })
  t.is(events.length, 2)
})

test('only owners enable governance, and only with one more approver than it requires', async (t) => {
  const stage = await startGovernance(t)
  const admin = await newPerson(stage.client, 'ADMIN')
  const enable = (governance: object, by = ORGANIZATION_KEY) =>
    stage.client.send<Failure>('PATCH', '/api/organization', by, { governance }, { Origin: stage.url })
  t.like((await enable({ enabled: true, requiredApprovals: 3 })).body, { code: 'INVALID_STATUS' })
  t.like((await enable({ enabled: true }, admin.cookie)).body, { code: 'INSUFFICIENT_SCOPE' })
  t.is((await enable({ enabled: true, requiredApprovals: 2 })).status, 200)
  const { enabled, actions } = await stage.settings()
  t.true(enabled)
  t.is(actions.length, 19)
})

test('null resets governance settings to their defaults', async (t) => {
  const stage = await startGovernance(t)
  const initial = await stage.settings()
  const set = async (governance: unknown): Promise<Organization['governance']> =>
    (await stage.must<Organization>('PATCH', '/api/organization', { governance })).governance
  await set({ actions: ['key.create'], requiredApprovals: 2, timeoutHours: 2, strictLineage: true })
  const halfway = await set({ actions: null, timeoutHours: null })
  t.deepEqual(halfway, { ...initial, requiredApprovals: 2, strictLineage: true })
  await set({ actions: ['key.create'] })
  t.deepEqual(await set(null), initial)
  await set({ actions: ['key.create'] })
  t.deepEqual((await set({ enabled: true, actions: null })).actions, [...GOVERNED_ACTIONS])
})
