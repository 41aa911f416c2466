// Webhook events of approvals: the request goes to the organization's endpoint only, the outcome to the agent's too,
// once each, however many people decide at the same time.
import test from 'ava'
import * as v from 'valibot'
import { bodySchema, type EventName } from '../../../src/webhooks/events.js'
import { start } from '../../support/service.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { startReceiver, type Received } from '../../support/receiver.js'

test('a request goes to the organization, the outcome to the agent as well, each delivered once', async (t) => {
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
  await Promise.all(
    Array.from({ length: 25 }, () => ids.map((id, at) => decide(id, at === 0 ? 'APPROVED' : 'DENIED'))).flat(),
  )
  await client.post('/api/webhooks/test', ORGANIZATION_KEY)
  const isOfApproval = ({ body }: Received): boolean => body.event.startsWith('approval.')
  const sent = (await receiver.until((all) => all.filter(isOfApproval).length >= 6)).filter(isOfApproval)
  t.deepEqual(sent.map(({ url, body }) => `${url} ${body.event}`).sort(), [
    '/agent approval.approved',
    '/agent approval.denied',
    '/own approval.approved',
    '/own approval.denied',
    '/own approval.requested',
    '/own approval.requested',
  ])
  for (const { body } of sent) t.true(v.safeParse(bodySchema(body.event as EventName), body).success, body.event)
  const requested = sent.find(
    ({ body }) => body.event === 'approval.requested' && body.data['approvalRequestId'] === ids[0],
  )!
  t.like(requested.body.data, { amount: 5, paymentRequestId: asked[0]!.requestId, requiredApprovals: 1 })
  t.is(requested.body.data['decisionUrl'], `${service.url}/approvals/${ids[0]}`)
  const approved = sent.find(({ body }) => body.event === 'approval.approved')!.body.data
  t.like(approved, {
    approvalRequestId: ids[0],
    paymentRequestId: asked[0]!.requestId,
    amount: 5,
    decision: 'APPROVED',
  })
  t.deepEqual(service.logged, [])
})
