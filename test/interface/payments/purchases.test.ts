// Purchases: one paymentKey is paid once, whatever the number of calls and routes that ask for it. Attempts that can
// never be paid any more are followed by others.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { inspect } from '../../support/integrity.js'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import {
  balanceOf,
  delegationOf,
  RECIPIENT,
  type FundedAgent,
  type FundedAgentOptions,
} from '../../support/payments.js'
import { HOUR_MS } from '../../support/policies.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

interface Shown extends Failure {
  requestId: string
  status: string
  paymentKey: string
  attempt: number
  approvalToken?: string
  approvalRequestId?: string
  approved?: boolean
  autoExecuteError?: { code: string }
}

type Sent = Answer<Shown>

let purchases = 0
const aKey = (): string => `invoice-${(purchases += 1)}`
const aHash = (): string => `0x${randomBytes(32).toString('hex')}`
const anAddress = (): string => `0x${randomBytes(20).toString('hex')}`

const ask = (agent: FundedAgent, paymentKey: string, more: object = {}, headers = {}): Promise<Sent> =>
  stage.client.post(
    '/api/sdk/payments/request',
    agent.key,
    {
      amount: 5,
      recipientAddress: RECIPIENT,
      paymentKey,
      ...more,
    },
    headers,
  )
const post = (agent: FundedAgent, id: string, what: string, body?: object): Promise<Sent> =>
  stage.client.post(`/api/sdk/payments/${id}/${what}`, agent.key, body)
const release = (id: string, more: object = {}): Promise<Sent> =>
  stage.client.post(`/api/payments/${id}/release`, ORGANIZATION_KEY, { reason: 'Not paid', ...more })

type External = FundedAgent & { address: string }
async function external(options: FundedAgentOptions = {}): Promise<External> {
  const address = anAddress()
  const agent = await stage.supervised({ ...options, wallet: { custodyType: 'EXTERNAL', address } })
  return { ...agent, address }
}
const approve = (agent: External, paymentKey: string, more: object = {}): Promise<Sent> =>
  stage.client.post('/api/sdk/payments/approve', agent.key, {
    amount: 5,
    recipientAddress: RECIPIENT,
    senderAddress: agent.address,
    chainId: '84532',
    paymentKey,
    ...more,
  })

const isReplay = ({ headers }: Sent): boolean => headers['idempotency-replayed'] === 'true'
const attemptOf = ({ body }: Sent) => [body.status, body.attempt, body.requestId]
const codeOf = ({ status, body }: Sent) => [status, body.code]

test.serial('200 parallel calls with one key over both routes make one payment, which is paid once', async (t) => {
  const [agent, key] = [await external(), aKey()]
  const calls = Array.from({ length: 200 }, (_, index) => {
    if (index % 4 === 0) return approve(agent, key)
    const idempotencyKey = index % 4 === 1 ? { idempotencyKey: `call-${index}` } : {}
    return ask(agent, key, { autoExecute: index % 2 === 0, purpose: `Call ${index}`, ...idempotencyKey })
  })
  const answers = await Promise.all(calls)
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  t.is(new Set(answers.map(({ body }) => body.requestId)).size, 1)
  t.is(answers.filter((answer) => !isReplay(answer)).length, 1)
  t.is((await delegationOf(stage.client, agent)).reserved, 5)
})

test.serial(
  '200 parallel calls that execute, ask and pay make one payment, which leaves the wallet once',
  async (t) => {
    const [agent, key] = [await stage.supervised({ balance: 1_000 }), aKey()]
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ask(agent, key, { autoExecute: index % 3 !== 0 })),
    )
    t.is(new Set(answers.map(({ body }) => body.requestId)).size, 1)
    t.is((await ask(agent, key, { autoExecute: true })).body.status, 'EXECUTED')
    t.is(await balanceOf(stage.client, agent), 995)
  },
)

test.serial(
  'parallel calls that are denied are attempts with numbers of their own, none of them refused',
  async (t) => {
    const [agent, key] = [await stage.supervised({ terms: { spendLimitPerTx: 1 } }), aKey()]
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(agent, key)))
    t.deepEqual([...new Set(answers.map(({ body }) => body.status))], ['DENIED'])
    const numbers = answers.map(({ body }) => body.attempt).sort((a, b) => a - b)
    t.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
  },
)

test.serial('a call that finds an attempt answers how it stands, and begins nothing', async (t) => {
  const [agent, key] = [await stage.supervised(), aKey()]
  const first = await ask(agent, key, { amount: 150 })
  t.like(first.body, { status: 'REQUIRES_APPROVAL', paymentKey: key, attempt: 1 })
  t.false(isReplay(first))
  const waiting = await ask(agent, key, { amount: 150, autoExecute: true, purpose: 'Other words' })
  t.deepEqual([attemptOf(waiting), isReplay(waiting)], [attemptOf(first), true])
  await stage.decide(ORGANIZATION_KEY, first.body.approvalRequestId!)
  const approved = await ask(agent, key, { amount: 150 })
  t.like(approved.body, { status: 'APPROVED', requestId: first.body.requestId })
  const executed = await ask(agent, key, { amount: 150, autoExecute: true })
  t.like(executed.body, { status: 'EXECUTED', requestId: first.body.requestId, attempt: 1 })
  t.true(isReplay(executed))
  const again = await ask(agent, key, { amount: 150, autoExecute: true })
  t.deepEqual(again.body, executed.body)
  t.is((await delegationOf(stage.client, agent)).spent.day, 150)
})

test.serial("after a denial, a person's denial, a cancellation and an expiry the next attempt begins", async (t) => {
  const [agent, key] = [await stage.supervised({ terms: { spendLimitPerTx: 200 } }), aKey()]
  t.like((await ask(agent, key, { amount: 300 })).body, { status: 'DENIED', attempt: 1 })
  const second = await ask(agent, key, { amount: 150, recipientAddress: anAddress() })
  t.like(second.body, { status: 'REQUIRES_APPROVAL', attempt: 2 })
  await stage.decide(ORGANIZATION_KEY, second.body.approvalRequestId!, 'DENIED')
  const third = await ask(agent, key)
  t.like(third.body, { status: 'APPROVED', attempt: 3 })
  t.like((await post(agent, third.body.requestId, 'cancel')).body, { status: 'CANCELLED', paymentKey: key, attempt: 3 })
  t.like((await ask(agent, key, { amount: 6 })).body, { status: 'APPROVED', attempt: 4 })
  stage.setClock(stage.now() + HOUR_MS)
  const fifth = await ask(agent, key, { amount: 7 })
  t.like(fifth.body, { status: 'APPROVED', attempt: 5 }, 'an overdue attempt is ended before it is compared')
  const executed = await post(agent, fifth.body.requestId, 'execute')
  t.like(executed.body, { status: 'EXECUTED', paymentKey: key, attempt: 5 })
  t.like(codeOf(await ask(agent, key)), [409, 'PRICE_CHANGED'])
})

test.serial(
  "another amount, recipient or chain than the attempt's is PRICE_CHANGED, and says what differs",
  async (t) => {
    const [agent, key] = [await stage.supervised(), aKey()]
    t.is((await ask(agent, key)).body.status, 'APPROVED')
    const elsewhere = await stage.must<{ id: string }>('POST', '/api/wallets', {
      name: 'Elsewhere',
      custodyType: 'MANAGED',
      chainId: '8453',
    })
    const changes: [object, string[]][] = [
      [{ amount: 5.000001 }, ['amount']],
      [{ recipientAddress: anAddress() }, ['recipientAddress']],
      [{ walletId: elsewhere.id }, ['walletId']],
      [{ amount: 4, recipientAddress: anAddress() }, ['amount', 'recipientAddress']],
    ]
    for (const [change, paths] of changes) {
      const { status, body } = await ask(agent, key, change)
      t.deepEqual([status, body.code, body.details?.map(({ path }) => path)], [409, 'PRICE_CHANGED', paths])
    }
    const same = await ask(agent, key, {
      amount: '5.00',
      recipientAddress: RECIPIENT.toUpperCase().replace('0X', '0x'),
    })
    t.is(same.status, 200)
  },
)

test.serial('an idempotency key protects one call, and a new one meets the purchase', async (t) => {
  const [agent, key] = [await stage.supervised({ terms: { spendLimitPerTx: 200 } }), aKey()]
  const first = await ask(agent, key, { amount: 300, idempotencyKey: `${key}-1` })
  const repeated = await ask(agent, key, { amount: 300, idempotencyKey: `${key}-1` })
  t.deepEqual(repeated.body, first.body)
  const second = await ask(agent, key, { idempotencyKey: `${key}-2` })
  t.like(second.body, { status: 'APPROVED', attempt: 2 })
  const third = await ask(agent, key, { idempotencyKey: `${key}-3` })
  t.deepEqual(attemptOf(third), attemptOf(second))
  t.true(isReplay(third))
  t.deepEqual(attemptOf(await ask(agent, key, { idempotencyKey: `${key}-3` })), attemptOf(second))
  for (const body of [{ paymentKey: aKey() }, { paymentKey: undefined }, { amount: 6 }]) {
    const other = await ask(agent, key, { idempotencyKey: `${key}-3`, ...body })
    t.deepEqual(codeOf(other), [409, 'IDEMPOTENCY_CONFLICT'], JSON.stringify(body))
  }
  const executed = await ask(agent, key, { autoExecute: true, idempotencyKey: `${key}-4` })
  t.is(executed.body.status, 'EXECUTED')
  t.deepEqual((await ask(agent, key, { autoExecute: true, idempotencyKey: `${key}-4` })).body, executed.body)
})

test.serial('a going on that fails leaves the attempt, and the answer says why', async (t) => {
  const [agent, key] = [await stage.supervised({ balance: 5 }), aKey()]
  t.is((await ask(agent, key)).body.status, 'APPROVED')
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  const paused = await ask(agent, key, { autoExecute: true })
  t.like(paused.body, { status: 'APPROVED', attempt: 1, autoExecuteError: { code: 'INVALID_STATUS' } })
  t.true(isReplay(paused))
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'ACTIVE' })
  t.is((await ask(agent, key, { autoExecute: true })).body.status, 'EXECUTED')
})

test.serial(
  'approve gives the same token again, and only the route that began an attempt goes on with it',
  async (t) => {
    const agent = await external()
    const [key, other] = [aKey(), aKey()]
    const first = await approve(agent, key)
    t.like(first.body, { approved: true, status: 'APPROVED', paymentKey: key, attempt: 1 })
    const again = await approve(agent, key)
    t.deepEqual([again.body.approvalToken, isReplay(again)], [first.body.approvalToken, true])
    const asked = await ask(agent, key, { autoExecute: true })
    t.like(asked.body, { status: 'APPROVED', requestId: first.body.requestId, autoExecuteError: undefined })
    const token = first.body.approvalToken
    const confirmed = await post(agent, first.body.requestId, 'confirm', { txHash: aHash(), approvalToken: token })
    t.like(confirmed.body, { status: 'EXECUTED', paymentKey: key, attempt: 1 })
    const settled = await approve(agent, key)
    t.like(settled.body, { approved: false, status: 'EXECUTED', requestId: first.body.requestId })
    const requested = await ask(agent, other)
    const shown = await approve(agent, other)
    t.like(shown.body, { approved: false, status: 'APPROVED', requestId: requested.body.requestId })
    await post(agent, requested.body.requestId, 'approve')
    t.like((await approve(agent, other)).body, { approved: false, approvalToken: undefined })
  },
)

test.serial(
  'what was released after its token was out keeps its key, unless the release allows another try',
  async (t) => {
    const agent = await external()
    for (const [allowRetry, next] of [
      [{}, ['CANCELLED', 1]],
      [{ allowRetry: true }, ['APPROVED', 2]],
    ] as const) {
      const key = aKey()
      const { body } = await approve(agent, key)
      t.is((await release(body.requestId, allowRetry)).body.status, 'CANCELLED')
      const after = await approve(agent, key)
      t.deepEqual([after.body.status, after.body.attempt], [...next])
    }
    const key = aKey()
    const { body } = await ask(agent, key)
    t.is((await release(body.requestId)).body.status, 'CANCELLED')
    t.like((await ask(agent, key)).body, { status: 'APPROVED', attempt: 2 }, 'no token was out')
  },
)

test.serial('agents have purchases of their own, and payments without a key have none', async (t) => {
  const [one, two, key] = [await stage.supervised(), await stage.supervised(), aKey()]
  const [first, second] = [await ask(one, key), await ask(two, key)]
  t.not(first.body.requestId, second.body.requestId)
  t.deepEqual([first.body.attempt, second.body.attempt], [1, 1])
  const plain = await ask(one, key, { paymentKey: undefined })
  t.false('attempt' in plain.body || 'paymentKey' in plain.body)
  for (const paymentKey of ['', 'two words', 'é', 'k'.repeat(256), 7, null]) {
    t.deepEqual(codeOf(await ask(one, key, { paymentKey })), [400, 'VALIDATION_ERROR'])
  }
})

test('keys, attempts and sums agree in the folder afterwards, and survive a restart', async (t) => {
  const own = await startApprovals(t)
  const agent = await own.supervised({ terms: { spendLimitPerTx: 200 } })
  const send = (more: object) =>
    own.client.post<Shown>('/api/sdk/payments/request', agent.key, {
      amount: 5,
      recipientAddress: RECIPIENT,
      paymentKey: 'order-1',
      ...more,
    })
  await send({ amount: 300 })
  await own.restart()
  const { body } = await send({})
  t.like(body, { status: 'APPROVED', attempt: 2 })
  await own.restart()
  t.like((await send({ autoExecute: true })).body, { status: 'EXECUTED', attempt: 2, requestId: body.requestId })
  await own.stop()
  t.deepEqual((await inspect(own.folder)).problems, [])
})
