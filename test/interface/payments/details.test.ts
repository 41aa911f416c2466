// What an agent may say of a payment beside its purpose: the chain, its session, the invoice or order number, and what
// is bought. They are kept, shown to those who decide, and found again.
import test from 'ava'
import { CHAINS } from '../../../src/domain/values/chains.js'
import { paymentContentHash } from '../../../src/domain/payment/approval.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { RECIPIENT, type FundedAgent } from '../../support/payments.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { another } from '../../support/policies.js'
import type { Decision, Payment, PaymentList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

const ask = ({ key }: FundedAgent, more: object = {}): Promise<Answer<Decision & Failure>> =>
  stage.client.post('/api/sdk/payments/request', key, { amount: 5, recipientAddress: RECIPIENT, ...more })
const read = async ({ key }: FundedAgent, id: string): Promise<Payment> =>
  (await stage.client.get<Payment>(`/api/sdk/payments/${id}`, key)).body
const item = (quantity: unknown, unitAmount: unknown, description = 'A part') => ({ description, quantity, unitAmount })

const idsOf = ({ body }: Answer<PaymentList>) => body.payments.map(({ id }) => id)

test.serial("chainId chooses among the agent's wallets, and NO_WALLET says that none is there", async (t) => {
  const agent = await stage.agent()
  const wallet = { name: another('Wallet'), custodyType: 'MANAGED', chainId: '8453' }
  const { id: walletId } = await stage.must<{ id: string }>('POST', '/api/wallets', wallet)
  const fund = { amount: 100 }
  await stage.must('POST', `/api/wallets/${walletId}/fund`, fund)
  const place = `/api/agents/${agent.agentId}/wallets`
  await stage.must('POST', place, { walletId, delegationType: 'FULL', allowedDays: ['Mon', 'Tue', 'Wed'] })
  t.like((await ask(agent)).body.wallet, { id: agent.walletId, chainId: '84532' })
  t.like((await ask(agent, { chainId: 8453 })).body.wallet, { id: walletId, chainId: '8453' })
  t.like((await ask(agent, { chainId: '84532', walletId: agent.walletId })).body.wallet, { id: agent.walletId })
  for (const more of [{ chainId: '1' }, { chainId: '84532', walletId }, { chainId: 'solana-devnet' }]) {
    t.like(await ask(agent, more), { status: 400, body: { code: 'NO_WALLET' } }, JSON.stringify(more))
  }
})

test.serial("the zero address, and USDC's own contracts and mints on all chains, are no recipients", async (t) => {
  const agent = await stage.agent()
  const own = Object.values(CHAINS).flatMap(({ contract, mint }) => [contract, mint].flatMap((one) => one ?? []))
  t.is(own.length, 7)
  for (const recipientAddress of [`0x${'0'.repeat(40)}`, '1'.repeat(32), ...own]) {
    for (const paymentKey of [undefined, another('key').replace(' ', '-')]) {
      const refused = await ask(agent, { recipientAddress, paymentKey })
      t.like(refused, { status: 400, body: { code: 'INVALID_RECIPIENT' } }, recipientAddress)
    }
  }
})

test.serial('only USDC is a currency', async (t) => {
  const agent = await stage.agent()
  t.is((await ask(agent, { currency: 'USDC' })).status, 200)
  for (const currency of ['EUR', 'usdc', '', 1]) {
    t.like(await ask(agent, { currency }), { status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
})

test.serial('line items add up to the amount, to the micro-unit', async (t) => {
  const agent = await stage.agent()
  const right: [amount: unknown, items: object[]][] = [
    [5, [item(2, 2.5)]],
    ['0.3', [item(3, '0.1')]],
    [1.05, [item(0.5, 1.5), item('0.000001', 300_000)]],
    ['999999999.999999', [item(1, '999999999.999999')]],
    [50, Array(50).fill(item(1, 1))],
  ]
  for (const [amount, lineItems] of right) t.is((await ask(agent, { amount, lineItems })).status, 200, `${amount}`)
  const wrong: [code: string, items: unknown, amount?: unknown][] = [
    ['VALIDATION_ERROR', [item(2, 2.499999)]],
    ['VALIDATION_ERROR', [item('0.000001', '0.000001')], '0.000001'],
    ['VALIDATION_ERROR', []],
    ['VALIDATION_ERROR', Array(51).fill(item(1, 1)), 51],
    ['VALIDATION_ERROR', [item(0, 5)]],
    ['VALIDATION_ERROR', [item(-1, 5), item(2, 5)]],
    ['VALIDATION_ERROR', [item(1, 5, '')]],
    ['VALIDATION_ERROR', [item(1, 5, 'x'.repeat(201))]],
    ['VALIDATION_ERROR', [{ ...item(1, 5), vat: 1 }]],
    ['INVALID_AMOUNT', [item(1, -5)]],
    ['VALIDATION_ERROR', 'a list'],
  ]
  for (const [code, lineItems, amount = 5] of wrong) {
    const { status, body } = await ask(agent, { amount, lineItems })
    t.deepEqual([status, body.code], [400, code], JSON.stringify(lineItems).slice(0, 80))
  }
  const { body } = await ask(agent, { lineItems: [item(1, 4)] })
  t.deepEqual(body.details, [{ path: 'lineItems', message: 'must add up to the amount, 5' }])
})

test.serial('people who decide see them, the content hash covers them, and receipts have them', async (t) => {
  const agent = await stage.supervised()
  const named = { sessionId: 'session 7', reference: 'INV-2031/7', lineItems: [item(3, 50, 'Seats')] }
  const asked = await ask(agent, { amount: 150, ...named, paymentKey: 'INV-2031/7' })
  const requests = await stage.requests('PENDING')
  const { payment } = requests.find(({ paymentRequestId }) => paymentRequestId === asked.body.requestId)!
  t.like(payment, { ...named, paymentKey: 'INV-2031/7', attempt: 1 })
  t.like(await read(agent, asked.body.requestId), named)
  const path = `/api/payments/${asked.body.requestId}/receipt`
  const receipt = await stage.must<{ request: object }>('GET', path)
  t.like(receipt.request, { ...named, paymentKey: 'INV-2031/7', attempt: 1 })
  t.false('through' in receipt.request)
  const plain = await ask(agent)
  t.like(await read(agent, plain.body.requestId), { sessionId: null, reference: null, lineItems: null })
})

test('the hash that an approval is bound to covers what is bought', (t) => {
  const hashOf = (more: object): string => paymentContentHash('p', { agentId: 'a', ...more } as never, 'policies')
  const hashes = [{}, { lineItems: [item(1, 5)] }, { lineItems: [item(5, 1)] }, { reference: 'r' }].map(hashOf)
  t.is(new Set(hashes).size, hashes.length)
})

test.serial('payments are listed by paymentKey, reference and sessionId, together with other filters', async (t) => {
  const [agent, other] = [await stage.agent(), await stage.agent()]
  const names = [
    { sessionId: 's1', reference: 'r1', paymentKey: 'k1' },
    { sessionId: 's1', reference: 'r2', paymentKey: 'k2' },
    { sessionId: 's1', autoExecute: true },
    { reference: 'r1', amount: 2_000_000 },
  ]
  const ids: string[] = []
  for (const name of names) ids.push((await ask(agent, name)).body.requestId)
  const foreign = (await ask(other, { sessionId: 's1', reference: 'r1', paymentKey: 'k1' })).body.requestId
  const own = (query: string) => stage.client.get<PaymentList>(`/api/sdk/payments?${query}`, agent.key)
  const all = (query: string) => stage.client.get<PaymentList>(`/api/payments?${query}`, ORGANIZATION_KEY)
  const [one, two, three, four] = ids as [string, string, string, string]
  const wanted: [string, string[], string[]][] = [
    ['sessionId=s1', [three, two, one], [foreign, three, two, one]],
    ['reference=r1', [four, one], [foreign, four, one]],
    ['paymentKey=k1', [one], [foreign, one]],
    ['paymentKey=none', [], []],
    ['sessionId=s1&status=EXECUTED', [three], [three]],
    ['reference=r1&status=DENIED', [four], [four]],
    ['sessionId=s1&reference=r1', [one], [foreign, one]],
    ['sessionId=s1&reference=r1&paymentKey=k2', [], []],
  ]
  for (const [query, owned, everybody] of wanted) {
    t.deepEqual(idsOf(await own(query)), owned, query)
    t.deepEqual(idsOf(await all(query)), everybody, query)
  }
  t.deepEqual(idsOf(await all(`sessionId=s1&agentId=${agent.agentId}&status=APPROVED`)), [two, one])
  t.deepEqual(idsOf(await all(`sessionId=s1&from=2031-07-09T00:00:00Z&to=2031-07-10T00:00:00Z`)).length, 4)
  t.deepEqual(idsOf(await all(`sessionId=s1&to=2031-07-09T00:00:00Z`)), [])
  const first = await own('sessionId=s1&status=APPROVED&limit=1')
  t.deepEqual([idsOf(first), first.body.pagination.total], [[two], 2])
  t.deepEqual(idsOf(await own(`sessionId=s1&status=APPROVED&limit=1&cursor=${first.body.pagination.nextCursor}`)), [
    one,
  ])
})

test.serial('a repeated request with other names or items is another body, also for the payment itself', async (t) => {
  const agent = await stage.agent()
  const idempotencyKey = another('key').replace(' ', '-')
  const asked = { idempotencyKey, reference: 'r', sessionId: 's', lineItems: [item(1, 5)], chainId: '84532' }
  t.is((await ask(agent, asked)).status, 200)
  t.is((await ask(agent, asked)).headers['idempotency-replayed'], 'true')
  const others = [{ reference: 'x' }, { sessionId: 'x' }, { lineItems: [item(5, 1)] }, { chainId: '8453' }]
  for (const more of others) {
    t.like(await ask(agent, { ...asked, ...more }), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
  }
})
