// Payments from wallets whose keys the service does not hold: the permit to pay, its token, the confirmation, and what
// happens when time passes in between.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { Answer, Client } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { OPERATOR_KEY, start } from '../../support/service.js'
import {
  balanceOf,
  delegationOf,
  EVERY_DAY,
  type FundedAgent,
  type FundedAgentOptions,
} from '../../support/payments.js'
import { DAY_MS, HOUR_MS, NOON } from '../../support/policies.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type {
  Confirmation,
  CounterpartyList,
  CounterpartyLookup,
  NetworkTrust,
  PaymentList,
  Permit,
} from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]
const anAddress = (): string => `0x${randomBytes(20).toString('hex')}`
const aHash = (): string => `0x${randomBytes(32).toString('hex')}`
const RECIPIENT = '0x00000000000000000000000000000000000000a1'

type External = FundedAgent & { address: string }

async function external(
  options: FundedAgentOptions = {},
  custodyType = 'EXTERNAL',
  place: { chainId?: string } = {},
): Promise<External> {
  const address = anAddress()
  const agent = await stage.supervised({ ...options, wallet: { custodyType, address, ...place } })
  return { ...agent, address }
}

const approve = (agent: External, amount: number, more: object = {}, headers = {}) => {
  const body = { amount, recipientAddress: RECIPIENT, senderAddress: agent.address, chainId: '84532', ...more }
  return stage.client.post<Permit>('/api/sdk/payments/approve', agent.key, body, headers)
}
const permit = ({ key }: FundedAgent, requestId: string) =>
  stage.client.post<Permit>(`/api/sdk/payments/${requestId}/approve`, key)
const confirm = (
  { key }: FundedAgent,
  { approvalId, approvalToken }: Pick<Permit, 'approvalId' | 'approvalToken'>,
  txHash: string = aHash(),
) => stage.client.post<Confirmation>(`/api/sdk/payments/${approvalId}/confirm`, key, { txHash, approvalToken })

test.serial(
  'a permit is not shown again once its delegation is revoked, even if the wallet is delegated again',
  async (t) => {
    const agent = await external()
    const { requestId } = await stage.ask(agent, 90)
    t.true((await permit(agent, requestId)).body.approved)
    const { agentId, walletId } = agent
    const place = `/api/agents/${agentId}/wallets`
    await stage.client.send('DELETE', `${place}?walletId=${walletId}`, ORGANIZATION_KEY)
    const terms = { walletId, delegationType: 'FULL', spendLimitDaily: 10, allowedDays: EVERY_DAY }
    t.is((await stage.client.post(place, ORGANIZATION_KEY, terms)).status, 201)
    const again = await permit(agent, requestId)
    t.deepEqual([codeOf(again), again.body.approvalToken], [[400, 'LIMIT_EXCEEDED'], undefined])
  },
)

for (const custodyType of ['EXTERNAL', 'SMART_CONTRACT']) {
  test.serial(`a payment from a wallet with custody ${custodyType} is permitted, paid and confirmed`, async (t) => {
    const agent = await external({ terms: { spendLimitDaily: 1000 } }, custodyType)
    const { requestId } = await stage.ask(agent, 40)
    t.deepEqual(codeOf(await stage.execute(agent, requestId)), [400, 'MANUAL_EXECUTION_REQUIRED'])
    const { status, body } = await permit(agent, requestId)
    t.is(status, 200)
    t.like(body, { approved: true, requestId, limits: { dailyLimit: 1000, dailyUsed: 40, dailyRemaining: 960 } })
    t.is(body.confirmUrl, `/api/sdk/payments/${body.approvalId}/confirm`)
    const left = Date.parse(body.expiresAt!) - stage.now()
    t.true(left > 9.5 * 60_000 && left <= 10 * 60_000)
    t.deepEqual(codeOf(await stage.execute(agent, requestId)), [400, 'MANUAL_EXECUTION_REQUIRED'])
    t.like(await delegationOf(stage.client, agent), { spent: { day: 0 }, reserved: 40 })
    t.is((await stage.shown(agent, requestId)).expiresAt, body.expiresAt!)
    const cancelled = await stage.client.post<{ error: string }>(`/api/sdk/payments/${requestId}/cancel`, agent.key)
    t.deepEqual([cancelled.status, /permit to pay/.test(cancelled.body.error)], [400, true])
    const txHash = aHash()
    const done = await confirm(agent, body, txHash)
    t.is(done.status, 200)
    t.like(done.body, { confirmed: true, requestId, status: 'EXECUTED', txHash })
    t.like(await delegationOf(stage.client, agent), { spent: { day: 40 }, reserved: 0 })
    t.is(await balanceOf(stage.client, agent), 1_000_000 - 40)
    const shown = await stage.shown(agent, requestId)
    t.like(shown, { status: 'EXECUTED', transaction: { id: done.body.transactionId, txHash } })
    t.deepEqual((await confirm(agent, body, txHash)).body, done.body)
    t.deepEqual(codeOf(await confirm(agent, body)), [409, 'ALREADY_EXECUTED'])
    t.deepEqual(codeOf(await permit(agent, requestId)), [409, 'ALREADY_EXECUTED'])
  })
}

test.serial('approve can create and permit a payment in one request, choosing the wallet by its address', async (t) => {
  const agent = await external()
  const { status, body } = await approve(agent, 25)
  t.is(status, 200)
  t.true(body.approved)
  t.is((await confirm(agent, body)).body.status, 'EXECUTED')
  t.deepEqual(codeOf(await approve(agent, 25, { senderAddress: anAddress() })), [400, 'NO_WALLET'])
  t.deepEqual(codeOf(await approve(agent, 25, { chainId: '1' })), [400, 'VALIDATION_ERROR'])
  const denied = await approve(agent, 2_000_000)
  t.like(denied, { status: 200, body: { approved: false, requiresHumanApproval: false } })
  t.true(denied.body.violations!.length > 0 && denied.body.approvalToken === undefined)
})

test.serial('a payment from a managed wallet gets no permit', async (t) => {
  const agent = await stage.supervised()
  const { requestId, wallet } = await stage.ask(agent, 5)
  t.deepEqual(codeOf(await permit(agent, requestId)), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await approve({ ...agent, address: wallet!.address }, 5)), [400, 'INVALID_STATUS'])
})

test.serial('a payment that needs a person gets its permit only after the approval', async (t) => {
  const agent = await external()
  const { body } = await approve(agent, 150)
  t.like(body, { approved: false, requiresHumanApproval: true })
  t.deepEqual((await permit(agent, body.requestId)).body.approvalRequestId, body.approvalRequestId)
  await stage.decide(ORGANIZATION_KEY, body.approvalRequestId!)
  const given = await permit(agent, body.requestId)
  t.true(given.body.approved)
  t.is((await confirm(agent, given.body)).status, 200)
})

test.serial('a permit token is valid only for its own payment', async (t) => {
  const agent = await external()
  const [one, other] = [(await approve(agent, 10)).body, (await approve(agent, 10)).body]
  t.not(one.approvalToken, other.approvalToken)
  for (const approvalToken of [other.approvalToken!, 'nonsense', one.approvalToken!.slice(0, -1)]) {
    t.deepEqual(codeOf(await confirm(agent, { ...one, approvalToken })), [403, 'INVALID_TOKEN'])
  }
  const asked = await stage.ask(agent, 10)
  t.deepEqual(codeOf(await confirm(agent, { ...one, approvalId: asked.requestId })), [403, 'INVALID_TOKEN'])
  const stranger = await external()
  t.deepEqual(codeOf(await confirm(stranger, one)), [404, 'NOT_FOUND'])
  t.is((await confirm(agent, one)).status, 200)
})

test.serial('a transaction hash confirms at most one payment, regardless of letter case', async (t) => {
  const agent = await external()
  const [one, other] = [(await approve(agent, 10)).body, (await approve(agent, 10)).body]
  const txHash = aHash()
  t.is((await confirm(agent, one, txHash)).status, 200)
  const upper = `0x${txHash.slice(2).toUpperCase()}`
  t.deepEqual(codeOf(await confirm(agent, other, txHash)), [409, 'ALREADY_EXECUTED'])
  t.deepEqual(codeOf(await confirm(agent, other, upper)), [409, 'ALREADY_EXECUTED'])
  t.is((await confirm(agent, one, upper)).status, 200)
  t.is((await stage.shown(agent, other.requestId)).status, 'APPROVED')
  t.is((await confirm(agent, other)).status, 200)
  for (const bad of ['0x12', 'nonsense', txHash.slice(2)]) {
    t.deepEqual(codeOf(await confirm(agent, other, bad)), [400, 'VALIDATION_ERROR'])
  }
})

test.serial('a transaction hash confirms at most one payment across all chains', async (t) => {
  const [here, there] = [await external(), await external({}, 'EXTERNAL', { chainId: '1' })]
  const one = (await approve(here, 1)).body
  const other = (await approve(there, 1, { chainId: '1' })).body
  const txHash = aHash()
  t.is((await confirm(here, one, txHash)).status, 200)
  t.deepEqual(codeOf(await confirm(there, other, txHash)), [409, 'ALREADY_EXECUTED'])
})

/** A payment from an external wallet of the key's organization, confirmed with this hash. */
async function confirmedBy(client: Client, key: string, txHash: string): Promise<Answer<Confirmation>> {
  const made = async <Body>(path: string, body: object): Promise<Body> =>
    (await client.post<Body>(path, key, body)).body
  const senderAddress = anAddress()
  const { id } = await made<{ id: string }>('/api/agents', { name: 'Payer', agentType: 'CUSTOM' })
  const wallet = { name: 'Theirs', custodyType: 'EXTERNAL', address: senderAddress, chainId: '84532' }
  const { id: walletId } = await made<{ id: string }>('/api/wallets', wallet)
  await made(`/api/wallets/${walletId}/fund`, { amount: 10 })
  await made(`/api/agents/${id}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const agent = await made<{ key: string }>(`/api/agents/${id}/sdk-keys`, { name: 'Key' })
  const wanted = { amount: 1, recipientAddress: RECIPIENT, senderAddress, chainId: '84532' }
  const { approvalId, approvalToken } = (await client.post<Permit>('/api/sdk/payments/approve', agent.key, wanted)).body
  return client.post(`/api/sdk/payments/${approvalId}/confirm`, agent.key, { txHash, approvalToken })
}

test('in test settlement a transaction hash confirms at most one payment across organizations', async (t) => {
  const { client } = await start(t)
  const { apiKey } = (await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })).body
  const txHash = aHash()
  t.is((await confirmedBy(client, ORGANIZATION_KEY, txHash)).status, 200)
  t.deepEqual(codeOf(await confirmedBy(client, apiKey, txHash)), [409, 'ALREADY_EXECUTED'])
})

test.serial('concurrent confirmations with one hash confirm only one payment', async (t) => {
  const agent = await external()
  const permits = await Promise.all(Array.from({ length: 10 }, async () => (await approve(agent, 1)).body))
  const txHash = aHash()
  const answers = await Promise.all([...permits, ...permits].map((one) => confirm(agent, one, txHash)))
  const paid = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.requestId))
  t.is(paid.size, 1)
  t.like(await delegationOf(stage.client, agent), { spent: { day: 1 }, reserved: 9 })
})

test.serial('a permitted payment stays reserved past its expiry and can be confirmed over a limit', async (t) => {
  const agent = await external({ terms: { spendLimitDaily: 100 } })
  const { body } = await approve(agent, 90)
  stage.setClock(NOON + HOUR_MS)
  t.is((await stage.shown(agent, body.requestId)).status, 'APPROVED')
  t.like(await delegationOf(stage.client, agent), { reserved: 90 })
  t.is((await stage.ask(agent, 20)).status, 'DENIED')
  await stage.must('PATCH', `/api/agents/${agent.agentId}/wallets/${agent.walletId}`, { spendLimitDaily: 1 })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'SUSPENDED' })
  stage.setClock(NOON + 2 * DAY_MS)
  t.is((await confirm(agent, body)).status, 200)
  t.like(await delegationOf(stage.client, agent), { spent: { day: 90 }, reserved: 0 })
  stage.setClock(NOON)
})

test.serial('an agent with an outstanding permit is not deleted, so that it can confirm', async (t) => {
  const agent = await external()
  const { requestId } = (await approve(agent, 5)).body
  const remove = () => stage.admin<{ code: string }>('DELETE', `/api/agents/${agent.agentId}`)
  t.deepEqual(codeOf(await remove()), [400, 'INVALID_STATUS'])
  await stage.must('POST', `/api/payments/${requestId}/release`, { reason: 'Not paid' })
  t.is((await remove()).status, 200)
})

test.serial('only an administrator can release a permitted payment', async (t) => {
  const agent = await external()
  const { body } = await approve(agent, 30)
  t.deepEqual(codeOf(await stage.client.post(`/api/sdk/payments/${body.requestId}/cancel`, agent.key)), [
    400,
    'INVALID_STATUS',
  ])
  const released = await stage.admin<{ status: string }>('POST', `/api/payments/${body.requestId}/release`, {
    reason: 'Never paid',
  })
  t.is(released.body.status, 'CANCELLED')
  t.like(await delegationOf(stage.client, agent), { reserved: 0 })
  t.deepEqual(codeOf(await confirm(agent, body)), [400, 'INVALID_STATUS'])
})

test.serial('no permit is given where an execution would be refused', async (t) => {
  const agent = await external()
  const { requestId } = await stage.ask(agent, 5)
  await stage.must('PATCH', `/api/wallets/${agent.walletId}`, { status: 'FROZEN' })
  t.deepEqual(codeOf(await permit(agent, requestId)), [400, 'INVALID_STATUS'])
  await stage.must('PATCH', `/api/wallets/${agent.walletId}`, { status: 'ACTIVE' })
  t.true((await permit(agent, requestId)).body.approved)
  const other = await stage.ask(agent, 5)
  await stage.assign((await stage.policy([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1 }])).id, agent)
  t.like((await permit(agent, other.requestId)).body, { approved: false, requiresHumanApproval: false })
  t.is((await stage.shown(agent, other.requestId)).status, 'DENIED')
})

/** Each reason that blocks a payment, how it is set and removed, and the code when the permit is requested again. */
const BLOCKERS: [string, (agent: External, recipient: string) => [on: Sent, off: Sent], code: string][] = [
  [
    'the organization is frozen',
    () => [
      ['POST', '/api/organization/freeze', { reason: 'Stolen' }],
      ['POST', '/api/organization/unfreeze'],
    ],
    'INVALID_STATUS',
  ],
  [
    'the recipient is blocked',
    (_, recipient) => [
      ['POST', `/api/counterparties/${recipient}/block`, { reason: 'Fraud' }],
      ['POST', `/api/counterparties/${recipient}/unblock`],
    ],
    'INVALID_STATUS',
  ],
  [
    'the agent is suspended',
    ({ agentId }) => [
      ['PATCH', `/api/agents/${agentId}`, { status: 'SUSPENDED' }],
      ['PATCH', `/api/agents/${agentId}`, { status: 'ACTIVE' }],
    ],
    'INVALID_STATUS',
  ],
  [
    'the wallet is frozen',
    ({ walletId }) => [
      ['PATCH', `/api/wallets/${walletId}`, { status: 'FROZEN' }],
      ['PATCH', `/api/wallets/${walletId}`, { status: 'ACTIVE' }],
    ],
    'INVALID_STATUS',
  ],
  [
    'the limit is lowered',
    ({ agentId, walletId }) => [
      ['PATCH', `/api/agents/${agentId}/wallets/${walletId}`, { spendLimitDaily: 1 }],
      ['PATCH', `/api/agents/${agentId}/wallets/${walletId}`, { spendLimitDaily: 100 }],
    ],
    'LIMIT_EXCEEDED',
  ],
]
type Sent = [method: string, path: string, body?: unknown]

for (const [what, switchesOf, code] of BLOCKERS) {
  test.serial(`a permit is not returned again while ${what}, but the payment can still be confirmed`, async (t) => {
    const agent = await external({ terms: { spendLimitDaily: 100 } })
    const { body } = await approve(agent, 90)
    const { counterparties } = await stage.must<CounterpartyList>('GET', '/api/counterparties')
    const [on, off] = switchesOf(agent, counterparties.find(({ address }) => address.toLowerCase() === RECIPIENT)!.id)
    await stage.must(...on)
    t.deepEqual(codeOf(await permit(agent, body.requestId)), [400, code])
    t.like(await delegationOf(stage.client, agent), { reserved: 90 })
    await stage.must(...off)
    t.deepEqual((await permit(agent, body.requestId)).body, body)
    await stage.must(...on)
    t.is((await confirm(agent, body)).status, 200)
    await stage.must(...off)
  })
}

test.serial('an expired or now denied permit is not returned again, but can still be confirmed', async (t) => {
  const agent = await external()
  const [late, denied] = [(await approve(agent, 5)).body, (await approve(agent, 6)).body]
  await stage.assign((await stage.policy([{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 5 }])).id, agent)
  t.deepEqual(codeOf(await permit(agent, denied.requestId)), [400, 'LIMIT_EXCEEDED'])
  t.is((await permit(agent, late.requestId)).body.approvalToken, late.approvalToken)
  stage.setClock(Date.parse(late.expiresAt!))
  t.deepEqual(codeOf(await permit(agent, late.requestId)), [400, 'EXPIRED'])
  t.like(await delegationOf(stage.client, agent), { reserved: 11 })
  for (const one of [late, denied]) t.is((await confirm(agent, one)).status, 200)
  stage.setClock(NOON)
})

const knownAt = async (address: string): Promise<CounterpartyLookup> =>
  (await stage.client.get<CounterpartyLookup>(`/api/counterparties/lookup?address=${address}`, ORGANIZATION_KEY)).body

test.serial('a confirmation restores a recipient that was deleted meanwhile, blocked if it was blocked', async (t) => {
  const agent = await external()
  for (const status of ['UNKNOWN', 'BLOCKED']) {
    const recipientAddress = anAddress()
    const { body } = await approve(agent, 5, { recipientAddress, recipientName: 'Paid anyway' })
    const { counterparty } = await knownAt(recipientAddress)
    const path = `/api/counterparties/${counterparty!.id}`
    if (status === 'BLOCKED') await stage.must('POST', `${path}/block`, { reason: 'Fraud' })
    await stage.must('DELETE', path)
    t.is((await knownAt(recipientAddress)).found, false)
    t.is((await confirm(agent, body)).status, 200)
    const known = await knownAt(recipientAddress)
    t.like(known, { found: true, counterparty: { name: 'Paid anyway', status }, networkTrust: { transactionCount: 1 } })
  }
})

test.serial('a released payment does not mark its recipient with an unusual pattern', async (t) => {
  const agent = await external()
  const recipientAddress = anAddress()
  for (let count = 0; count < 5; count += 1) await confirm(agent, (await approve(agent, 1, { recipientAddress })).body)
  const { requestId } = (await approve(agent, 50, { recipientAddress })).body
  const trustOf = () => stage.must<NetworkTrust>('GET', `/api/counterparties/network-trust?address=${recipientAddress}`)
  await stage.must('POST', `/api/payments/${requestId}/release`, { reason: 'Never paid' })
  t.like(await trustOf(), { riskIndicators: { unusualPattern: false }, networkTrust: { averageAmount: 1 } })
  await confirm(agent, (await approve(agent, 60, { recipientAddress })).body)
  t.like(await trustOf(), { riskIndicators: { unusualPattern: true } })
})

test.serial('a replayed approve omits the token, and the lost permit can be requested again', async (t) => {
  const agent = await external()
  const headers = { 'Idempotency-Key': 'lost' }
  const first = await approve(agent, 5, {}, headers)
  const again = await approve(agent, 5, {}, headers)
  t.is(again.headers['idempotency-replayed'], 'true')
  t.false('approvalToken' in again.body)
  t.is(again.body.requestId, first.body.requestId)
  t.deepEqual((await permit(agent, first.body.requestId)).body, first.body)
  const found = await stage.client.get<PaymentList>('/api/sdk/payments?idempotencyKey=lost', agent.key)
  t.deepEqual(
    found.body.payments.map(({ id }) => id),
    [first.body.requestId],
  )
  await stage.restart()
  t.is((await confirm(agent, first.body)).status, 200)
  t.deepEqual(stage.logged, [])
})

test.serial('the payments of one idempotency key are a list like any other: newest first, in pages', async (t) => {
  const agent = await external()
  const asked = await stage.ask(agent, 5, { idempotencyKey: 'both' })
  const approved = await approve(agent, 5, {}, { 'Idempotency-Key': 'both' })
  interface Found {
    payments: { id: string }[]
    pagination: { total: number; hasMore: boolean; nextCursor?: string }
  }
  const list = (query: string) => stage.client.get<Found>(`/api/sdk/payments?idempotencyKey=both${query}`, agent.key)
  const idsOf = ({ body }: Answer<Found>): string[] => body.payments.map(({ id }) => id)
  const newest = [approved.body.requestId, asked.requestId]
  t.deepEqual(idsOf(await list('')), newest)
  const first = await list('&limit=1')
  t.deepEqual(idsOf(first), newest.slice(0, 1))
  t.like(first.body.pagination, { total: 2, hasMore: true })
  const second = await list(`&limit=1&cursor=${first.body.pagination.nextCursor}`)
  t.deepEqual(idsOf(second), newest.slice(1))
  t.like(second.body.pagination, { total: 2, hasMore: false, nextCursor: undefined })
  t.deepEqual(idsOf(await list('&offset=1')), newest.slice(1))
  t.deepEqual(idsOf(await list('&status=EXECUTED')), [])
  t.deepEqual(codeOf(await list('&cursor=nonsense')), [400, 'VALIDATION_ERROR'])
})
