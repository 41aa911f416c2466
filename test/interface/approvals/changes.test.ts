// What an approval is bound to: a payment does not execute on it if something that matters has changed since.
import test from 'ava'
import type { Answer } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { delegationOf, type FundedAgent, type Key } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { another } from '../../support/policies.js'
import { NEEDS_PERSON, startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type { CounterpartyLookup, PolicyList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

async function counterpartyAt(address: string) {
  const query = `address=${address}`
  const { counterparty } = await stage.must<CounterpartyLookup>('GET', `/api/counterparties/lookup?${query}`)
  return counterparty!
}

const block = async (address: string) =>
  stage.must('POST', `/api/counterparties/${(await counterpartyAt(address)).id}/block`, { reason: 'Fraud' })

async function unblock(address: string): Promise<void> {
  const { id, status } = await counterpartyAt(address)
  if (status === 'BLOCKED') await stage.must('POST', `/api/counterparties/${id}/unblock`)
}

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]
const NOBODY = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 10 }
const NOBODY_ELSE = randomAddress()
const HARMLESS = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 5000 }

/** A separate recipient, so that blocking it affects no other payment. */
const recipientAddress = randomAddress()

/** What is changed after the approval, and the code and status that the execution results in. */
const CHANGES: [string, (agent: FundedAgent) => Promise<unknown>, [code: string, status: string]][] = [
  ['a block of the recipient', () => block(recipientAddress), ['INVALID_STATUS', 'DENIED']],
  [
    'a new policy that denies',
    async (agent) => stage.assign((await stage.policy([NOBODY])).id, agent),
    ['LIMIT_EXCEEDED', 'DENIED'],
  ],
  [
    'a new policy that does not deny',
    async (agent) => stage.assign((await stage.policy([HARMLESS])).id, agent),
    ['INVALID_STATUS', 'REQUIRES_APPROVAL'],
  ],
  [
    'a lower limit of the delegation',
    ({ agentId, walletId }) =>
      stage.must('PATCH', `/api/agents/${agentId}/wallets/${walletId}`, { spendLimitPerTx: 1 }),
    ['LIMIT_EXCEEDED', 'DENIED'],
  ],
  [
    'a freeze of the wallet',
    ({ walletId }) => stage.must('PATCH', `/api/wallets/${walletId}`, { status: 'FROZEN' }),
    ['INVALID_STATUS', 'APPROVED'],
  ],
  [
    'a pause of the agent',
    ({ agentId }) => stage.must('PATCH', `/api/agents/${agentId}`, { status: 'PAUSED' }),
    ['INVALID_STATUS', 'APPROVED'],
  ],
]

for (const [what, change, [code, status]] of CHANGES) {
  test.serial(`after an approval, ${what} stops the execution`, async (t) => {
    const agent = await stage.supervised()
    const { approvalRequestId, requestId } = await stage.waiting(agent, { recipientAddress })
    t.is((await stage.decide(ORGANIZATION_KEY, approvalRequestId)).status, 200)
    await change(agent)
    t.deepEqual(codeOf(await stage.execute(agent, requestId)), [400, code])
    const shown = await stage.shown(agent, requestId)
    t.is<string, string>(shown.status, status)
    t.like(await delegationOf(stage.client, agent), { spent: { day: 0 }, reserved: status === 'DENIED' ? 0 : 150 })
    await unblock(recipientAddress)
    if (status !== 'REQUIRES_APPROVAL') return
    t.not(shown.approvalRequestId, approvalRequestId)
    t.is((await stage.request(approvalRequestId)).status, 'APPROVED')
    t.is((await stage.decide(ORGANIZATION_KEY, shown.approvalRequestId!)).body.status, 'APPROVED')
    t.is((await stage.execute(agent, requestId)).status, 200)
  })
}

test.serial('the amount and recipient of an approved payment cannot be changed', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { idempotencyKey: 'order' })
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  const { contentHash } = await stage.request(approvalRequestId)
  for (const more of [{ amount: 900 }, { recipientAddress: randomAddress() }]) {
    const path = `/api/sdk/payments/${requestId}/execute`
    t.deepEqual(codeOf(await stage.client.post(path, agent.key, more)), [400, 'VALIDATION_ERROR'])
    const given = { amount: 150, recipientAddress: NOBODY_ELSE, ...more, idempotencyKey: 'order' }
    t.deepEqual(codeOf(await stage.client.post('/api/sdk/payments/request', agent.key, given)), [
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
  }
  t.is((await stage.request(approvalRequestId)).contentHash, contentHash)
  t.like((await stage.execute(agent, requestId)).body, { status: 'EXECUTED', amount: 150 })
})

test.serial('an approved payment executes without another approval if nothing changes', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent)
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test.serial('a decision after a policy change expires the approval request and opens a new one', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  await stage.assign((await stage.policy([HARMLESS])).id, agent)
  const stale = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.deepEqual(codeOf(stale), [400, 'INVALID_STATUS'])
  const { approvalRequestId: next } = stale.body as { approvalRequestId?: string }
  t.not(next, approvalRequestId)
  t.is((await stage.shown(agent, requestId)).approvalRequestId, next)
  const [old, now] = [await stage.request(approvalRequestId), await stage.request(next!)]
  t.deepEqual([old.status, now.status], ['EXPIRED', 'PENDING'])
  t.not(old.contentHash, now.contentHash)
  t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, approvalRequestId)), [400, 'INVALID_STATUS'])
  t.is((await stage.requests('PENDING')).filter((one) => one.paymentRequestId === requestId).length, 1)
  t.is((await stage.decide(ORGANIZATION_KEY, next!)).body.payment.status, 'EXECUTED')
})

test.serial("a change of a policy's name or description requires no new approval", async (t) => {
  const agent = await stage.agent()
  const { id } = await stage.policy([{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }])
  await stage.assign(id, agent)
  const { approvalRequestId, requestId } = await stage.waiting(agent)
  await stage.must('PATCH', `/api/policies/${id}`, { name: 'Renamed', description: 'Other words' })
  t.like(await stage.decide(ORGANIZATION_KEY, approvalRequestId), { status: 200, body: { status: 'APPROVED' } })
  await stage.must('PATCH', `/api/policies/${id}`, { description: 'And others' })
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test.serial('a pending request can still be approved after the policy that required it is deactivated', async (t) => {
  for (const autoExecute of [false, true]) {
    const agent = await stage.agent()
    const { id } = await stage.policy([{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }])
    await stage.assign(id, agent)
    const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute })
    await stage.must('PATCH', `/api/policies/${id}`, { isActive: false })
    const decided = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
    t.like(decided, {
      status: 200,
      body: { status: 'APPROVED', payment: { status: autoExecute ? 'EXECUTED' : 'APPROVED' } },
    })
    if (!autoExecute) t.is((await stage.execute(agent, requestId)).status, 200)
  }
})

test.serial('a budget added while a request is pending is reserved before the new request opens', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent)
  const shared = (amount: number) => ({ ruleType: 'BUDGET_CAP', value: { amount, period: 'TOTAL', of: 'POLICY' } })
  await stage.assign((await stage.policy([shared(160)])).id, agent)
  const stale = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.deepEqual(codeOf(stale), [400, 'INVALID_STATUS'])
  t.is((await stage.ask(agent, 11)).status, 'DENIED')
  const { approvalRequestId: next } = await stage.shown(agent, requestId)
  await stage.decide(ORGANIZATION_KEY, next!)
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test.serial('a decision on a payment that policies now deny expires its request and denies it', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent)
  await stage.assign((await stage.policy([NOBODY])).id, agent)
  t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, approvalRequestId)), [400, 'INVALID_STATUS'])
  t.like(await stage.shown(agent, requestId), { status: 'DENIED', deniedBy: 'POLICY', approval: { status: 'EXPIRED' } })
})

test.serial("strict lineage bars the creator of the agent's key and the policy's last editor", async (t) => {
  const [maker, editor, other] = [await stage.person(), await stage.person(), await stage.person()]
  await stage.must('PATCH', '/api/organization', { governance: { strictLineage: true } })
  const agent = await stage.agent()
  const key = await stage.asPerson<Key>(maker, 'POST', `/api/agents/${agent.agentId}/sdk-keys`, { name: 'Hers' })
  const own = { ...agent, key: key.body.key }
  const fields = { name: another('Policy'), policyType: 'COMPOSITE', rules: [NEEDS_PERSON], agentIds: [agent.agentId] }
  const editorsKey = await stage.asPerson<Key>(editor, 'POST', '/api/api-keys', { name: 'His', scopePreset: 'ADMIN' })
  t.is((await stage.client.post('/api/policies', editorsKey.body.key, fields)).status, 201)
  const { approvalRequestId: id } = await stage.waiting(own)
  for (const by of [maker.cookie, editor.cookie, editorsKey.body.key]) {
    t.deepEqual(codeOf(await stage.decide(by, id)), [403, 'SELF_APPROVAL'])
  }
  t.is((await stage.decide(other.cookie, id)).status, 200)
  const { approvalRequestId: worded } = await stage.waiting(own)
  const { id: policyId } = (await stage.must<PolicyList>('GET', '/api/policies?limit=1')).policies[0]!
  t.is((await stage.asPerson(other, 'PATCH', `/api/policies/${policyId}`, { description: 'Other words' })).status, 200)
  const stale = await stage.decide(other.cookie, worded)
  t.deepEqual(codeOf(stale), [400, 'INVALID_STATUS'])
  const { approvalRequestId: next } = stale.body as { approvalRequestId?: string }
  t.deepEqual(codeOf(await stage.decide(other.cookie, next!)), [403, 'SELF_APPROVAL'])
  await stage.must('PATCH', '/api/organization', { governance: { strictLineage: false } })
  const { approvalRequestId: again } = await stage.waiting(own)
  t.is((await stage.decide(maker.cookie, again)).status, 200)
})
