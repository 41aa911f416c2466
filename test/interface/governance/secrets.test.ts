// Governed changes whose answer shows a secret once: after the approval the secret waits for the requester, and nobody
// gets it alone.
import test from 'ava'
import { setUp, tokenIn, type Invited } from '../../support/people.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import type { Answer, Failure } from '../../support/client.js'
import { startGovernance, type GovernedStage } from '../../support/governance.js'
import type { Webhook } from '../../../sdk/api.js'

const URL_OF = (name: string): string => `https://${name}.example.com/in`

/** Collects the result with this key or cookie. */
const collect = <Body>(
  stage: GovernedStage,
  id: string,
  by = ORGANIZATION_KEY,
): Promise<Answer<Body & Partial<Failure>>> =>
  stage.client.post(`/api/governance/approvals/${id}/collect`, by, {}, { Origin: stage.url })

test('an approved invitation gives its link to the requester, once', async (t) => {
  const stage = await startGovernance(t)
  await stage.enable()
  const id = await stage.pend('POST', '/api/members', { email: 'bob@example.com', role: 'ADMIN' })
  t.is((await collect(stage, id)).body.code, 'INVALID_STATUS')
  t.like((await stage.decide(stage.admin2.cookie, id)).body, { status: 'APPROVED', application: { status: 'WAITING' } })
  t.is((await collect(stage, id, stage.admin2.cookie)).status, 403)
  const { status, body } = await collect<Invited>(stage, id)
  t.is(status, 201)
  t.like(body, { email: 'bob@example.com', status: 'INVITED' })
  t.is((await setUp(stage.client, tokenIn(body))).status, 200)
  t.is((await collect(stage, id)).body.code, 'INVALID_STATUS')
  t.like(await stage.change(id), { application: { status: 'APPLIED' }, resourceId: body.id })
})

test('a new link for an invited member needs a second person too', async (t) => {
  const stage = await startGovernance(t)
  const { id: bob } = await stage.must<{ id: string }>('POST', '/api/members', {
    email: 'bob@example.com',
    role: 'ADMIN',
  })
  await stage.enable()
  const change = await stage.pend('POST', `/api/members/${bob}/invite`)
  t.is((await stage.decide(ORGANIZATION_KEY, change)).body.code, 'SELF_APPROVAL')
  t.is((await collect(stage, change)).body.code, 'INVALID_STATUS')
  await stage.decide(stage.admin2.cookie, change)
  const { status, body } = await collect<Invited>(stage, change)
  t.is(status, 200)
  t.is((await setUp(stage.client, tokenIn(body))).status, 200)
})

test('an approved rotation happens when the requester collects the new signing secret', async (t) => {
  const stage = await startGovernance(t)
  await stage.must('PUT', '/api/webhooks', { url: URL_OF('one') })
  await stage.enable()
  const id = await stage.pend('POST', '/api/webhooks/rotate-secret')
  await stage.decide(stage.admin2.cookie, id)
  t.like(await stage.must('GET', '/api/webhooks'), { previousSecretExpiresAt: null })
  const { body } = await collect<{ webhookSecret: string }>(stage, id)
  t.regex(body.webhookSecret, /^whsec_/)
  t.not((await stage.must<Webhook>('GET', '/api/webhooks')).previousSecretExpiresAt, null)
})

test('an approved rotation is not collected once the endpoint has changed', async (t) => {
  const stage = await startGovernance(t)
  await stage.must('PUT', '/api/webhooks', { url: URL_OF('one') })
  await stage.enable()
  const id = await stage.pend('POST', '/api/webhooks/rotate-secret')
  await stage.decide(stage.admin2.cookie, id)
  await stage.must('POST', '/api/organization/freeze', { reason: 'Drill' })
  const { status, body } = await collect(stage, id)
  t.deepEqual([status, body.code], [400, 'INVALID_STATUS'])
  t.like(await stage.change(id), { application: { status: 'STALE' } })
  t.is((await collect(stage, id)).body.code, 'INVALID_STATUS')
})

test('a denied change makes no signing secret, and the change that makes one shows it', async (t) => {
  const stage = await startGovernance(t)
  const { id } = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Bot', agentType: 'CUSTOM' })
  await stage.must('POST', `/api/agents/${id}/freeze`, { reason: 'Drill' })
  await stage.enable({ actions: ['agent.reactivate'] })
  const change = await stage.pend('PATCH', `/api/agents/${id}`, { status: 'ACTIVE', callbackUrl: URL_OF('agent') })
  t.is((await stage.decide(stage.admin2.cookie, change, 'DENIED')).body.status, 'DENIED')
  t.like(await stage.must('GET', `/api/agents/${id}`), { status: 'SUSPENDED', webhookConfigured: false })
  const made = await stage.must<{ webhookSecret?: string }>('PATCH', `/api/agents/${id}`, {
    callbackUrl: URL_OF('agent'),
  })
  t.regex(made.webhookSecret!, /^whsec_/)
})

for (const [title, given] of [
  ['status and first callback URL', { status: 'ACTIVE' }],
  ['status, name and first callback URL', { status: 'ACTIVE', name: 'Awake', description: 'Back' }],
] as const) {
  test(`an approved request sets the ${title} of an agent together`, async (t) => {
    const stage = await startGovernance(t)
    const { id } = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Bot', agentType: 'CUSTOM' })
    await stage.must('POST', `/api/agents/${id}/freeze`, { reason: 'Drill' })
    await stage.enable()
    const change = await stage.pend('PATCH', `/api/agents/${id}`, { ...given, callbackUrl: URL_OF('agent') })
    t.is((await stage.decide(stage.admin2.cookie, change)).body.application?.status, 'APPLIED')
    t.like(await stage.must('GET', `/api/agents/${id}`), { ...given, webhookConfigured: true })
  })
}

test("a new signing secret makes no pending change of the organization's settings stale", async (t) => {
  const stage = await startGovernance(t)
  const { id } = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Bot', agentType: 'CUSTOM' })
  await stage.enable({ actions: ['webhook.update'] })
  const endpoint = await stage.pend('PUT', '/api/webhooks', { url: URL_OF('one') })
  const settings = await stage.pend('PATCH', '/api/organization', { governance: { timeoutHours: 2 } })
  await stage.must('PATCH', `/api/agents/${id}`, { callbackUrl: URL_OF('agent') })
  for (const change of [endpoint, settings]) {
    t.is((await stage.decide(stage.admin2.cookie, change)).body.application?.status, 'APPLIED')
  }
})
