// The rules about services that are paid by x402, and what is kept of these services.
import test from 'ava'
import type { ApprovalRequest, CounterpartyList, Policy, PolicyImpact, X402Services } from '../../../sdk/api.js'
import type { Client } from '../../support/client.js'
import { startInspected } from '../../support/inspected.js'
import {
  fundedAgent as funded,
  made,
  RECIPIENT,
  type FundedAgent,
  type FundedAgentOptions,
} from '../../support/payments.js'
import { ORGANIZATION_KEY as KEY, wholeFile } from '../../support/process.js'
import type { Started } from '../../support/service.js'
import { authorize, authorizeFor, offer, settle } from '../../support/x402.js'

const OTHER = '0x00000000000000000000000000000000000000B2'

const scope = wholeFile(test)
let service: Started
let client: Client
test.before('the service runs', async () => {
  service = await startInspected(scope)
  client = service.client
})

let agents = 0
const fundedAgent = (options: FundedAgentOptions = {}): Promise<FundedAgent> =>
  funded(client, { name: `Buyer ${(agents += 1)}`, ...options })
const kindsOf = ({ body }: { body: { violations?: { type: string }[] } }) => body.violations?.map(({ type }) => type)

async function underRules(agent: FundedAgent, ...rules: object[]): Promise<void> {
  const name = `Rules of ${agent.agentId}`
  const policy = await made<Policy>(client, '/api/policies', { name, policyType: 'COMPOSITE', rules })
  await made(client, `/api/agents/${agent.agentId}/policies`, { policyId: policy.id })
}

test('a limit per request binds x402 alone', async (t) => {
  const agent = await fundedAgent()
  await underRules(agent, { ruleType: 'X402_MAX_PER_REQUEST', value: 2 })
  t.deepEqual(kindsOf(await authorizeFor(client, agent.key, 2.01)), ['AMOUNT_LIMIT'])
  t.is((await authorizeFor(client, agent.key, 2)).body.status, 'EXECUTING')
  const transfer = await client.post<{ status: string }>('/api/sdk/payments/request', agent.key, {
    amount: 5,
    recipientAddress: RECIPIENT,
  })
  t.is(transfer.body.status, 'APPROVED')
})

test('blocked services, and rails that are not allowed', async (t) => {
  const agent = await fundedAgent()
  await underRules(agent, { ruleType: 'X402_BLOCKED_SERVICES', value: ['*.example.com'] })
  t.deepEqual(kindsOf(await authorizeFor(client, agent.key, 1)), ['X402_SERVICE_BLOCKED'])
  t.is((await authorizeFor(client, agent.key, 1, { url: 'https://example.com./' })).body.status, 'EXECUTING')
  const other = await fundedAgent()
  await underRules(other, { ruleType: 'ALLOWED_RAILS', value: ['TRANSFER'] })
  t.deepEqual(kindsOf(await authorizeFor(client, other.key, 1)), ['RAIL_NOT_ALLOWED'])
})

test('a recipient at a listed host is put to a person once', async (t) => {
  const agent = await fundedAgent()
  await underRules(agent, { ruleType: 'X402_ALLOWED_SERVICES', value: ['*.listed.example'] })
  const url = 'https://api.listed.example/a'
  t.deepEqual(kindsOf(await authorizeFor(client, agent.key, 1)), ['X402_SERVICE_NOT_ALLOWED'])
  const ask = (paymentKey: string, payTo = RECIPIENT) =>
    authorize(client, agent.key, { accepts: [offer(1, { payTo })], url, paymentKey })
  const first = await ask('one')
  t.is(first.body.status, 'REQUIRES_APPROVAL')
  t.regex(first.body.reasons.join(), /No payment to 0x0+a1 at api\.listed\.example was approved before/)
  const { approvalRequestId } = first.body
  await made<ApprovalRequest>(client, `/api/approval-requests/${approvalRequestId}/decision`, { decision: 'APPROVED' })
  t.is((await ask('one')).body.status, 'EXECUTING')
  t.is((await ask('two')).body.status, 'EXECUTING')
  t.is((await ask('three', OTHER)).body.status, 'REQUIRES_APPROVAL')
  const elsewhere = await authorizeFor(client, agent.key, 1, { url: 'https://b.listed.example/' })
  t.is(elsewhere.body.status, 'REQUIRES_APPROVAL')
  const { counterparties } = (await client.get<CounterpartyList>('/api/counterparties?limit=100', KEY)).body
  const known = counterparties.find(({ address }) => address.toLowerCase() === OTHER.toLowerCase())!
  await made(client, `/api/counterparties/${known.id}/trust`, { reason: 'Known to us' })
  t.is((await ask('four', OTHER)).body.status, 'EXECUTING')
})

test('what an agent pays to a service is limited, whatever subdomain it names, exactly and also in parallel', async (t) => {
  const agent = await fundedAgent()
  await underRules(agent, { ruleType: 'X402_MAX_PER_SERVICE', value: { amount: 5, period: 'DAILY' } })
  const asked = await Promise.all(
    Array.from({ length: 200 }, (_, at) => {
      const url = `https://h${at}.shop.example/`
      return authorizeFor(client, agent.key, 0.1, { url })
    }),
  )
  t.is(asked.filter(({ body }) => body.status === 'EXECUTING').length, 50)
  const denied = asked.filter(({ body }) => body.status === 'DENIED')
  t.is(denied.length, 150)
  for (const one of denied) t.deepEqual(kindsOf(one), ['X402_SERVICE_LIMIT'])
  for (const { body } of denied) {
    t.regex(
      body.hint!,
      /^The limit of 5 for h\d+\.shop\.example resets at \d{4}-\d\d-\d\dT00:00:00\.000Z\. Wait for the next period/,
    )
  }
  t.is((await authorizeFor(client, agent.key, 5, { url: 'https://other.example2/' })).body.status, 'EXECUTING')
  const another = await fundedAgent()
  t.is((await authorizeFor(client, another.key, 5, { url: 'https://shop.example/' })).body.status, 'EXECUTING')
})

test('the impact of a limit for services counts each service by itself', async (t) => {
  const agent = await fundedAgent()
  for (const host of ['a.store.example', 'b.store.example', 'another.example', 'c.store.example']) {
    const { body } = await authorizeFor(client, agent.key, 2, { url: `https://${host}/` })
    t.is(body.status, 'EXECUTING')
    await settle(client, agent.key, body)
  }
  const rules = [{ ruleType: 'X402_MAX_PER_SERVICE', value: { amount: 5, period: 'DAILY' } }]
  const policy = { name: 'Services', policyType: 'COMPOSITE', rules }
  const asked = { policy, agentIds: [agent.agentId] }
  const impact = await made<PolicyImpact>(client, '/api/policies/impact', asked)
  t.is(impact.replayed, 4)
  t.deepEqual(impact.changes, [{ before: 'APPROVED', after: 'DENIED', count: 1 }])
  t.is(impact.examples[0]!.recipientName, 'c.store.example')
})

test('services are listed for people and for the agent that has paid them', async (t) => {
  const [one, two] = [await fundedAgent(), await fundedAgent()]
  const url = 'https://Listed-Here.example:8443/x'
  const [first] = [await authorizeFor(client, one.key, 1, { url }), await authorizeFor(client, two.key, 2, { url })]
  await settle(client, one.key, first.body)
  await authorize(client, two.key, { accepts: [offer(0.5, { payTo: OTHER })], url })
  const { body: all } = await client.get<X402Services>('/api/x402/services?limit=100', KEY)
  const listed = all.services.find(({ host }) => host === 'listed-here.example')!
  t.deepEqual([listed.payments, listed.total, listed.payTo.length], [3, 3.5, 2])
  t.true(Date.parse(listed.lastAt!) <= Date.now())
  const { body: own } = await client.get<X402Services>('/api/sdk/x402/services', two.key)
  t.deepEqual(
    own.services.map(({ host, payments, total }) => [host, payments, total]),
    [['listed-here.example', 2, 2.5]],
  )
  t.is(own.pagination.total, 1)
})
