// Cards: what is registered, who may pay with it, within what, and what becomes of a payment on a card.
import test from 'ava'
import type {
  Alert,
  AlertList,
  AssignedCard,
  AssignedCardList,
  AuditEntryList,
  Card,
  CardPermit,
  Payment,
  PaymentList,
  Policy,
  TracedPayment,
} from '../../../sdk/api.js'
import { agentWith, approve, cardAgent, confirm, type CardAgent } from '../../support/cards.js'
import type { Client, Failure } from '../../support/client.js'
import { runs } from '../../support/depth.js'
import { startInspected } from '../../support/inspected.js'
import { fundedAgent, made, RECIPIENT } from '../../support/payments.js'
import { ORGANIZATION_KEY as KEY, wholeFile } from '../../support/process.js'
import type { Started } from '../../support/service.js'

const scope = wholeFile(test)
let service: Started
let client: Client
test.before('the service runs', async () => {
  service = await startInspected(scope)
  client = service.client
})

const cardOf = async ({ cardId }: CardAgent): Promise<Card> =>
  (await client.get<Card>(`/api/cards/${cardId}`, KEY)).body
const paymentOf = async (id: string): Promise<TracedPayment> =>
  (await client.get<TracedPayment>(`/api/payments/${id}`, KEY)).body
const usedOf = ({ spentToday, reserved }: Card | AssignedCard): number[] => [spentToday, reserved]
const own = async ({ key }: CardAgent): Promise<AssignedCard> =>
  (await client.get<AssignedCardList>('/api/sdk/cards', key)).body.cards[0]!
const codeOf = ({ status, body }: { status: number; body: Failure }) => [status, body.code]
const kindsOf = ({ body }: { body: { violations?: { type: string }[] } }) => body.violations?.map(({ type }) => type)
const alertsOf = async (agent: CardAgent): Promise<Alert[]> => {
  const query = `type=CARD_OVERCHARGE&agentId=${agent.agentId}`
  return (await client.get<AlertList>(`/api/alerts?${query}`, KEY)).body.alerts
}

async function underRules(agent: CardAgent, rules: object[], to: 'cards' | 'agents' = 'cards'): Promise<Policy> {
  const policy = await made<Policy>(client, '/api/policies', {
    name: `On ${agent.cardId}`,
    policyType: 'COMPOSITE',
    rules,
  })
  await made(client, `/api/${to}/${to === 'cards' ? agent.cardId : agent.agentId}/policies`, { policyId: policy.id })
  return policy
}

test('a card is registered, assigned, paid with and confirmed', async (t) => {
  const agent = await cardAgent(client, { spendLimitPerTx: 100, spendLimitDaily: 200 })
  const { body: permit } = await approve(client, agent, 40, { reference: 'INV-7', purpose: 'Hosting' })
  t.like(permit, { status: 'APPROVED', amount: 40, reasons: [] })
  t.truthy(permit.approvalToken)
  t.deepEqual(usedOf(await cardOf(agent)), [0, 40])
  t.true((await paymentOf(permit.requestId)).tokenOut)
  const { body: charge } = await confirm(client, agent, permit)
  t.deepEqual(charge, { requestId: permit.requestId, status: 'EXECUTED', amount: 40, transactionReference: 'ch_1' })
  t.deepEqual(usedOf(await cardOf(agent)), [40, 0])
  t.deepEqual(usedOf(await own(agent)), [40, 0])
  const payment = await paymentOf(permit.requestId)
  t.like(payment, { rail: 'CARD', currency: 'USD', recipientAddress: null, wallet: null, recipientName: 'Hosting Ltd' })
  t.is(payment.tokenOut, undefined)
  t.like(payment.card!, { id: agent.cardId, last4: '4242', brand: 'VISA', approvedAmount: 40 })
  t.deepEqual(await alertsOf(agent), [])
})

test('payments are listed by their rail', async (t) => {
  const agent = await cardAgent(client)
  const { body: permit } = await approve(client, agent, 1)
  const paid = await fundedAgent(client, { name: 'By transfer' })
  const asked = await client.post<Payment>('/api/sdk/payments/request', paid.key, {
    amount: 1,
    recipientAddress: RECIPIENT,
  })
  const listed = async (rail: string): Promise<Payment[]> =>
    (await client.get<PaymentList>(`/api/payments?rail=${rail}`, KEY)).body.payments
  const [cards, transfers] = [await listed('CARD'), await listed('TRANSFER')]
  t.true(cards.every(({ rail }) => rail === 'CARD') && cards.some(({ id }) => id === permit.requestId))
  t.true(transfers.every(({ rail }) => rail === 'TRANSFER') && transfers.some(({ id }) => id === asked.body.requestId))
  t.deepEqual(await listed('X402'), [])
})

test('a charge of less frees the rest', async (t) => {
  const agent = await cardAgent(client, { spendLimitDaily: 100 })
  const { body: permit } = await approve(client, agent, 100)
  t.deepEqual(kindsOf(await approve(client, agent, 1)), ['DAILY_LIMIT'])
  t.is((await confirm(client, agent, permit, { amount: 30 })).body.overcharged, undefined)
  t.deepEqual(usedOf(await cardOf(agent)), [30, 0])
  t.is((await approve(client, agent, 70)).body.status, 'APPROVED')
})

test('a charge of more is recorded over every limit, and raises an alert', async (t) => {
  const agent = await cardAgent(client, { spendLimitPerTx: 50, spendLimitDaily: 50 })
  const { body: permit } = await approve(client, agent, 50)
  const charge = await confirm(client, agent, permit, { amount: 80.5 })
  t.like(charge, { status: 200, body: { status: 'EXECUTED', amount: 80.5, overcharged: true } })
  t.deepEqual(usedOf(await cardOf(agent)), [80.5, 0])
  t.like(await paymentOf(permit.requestId), { amount: 80.5, card: { approvedAmount: 50, overcharged: true } })
  const [alert, ...others] = await alertsOf(agent)
  t.like(alert, { severity: 'CRITICAL', paymentId: permit.requestId, count: 1 })
  t.deepEqual(others, [])
})

test('a void frees the amount, and a charge after it is recorded', async (t) => {
  const agent = await cardAgent(client, { spendLimitDaily: 50 })
  const { body: permit } = await approve(client, agent, 50, { paymentKey: 'late' })
  t.like((await confirm(client, agent, permit, { status: 'VOIDED' })).body, { status: 'CANCELLED' })
  t.is((await confirm(client, agent, permit, { status: 'VOIDED' })).status, 200)
  const { body: next } = await approve(client, agent, 50, { paymentKey: 'late' })
  t.deepEqual([next.status, next.attempt], ['APPROVED', 2])
  t.like((await confirm(client, agent, permit, { amount: 50 })).body, { status: 'EXECUTED', overcharged: true })
  t.deepEqual(usedOf(await cardOf(agent)), [50, 50])
  t.is((await confirm(client, agent, next, { transactionReference: 'ch_2' })).body.status, 'EXECUTED')
  t.is((await alertsOf(agent)).length, 1)
})

test('a late charge has its purchase again where no other attempt has it', async (t) => {
  const agent = await cardAgent(client)
  const { body: permit } = await approve(client, agent, 5, { paymentKey: 'mine' })
  await confirm(client, agent, permit, { status: 'VOIDED' })
  await confirm(client, agent, permit)
  const again = await approve(client, agent, 5, { paymentKey: 'mine' })
  t.like(again.body, { requestId: permit.requestId, status: 'EXECUTED', attempt: 1 })
})

test('what was released is recorded when it was charged, whatever has become of card and agent', async (t) => {
  const agent = await cardAgent(client, { spendLimitDaily: 50 })
  const { body: permit } = await approve(client, agent, 50)
  await made(client, `/api/payments/${permit.requestId}/release`, { reason: 'Nothing came' })
  t.deepEqual(usedOf(await cardOf(agent)), [0, 0])
  await client.send('PATCH', `/api/cards/${agent.cardId}`, KEY, { status: 'CANCELLED' })
  await client.send('DELETE', `/api/agents/${agent.agentId}/cards?cardId=${agent.cardId}`, KEY)
  t.like((await confirm(client, agent, permit)).body, { status: 'EXECUTED', overcharged: true })
  t.deepEqual(usedOf(await cardOf(agent)), [50, 0])
})

test('the same reference again is the same answer, and another is refused', async (t) => {
  const agent = await cardAgent(client)
  const { body: permit } = await approve(client, agent, 5)
  const first = await confirm(client, agent, permit)
  t.deepEqual((await confirm(client, agent, permit)).body, first.body)
  t.deepEqual(codeOf(await confirm(client, agent, permit, { transactionReference: 'ch_2' })), [409, 'ALREADY_EXECUTED'])
  t.deepEqual(codeOf(await confirm(client, agent, permit, { status: 'VOIDED' })), [409, 'ALREADY_EXECUTED'])
  t.deepEqual(usedOf(await cardOf(agent)), [5, 0])
})

test('only its own token confirms a payment, and only by the route of cards', async (t) => {
  const agent = await cardAgent(client)
  const other = await cardAgent(client)
  const { body: permit } = await approve(client, agent, 5)
  const { body: foreign } = await approve(client, other, 5)
  const wrong = { approvalToken: foreign.approvalToken }
  t.deepEqual(codeOf(await confirm(client, agent, permit, wrong)), [403, 'INVALID_TOKEN'])
  t.deepEqual(codeOf(await confirm(client, other, permit)), [404, 'NOT_FOUND'])
  const post = (what: string, body?: object) =>
    client.post<Failure>(`/api/sdk/payments/${permit.requestId}/${what}`, agent.key, body)
  t.deepEqual(codeOf(await post('execute')), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await post('approve')), [400, 'INVALID_STATUS'])
  const transfer = { txHash: `0x${'a'.repeat(64)}`, approvalToken: permit.approvalToken }
  t.deepEqual(codeOf(await post('confirm', transfer)), [400, 'INVALID_STATUS'])
})

test('a token that is out is not ended by time', async (t) => {
  const agent = await cardAgent(client)
  const { body: permit } = await approve(client, agent, 5, { paymentKey: 'slow' })
  const same = await approve(client, agent, 5, { paymentKey: 'slow' })
  t.is(same.body.approvalToken, permit.approvalToken)
  t.is(same.headers['idempotency-replayed'], 'true')
  t.deepEqual(codeOf(await client.post<Failure>(`/api/sdk/payments/${permit.requestId}/cancel`, agent.key)), [
    400,
    'INVALID_STATUS',
  ])
  t.deepEqual(usedOf(await cardOf(agent)), [0, 5])
})

test('a purchase is one on all rails', async (t) => {
  const agent = await cardAgent(client)
  const purchase = { paymentKey: 'once' }
  const { body: permit } = await approve(client, agent, 5, purchase)
  t.deepEqual(codeOf(await approve(client, agent, 6, purchase)), [409, 'PRICE_CHANGED'])
  t.deepEqual(codeOf(await approve(client, agent, 5, { ...purchase, merchantName: 'Other' })), [409, 'PRICE_CHANGED'])
  t.is((await approve(client, agent, 5, { ...purchase, purpose: 'Words' })).body.requestId, permit.requestId)
  const byTransfer = await client.post<Payment>('/api/sdk/payments/request', agent.key, {
    amount: 5,
    recipientAddress: RECIPIENT,
    autoExecute: true,
    ...purchase,
  })
  t.like(byTransfer.body, { requestId: permit.requestId, status: 'APPROVED' })
  await confirm(client, agent, permit)
  const paid = await approve(client, agent, 5, purchase)
  t.like(paid.body, { status: 'EXECUTED', requestId: permit.requestId })
  t.is(paid.body.approvalToken, undefined)
})

test('an idempotency key protects one call', async (t) => {
  const agent = await cardAgent(client)
  const first = await approve(client, agent, 5, { idempotencyKey: 'k1' })
  const again = await approve(client, agent, 5, { idempotencyKey: 'k1' })
  t.is(again.body.requestId, first.body.requestId)
  t.deepEqual(codeOf(await approve(client, agent, 6, { idempotencyKey: 'k1' })), [409, 'IDEMPOTENCY_CONFLICT'])
  t.deepEqual(usedOf(await cardOf(agent)), [0, 5])
})

test('an assignment limits its agent, and the card all of its agents', async (t) => {
  const agent = await cardAgent(client, { spendLimitPerTx: 60, spendLimitDaily: 100 }, { spendLimitDaily: 50 })
  const other = { cardId: agent.cardId, ...(await agentWith(client, agent.cardId)) }
  t.like(await own(agent), { spendLimitPerTx: 60, spendLimitDaily: 50 })
  t.like(await own(other), { spendLimitPerTx: 60, spendLimitDaily: 100 })
  t.deepEqual(kindsOf(await approve(client, agent, 61)), ['DAILY_LIMIT', 'PER_TX_LIMIT'])
  t.is((await approve(client, agent, 50)).body.status, 'APPROVED')
  t.deepEqual(kindsOf(await approve(client, agent, 1)), ['DAILY_LIMIT'])
  t.deepEqual(kindsOf(await approve(client, other, 51)), ['DAILY_LIMIT'])
  t.is((await approve(client, other, 50)).body.status, 'APPROVED')
})

test('an assignment is never above the card, and is made once', async (t) => {
  const agent = await cardAgent(client, { spendLimitPerTx: 60, spendLimitDaily: 100 })
  const assign = (body: object) => client.post<Failure>(`/api/agents/${agent.agentId}/cards`, KEY, body)
  const { cardId } = await cardAgent(client, { spendLimitPerTx: 60, spendLimitDaily: 100 })
  t.deepEqual(codeOf(await assign({ cardId, spendLimitPerTx: 61 })), [400, 'VALIDATION_ERROR'])
  t.deepEqual(codeOf(await assign({ cardId, spendLimitDaily: 101 })), [400, 'VALIDATION_ERROR'])
  t.deepEqual(codeOf(await assign({ cardId, allowedHoursStart: 5, allowedHoursEnd: 5 })), [400, 'VALIDATION_ERROR'])
  t.deepEqual(codeOf(await assign({ cardId: agent.cardId })), [409, 'ALREADY_EXISTS'])
  t.deepEqual(codeOf(await assign({ cardId: 'c000000000000000000000000' })), [404, 'NOT_FOUND'])
})

test('what was spent survives the end of an assignment', async (t) => {
  const agent = await cardAgent(client, {}, { spendLimitDaily: 50 })
  await confirm(client, agent, (await approve(client, agent, 30)).body)
  await approve(client, agent, 10)
  const path = `/api/agents/${agent.agentId}/cards`
  await client.send('DELETE', `${path}?cardId=${agent.cardId}`, KEY)
  t.deepEqual(codeOf(await approve(client, agent, 1)), [404, 'NOT_FOUND'])
  const { status } = await client.send('DELETE', `${path}?cardId=${agent.cardId}`, KEY)
  t.is(status, 404)
  await made(client, path, { cardId: agent.cardId, spendLimitDaily: 50 })
  t.deepEqual(kindsOf(await approve(client, agent, 11)), ['DAILY_LIMIT'])
  t.is((await approve(client, agent, 10)).body.status, 'APPROVED')
})

test('hours, days and merchant categories are the assignment’s', async (t) => {
  const closed = await cardAgent(client, {}, { allowedDays: [] })
  t.deepEqual(kindsOf(await approve(client, closed, 1)), ['TIME_WINDOW'])
  const agent = await cardAgent(client, {}, { blockedCategories: ['7995'] })
  t.deepEqual(kindsOf(await approve(client, agent, 1, { merchantCategory: '7995' })), ['CATEGORY_RESTRICTION'])
  t.is((await approve(client, agent, 1)).body.status, 'APPROVED')
  t.deepEqual(codeOf(await approve(client, agent, 1, { merchantCategory: '79' })), [400, 'VALIDATION_ERROR'])
})

test('a card that is paused pays nothing, and a cancelled one never again', async (t) => {
  const agent = await cardAgent(client)
  const become = (status: string) => client.send<Card & Failure>('PATCH', `/api/cards/${agent.cardId}`, KEY, { status })
  t.is((await become('PAUSED')).body.status, 'PAUSED')
  t.deepEqual(kindsOf(await approve(client, agent, 1)), ['CARD_NOT_ACTIVE'])
  t.is((await become('ACTIVE')).body.status, 'ACTIVE')
  t.is((await approve(client, agent, 1)).body.status, 'APPROVED')
  t.is((await become('CANCELLED')).body.status, 'CANCELLED')
  t.deepEqual(codeOf(await become('ACTIVE')), [400, 'INVALID_STATUS'])
  t.deepEqual(kindsOf(await approve(client, agent, 1)), ['CARD_NOT_ACTIVE'])
})

test('rules on cards decide on cards alone, and the trace of another rail says so', async (t) => {
  const agent = await cardAgent(client)
  await underRules(agent, [
    { ruleType: 'CARD_ALLOWED_MCCS', value: ['7372', '7995'] },
    { ruleType: 'CARD_BLOCKED_MCCS', value: ['7995'] },
    { ruleType: 'CARD_MAX_AMOUNT', value: 10 },
  ])
  t.is((await approve(client, agent, 10)).body.status, 'APPROVED')
  t.deepEqual(kindsOf(await approve(client, agent, 10.01)), ['AMOUNT_LIMIT'])
  t.deepEqual(kindsOf(await approve(client, agent, 1, { merchantCategory: '5734' })), ['CATEGORY_RESTRICTION'])
  t.deepEqual(kindsOf(await approve(client, agent, 1, { merchantCategory: '7995' })), ['CATEGORY_RESTRICTION'])
  const paid = await fundedAgent(client, { name: 'Not by card' })
  await underRules({ ...agent, agentId: paid.agentId }, [{ ruleType: 'CARD_MAX_AMOUNT', value: 1 }], 'agents')
  const asked = await client.post<Payment>('/api/sdk/payments/request', paid.key, {
    amount: 9,
    recipientAddress: RECIPIENT,
  })
  t.is(asked.body.status, 'APPROVED')
  const { trace } = await paymentOf(asked.body.requestId)
  t.is(trace.policies[0]!.rules[0]!.outcome, 'NOT_APPLICABLE')
})

test('ALLOWED_RAILS binds every rail', async (t) => {
  const agent = await cardAgent(client)
  await underRules(agent, [{ ruleType: 'ALLOWED_RAILS', value: ['TRANSFER'] }])
  t.deepEqual(kindsOf(await approve(client, agent, 1)), ['RAIL_NOT_ALLOWED'])
  const paid = await fundedAgent(client, { name: 'On one rail' })
  await underRules({ ...agent, agentId: paid.agentId }, [{ ruleType: 'ALLOWED_RAILS', value: ['CARD'] }], 'agents')
  const asked = await client.post<Payment>('/api/sdk/payments/request', paid.key, {
    amount: 9,
    recipientAddress: RECIPIENT,
  })
  t.deepEqual(kindsOf(asked), ['RAIL_NOT_ALLOWED'])
})

const BY_RECIPIENT: [string, object][] = [
  ['WHITELIST_VIOLATION', { ruleType: 'ALLOWED_COUNTERPARTIES', value: [RECIPIENT] }],
  ['COUNTERPARTY_STATUS', { ruleType: 'COUNTERPARTY_STATUS', value: ['UNKNOWN', 'TRUSTED', 'VERIFIED', 'BLOCKED'] }],
  ['TRUST_SCORE', { ruleType: 'TRUST_SCORE', value: 0 }],
  ['CONTRACT_NOT_ALLOWED', { ruleType: 'CONTRACT_ALLOWLIST', value: [RECIPIENT] }],
]

for (const [violation, rule] of BY_RECIPIENT) {
  test(`a rule that allows by recipient denies a card: ${violation}`, async (t) => {
    const agent = await cardAgent(client)
    await underRules(agent, [rule])
    const answer = await approve(client, agent, 1)
    t.deepEqual(kindsOf(answer), [violation])
    t.deepEqual(answer.body.reasons, ['A payment on a card has no recipient address, as the rule needs'])
  })
}

test('policies are assigned to cards, and taken from them', async (t) => {
  const agent = await cardAgent(client)
  const policy = await underRules(agent, [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1 }])
  const shown = async (): Promise<string[]> =>
    (await client.get<Policy>(`/api/policies/${policy.id}`, KEY)).body.assignments.cards
  t.deepEqual(await shown(), [agent.cardId])
  t.deepEqual(kindsOf(await approve(client, agent, 2)), ['AMOUNT_LIMIT'])
  await client.send('DELETE', `/api/cards/${agent.cardId}/policies?policyId=${policy.id}`, KEY)
  t.deepEqual(await shown(), [])
  t.is((await approve(client, agent, 2)).body.status, 'APPROVED')
})

test('a person approves a payment on a card, and the agent then gets its token', async (t) => {
  const agent = await cardAgent(client)
  await underRules(agent, [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 10 }])
  const asked = await approve(client, agent, 20, { paymentKey: 'large' })
  t.like(asked.body, { status: 'REQUIRES_APPROVAL' })
  t.is(asked.body.approvalToken, undefined)
  t.deepEqual(usedOf(await cardOf(agent)), [0, 20])
  await made(client, `/api/approval-requests/${asked.body.approvalRequestId}/decision`, { decision: 'APPROVED' })
  const permit = await approve(client, agent, 20, { paymentKey: 'large' })
  t.truthy(permit.body.approvalToken)
  t.is((await confirm(client, agent, permit.body)).body.status, 'EXECUTED')
})

test('the token of an approved payment is had by its id, again and again', async (t) => {
  const agent = await cardAgent(client)
  await underRules(agent, [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 10 }])
  const { body: asked } = await approve(client, agent, 20)
  const permit = ({ key }: CardAgent, id = asked.requestId) =>
    client.post<CardPermit & Failure>(`/api/sdk/cards/${id}/approve`, key)
  const { body: waits } = await permit(agent)
  t.like(waits, { status: 'REQUIRES_APPROVAL', approvalRequestId: asked.approvalRequestId! })
  t.is(waits.approvalToken, undefined)
  await made(client, `/api/approval-requests/${asked.approvalRequestId}/decision`, { decision: 'APPROVED' })
  const { body: first } = await permit(agent)
  t.like(first, { status: 'APPROVED', requestId: asked.requestId, amount: 20 })
  t.truthy(first.approvalToken)
  t.is((await permit(agent)).body.approvalToken, first.approvalToken)
  const other = { ...agent, ...(await agentWith(client, agent.cardId)) }
  t.deepEqual(codeOf(await permit(other)), [404, 'NOT_FOUND'])
  t.is((await confirm(client, agent, first)).body.status, 'EXECUTED')
  t.deepEqual(codeOf(await permit(agent)), [409, 'ALREADY_EXECUTED'])
  const paid = await fundedAgent(client, { name: 'No card' })
  const transfer = { amount: 1, recipientAddress: RECIPIENT }
  const { body: asRequest } = await client.post<Payment>('/api/sdk/payments/request', paid.key, transfer)
  t.deepEqual(codeOf(await permit({ ...agent, key: paid.key }, asRequest.requestId)), [400, 'INVALID_STATUS'])
})

test('a deleted agent has no cards any more', async (t) => {
  const agent = await cardAgent(client)
  const { id } = await own(agent)
  t.is((await client.send('DELETE', `/api/agents/${agent.agentId}`, KEY)).status, 200)
  t.is((await approve(client, agent, 1)).status, 401)
  const { body } = await client.get<AuditEntryList>(`/api/audit-logs?resourceId=${id}`, KEY)
  t.like(body.entries[0]!, { action: 'cardAssignment.revoke' })
  const again = await agentWith(client, agent.cardId)
  t.is((await approve(client, { ...agent, ...again }, 1)).body.status, 'APPROVED')
})

test('limits of policies count cards and transfers together', async (t) => {
  const paid = await fundedAgent(client, { name: 'On both rails' })
  const { cardId } = await cardAgent(client)
  await made(client, `/api/agents/${paid.agentId}/cards`, { cardId })
  const agent = { ...paid, cardId }
  await underRules(agent, [{ ruleType: 'DAILY_LIMIT', value: 100 }], 'agents')
  const transfer = { amount: 60, recipientAddress: RECIPIENT, autoExecute: true }
  await client.post('/api/sdk/payments/request', paid.key, transfer)
  t.deepEqual(kindsOf(await approve(client, agent, 41)), ['DAILY_LIMIT'])
  t.is((await approve(client, agent, 40)).body.status, 'APPROVED')
})

const APPROVALS = runs(500, 150)

test.serial(`${APPROVALS} parallel approvals take exactly the daily limit of a card, in every round`, async (t) => {
  t.timeout(600_000)
  for (let round = 0; round < runs(20); round += 1) {
    const agent = await cardAgent(client, { spendLimitDaily: 70 })
    const answers = await Promise.all(Array.from({ length: APPROVALS }, () => approve(client, agent, 1)))
    const permits = answers.filter(({ body }) => body.status === 'APPROVED')
    t.is(permits.length, 70)
    t.is(answers.filter(({ body }) => body.status === 'DENIED').length, APPROVALS - 70)
    t.deepEqual(usedOf(await cardOf(agent)), [0, 70])
    await Promise.all(permits.map(({ body }) => confirm(client, agent, body)))
    t.deepEqual(usedOf(await cardOf(agent)), [70, 0])
  }
})
