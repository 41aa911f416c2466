// A test payment is answered as a request of the agent would be now, and leaves nothing behind.
import test, { type ExecutionContext } from 'ava'
import { unpayable, parseAddress } from '../../../src/domain/values/address.js'
import { TEST_RECIPIENT } from '../../../src/domain/payment/testRecipient.js'
import type { FoundPayments, TestPayment, Wallet } from '../../../sdk/api.js'
import type { Failure } from '../../support/client.js'
import { randomAddress, randomSolanaAddress } from '../../support/commands.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, EVERY_DAY, fundedAgent, made, RECIPIENT, type FundedAgent } from '../../support/payments.js'
import { newPerson } from '../../support/people.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope, { at: NOON })
})

const attempt = ({ agentId }: { agentId: string }, body: object, key = ORGANIZATION_KEY) =>
  service.client.post<TestPayment & Failure>(`/api/agents/${agentId}/test-payment`, key, body)

/** Everything that a payment would change. */
async function traces({ agentId, walletId }: FundedAgent): Promise<unknown[]> {
  const paths = [
    `/api/payments?agentId=${agentId}`,
    `/api/transactions?agentId=${agentId}`,
    `/api/agents/${agentId}`,
    `/api/wallets/${walletId}`,
    '/api/counterparties',
    '/api/alerts',
    '/api/approval-requests',
    '/api/webhooks/deliveries',
    '/api/audit-logs?limit=1',
  ]
  return Promise.all(paths.map(async (path) => (await service.client.get(path, ORGANIZATION_KEY)).body))
}

async function checked(t: ExecutionContext, agent: FundedAgent, body: object): Promise<TestPayment> {
  const before = await traces(agent)
  const answer = await attempt(agent, body)
  t.is(answer.status, 200, JSON.stringify(answer.body))
  t.true(answer.body.test)
  t.deepEqual(await traces(agent), before)
  return answer.body
}

test.serial('a test payment has the outcome of a request, whichever it is', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Tested', balance: 100, terms: { spendLimitDaily: 50 } })
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 20 }]
  await made(service.client, '/api/policies', {
    name: 'A',
    policyType: 'APPROVAL_THRESHOLD',
    rules,
    agentIds: [agent.agentId],
  })
  for (const amount of [10, 30, 60, 200]) {
    const tried = await checked(t, agent, { amount, recipientAddress: RECIPIENT })
    const { body } = await ask(service.client, agent.key, amount)
    t.is(tried.status, body.status)
    t.deepEqual(
      tried.violations?.map(({ type }) => type),
      body.violations?.map(({ type }) => type),
    )
    t.deepEqual(tried.nearest, body.nearest)
    t.like(tried, { amount, recipient: { address: body.recipientAddress!, name: null, chosenBy: 'REQUEST' } })
    t.is(tried.recipientAddress, body.recipientAddress)
    await service.client.post(`/api/sdk/payments/${body.requestId}/cancel`, agent.key)
    t.is((await service.client.get(`/api/payments/${tried.requestId}`, ORGANIZATION_KEY)).status, 404)
  }
})

test.serial('nothing that is tried counts against a limit', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Patient', terms: { spendLimitDaily: 50 } })
  for (let round = 0; round < 3; round += 1) {
    t.is((await checked(t, agent, { amount: 50, recipientAddress: RECIPIENT })).status, 'APPROVED')
  }
})

test.serial(
  'without a recipient it is the last one paid, else a test address on the chain of the wallet',
  async (t) => {
    const agent = await fundedAgent(service.client, { name: 'New' })
    const first = await checked(t, agent, { amount: 1 })
    const { address } = first.recipient
    t.like(first, { status: 'APPROVED', recipient: { name: 'Test recipient', chosenBy: 'TEST_ADDRESS' } })
    t.is(address.toLowerCase(), TEST_RECIPIENT.addresses.EVM)
    const [one, other] = [randomAddress(), randomAddress()]
    await ask(service.client, agent.key, 1, { recipientAddress: one, autoExecute: true })
    await ask(service.client, agent.key, 1, { recipientAddress: other, recipientName: 'Cloud', autoExecute: true })
    await ask(service.client, agent.key, 1, { recipientAddress: randomAddress() })
    const later = await checked(t, agent, { amount: 1 })
    t.like(later.recipient, { name: 'Cloud', chosenBy: 'LAST_PAID' })
    t.is(later.recipient.address.toLowerCase(), other.toLowerCase())
    t.is(later.recipientAddress, later.recipient.address)
    // Once only a wallet on another chain is left, the last recipient cannot be paid.
    await service.client.send(
      'DELETE',
      `/api/agents/${agent.agentId}/wallets?walletId=${agent.walletId}`,
      ORGANIZATION_KEY,
    )
    t.like((await attempt(agent, { amount: 1 })).body, { code: 'NO_WALLET' })
    const solana = { name: 'Other chain', custodyType: 'EXTERNAL', chainType: 'SOLANA', address: randomSolanaAddress() }
    const { id: walletId } = await made<Wallet>(service.client, '/api/wallets', solana)
    await made(service.client, `/api/wallets/${walletId}/fund`, { amount: 5 })
    await made(service.client, `/api/agents/${agent.agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
    const moved = await checked(t, { ...agent, walletId }, { amount: 1 })
    t.deepEqual(moved.recipient, {
      address: TEST_RECIPIENT.addresses.SOLANA,
      name: 'Test recipient',
      chosenBy: 'TEST_ADDRESS',
    })
  },
)

test('the test addresses are valid, and none is refused as a recipient', (t) => {
  for (const [chainType, address] of Object.entries(TEST_RECIPIENT.addresses)) {
    const parsed = parseAddress(address)
    t.is(parsed?.chainType, chainType as 'EVM')
    t.is(unpayable(parsed!, {}, 'address'), undefined)
  }
})

test.serial('what a request is refused for, a test payment is, and a frozen agent is denied', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Refused' })
  const zero = `0x${'0'.repeat(40)}`
  for (const [body, code] of [
    [{ amount: 0 }, 'INVALID_AMOUNT'],
    [{}, 'VALIDATION_ERROR'],
    [{ amount: 1, recipientAddress: 'nobody' }, 'INVALID_ADDRESS'],
    [{ amount: 1, recipientAddress: zero }, 'INVALID_RECIPIENT'],
    [{ amount: 1, recipientAddress: randomSolanaAddress() }, 'NO_WALLET'],
    [{ amount: 1, purpose: 'x' }, 'VALIDATION_ERROR'],
  ] as const) {
    const { status, body: answer } = await attempt(agent, body)
    t.is(status, 400)
    t.is(answer.code, code, JSON.stringify(body))
  }
  t.is((await attempt({ agentId: 'absent' }, { amount: 1 })).status, 404)
  await made(service.client, `/api/agents/${agent.agentId}/freeze`, { reason: 'Look' })
  const { body } = await attempt(agent, { amount: 1 })
  t.is(body.status, 'DENIED')
  t.deepEqual(
    body.violations?.map(({ type }) => type),
    ['AGENT_NOT_ACTIVE'],
  )
})

test.serial('it takes the scope agents:write, and only the own agents', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Own' })
  await ask(service.client, agent.key, 1, { recipientName: 'Secret', autoExecute: true })
  const viewer = await newPerson(service.client, 'VIEWER')
  t.is((await attempt(agent, { amount: 1 }, viewer.cookie)).status, 403)
  t.is((await attempt(agent, { amount: 1 }, agent.key)).status, 401)
  const other = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  t.is((await attempt(agent, { amount: 1 }, other.body.apiKey)).status, 404)
  const { body } = await service.client.get<FoundPayments>('/api/payments?search=Test recipient', ORGANIZATION_KEY)
  t.deepEqual(body.payments, [])
})
