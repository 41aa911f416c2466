// What the world is told of approvals: that a person is asked, at the organization's URL alone, and what became of it,
// once, however many decide at the same time.
import test from 'ava'
import * as v from 'valibot'
import { bodySchema, type EventName } from '../../src/webhooks/events.js'
import { start } from '../interface/started.js'
import { ORGANIZATION_KEY } from '../service/service.js'
import { ask, fundedAgent } from '../service/setup.js'
import { startReceiver, type Received } from '../webhooks/receiver.js'

test('a request for approval goes to the organization, its outcome to the agent too, once each', async (t) => {
  const service = await start(t, { env: { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' } })
  const receiver = await startReceiver(t)
  const { client } = service
  const agent = await fundedAgent(client, { terms: { delegationType: 'PREAPPROVED' } })
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: `${receiver.url}/own` })
  const callbackUrl = `${receiver.url}/agent`
  await client.send('PATCH', `/api/agents/${agent.agentId}`, ORGANIZATION_KEY, { callbackUrl })
  const asked = await Promise.all([5, 6].map(async (amount) => (await ask(client, agent.key, amount)).body))
  const ids = asked.map((one) => (one as { approvalRequestId?: string }).approvalRequestId!)
  const decide = (id: string, decision: string) =>
    client.post(`/api/approval-requests/${id}/decision`, ORGANIZATION_KEY, { decision })
  await Promise.all(Array.from({ length: 25 }, () => ids.map((id, at) => decide(id, at === 0 ? 'APPROVED' : 'DENIED'))).flat())
  await client.post('/api/webhooks/test', ORGANIZATION_KEY)
  const isOfApproval = ({ body }: Received): boolean => body.event.startsWith('approval.')
  const told = (await receiver.until((all) => all.filter(isOfApproval).length >= 6)).filter(isOfApproval)
  t.deepEqual(told.map(({ url, body }) => `${url} ${body.event}`).sort(), [
    '/agent approval.approved',
    '/agent approval.denied',
    '/own approval.approved',
    '/own approval.denied',
    '/own approval.requested',
    '/own approval.requested',
  ])
  for (const { body } of told) t.true(v.safeParse(bodySchema(body.event as EventName), body).success, body.event)
  const requested = told.find(({ body }) => body.event === 'approval.requested' && body.data['approvalRequestId'] === ids[0])!
  t.like(requested.body.data, { amount: 5, paymentRequestId: asked[0]!.requestId, requiredApprovals: 1 })
  t.is(requested.body.data['decisionUrl'], `${service.url}/approvals/${ids[0]}`)
  const approved = told.find(({ body }) => body.event === 'approval.approved')!.body.data
  t.like(approved, { approvalRequestId: ids[0], paymentRequestId: asked[0]!.requestId, amount: 5, decision: 'APPROVED' })
  t.deepEqual(service.logged, [])
})
