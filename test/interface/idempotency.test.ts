// Idempotency on every POST route: the same key with the same body replays the first answer, even across a restart;
// with another body it is a conflict; errors and secrets are not remembered.
import test from 'ava'
import { Store } from '../../src/store/store.js'
import type { Answer, Failure } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { ask, execute, fundedAgent, made, RECIPIENT, status, type Key } from '../support/payments.js'
import { turnsOf } from '../support/depth.js'
import { descriptionAt } from '../support/answers.js'
import { deedFor, type Deed } from '../support/requests.js'
import { rowsOf, type Row } from '../support/routes.js'
import { start, type Started } from '../support/service.js'
import type { PaymentList, Wallet } from '../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 86_400_000
const scope = wholeFile(test)
let service: Started

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const isReplay = ({ headers }: Answer<unknown>): boolean => headers['idempotency-replayed'] === 'true'
const withKey = (key: string) => ({ 'Idempotency-Key': key })

/** Routes that change nothing, so that they have nothing to record, and one that its payment key repeats. */
const UNKEPT = new Set([
  'POST /api/sdk/x402/authorize',
  'POST /api/payments/{paymentId}/replay',
  'POST /api/policies/evaluate',
  'POST /api/agents/{agentId}/test-payment',
  'POST /api/policies/impact',
  'POST /api/policies/{policyId}/impact',
])

/** The routes that take an idempotency key; those of sessions record nothing. */
async function keyedPosts(): Promise<Row[]> {
  const rows = await rowsOf(service.url)
  return rows.filter(({ method, key }) => method === 'POST' && key !== 'none' && key !== 'person')
}

const send = ({ path, key, body }: Deed, idempotencyKey: string, other?: object): Promise<Answer<object>> =>
  service.client.post(path, key, other ?? body, withKey(idempotencyKey))

// What a freeze cannot call back may be paid by then.
const SECRETS = new Set(['outstanding', 'key', 'apiKey', 'setupUrl', 'webhookSecret', 'secret', 'approvalToken'])

/** The answer as it is replayed. */
function memorable(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SECRETS.has(name)))
}

/** A key of 255 characters, which is as long as one may be. */
const LONGEST = '!'.repeat(255)
const WRONG = ['', 'x'.repeat(256), 'a b', 'é']

/** One request of a route, and what it was answered, in this order. */
interface Tried {
  request: Deed
  /** With keys that are none. */
  wrong: Answer<object>[]
  /** With a member that the route does not know, under the key of the first. */
  unknown: Answer<object>
  first: Answer<object>
  /** Whether the first answer was recorded after the commit of what it changed, and not in it. */
  isBehind: boolean
}

async function tryOut(row: Row, number: number): Promise<Tried> {
  const request = await deedFor(service.client, row)
  const wrong: Answer<object>[] = []
  for (const key of turnsOf(WRONG, number)) wrong.push(await send(request, key))
  const unknown = await send(request, LONGEST, { ...request.body, nonsense: 1 })
  const { record } = Store.prototype
  let isBehind = false
  Store.prototype.record = function (...given) {
    isBehind = true
    return record.apply(this, given)
  }
  const first = await send(request, LONGEST)
  Store.prototype.record = record
  return { request, wrong, unknown, first, isBehind }
}

/** Of every POST route that takes a key. */
const tried: Tried[] = []
/** Of those that give the first answer again. */
const remembered = (): Tried[] => tried.filter(({ request }) => !UNKEPT.has(request.row.title))

test.before('every POST was tried', async () => {
  service = await start(scope, { at: NOON })
  for (const [number, row] of (await keyedPosts()).entries()) tried.push(await tryOut(row, number))
})

test('a key of 1 to 255 visible characters is accepted, any other refused, on any POST', (t) => {
  t.true(tried.length >= 15)
  for (const { request, wrong, first } of tried) {
    const { title, invalid } = request.row
    const refused = { status: 400, code: invalid }
    t.deepEqual(
      wrong.map(failureOf),
      wrong.map(() => refused),
      title,
    )
    t.true(first.status < 300, `${title}: ${first.status} ${JSON.stringify(first.body)}`)
  }
})

test('an error is not remembered, on any POST', (t) => {
  for (const { request, unknown, first } of tried) {
    t.deepEqual(failureOf(unknown), { status: 400, code: request.row.invalid }, request.row.title)
    t.false(isReplay(first), request.row.title)
  }
})

test.serial('every POST replays its first answer, without secrets, even across a restart', async (t) => {
  const described = await descriptionAt(service.url)
  const repeat = async (when: string): Promise<void> => {
    for (const { request, first } of remembered()) {
      const again = await send(request, LONGEST)
      t.true(isReplay(again), `${request.row.title} ${when}`)
      t.is(described.problem(request.row, again.status, again.body), undefined, request.row.title)
      t.deepEqual(
        { status: again.status, body: again.body },
        { status: first.status, body: memorable(first.body) },
        `${request.row.title} ${when}`,
      )
    }
  }
  await repeat('at once')
  for (const { request } of remembered()) {
    const conflict = await send(request, LONGEST, { ...request.body, other: 1 })
    t.deepEqual(failureOf(conflict), { status: 409, code: 'IDEMPOTENCY_CONFLICT' }, request.row.title)
  }
  await service.restart()
  await repeat('after a restart')
  t.deepEqual(service.logged, [])
})

/** Routes that change no actor, or many one by one, and the one that applies a pending change. */
const WITHOUT_COMMIT = new Set([
  'POST /api/agents/bulk-import',
  'POST /api/counterparties/import',
  'POST /api/governance/approvals/{governanceApprovalRequestId}/collect',
  'POST /api/webhooks/deliveries/{deliveryId}/redeliver',
  'POST /api/wallets/{walletId}/proof',
  'POST /api/webhooks/test',
  'POST /api/channels/{channelId}/test',
])

test('a crash after the commit loses no answer, because the commit contains it', (t) => {
  const behind = remembered().filter(({ isBehind }) => isBehind)
  const titles = behind.map(({ request }) => request.row.title)
  t.deepEqual(
    titles.filter((title) => !WITHOUT_COMMIT.has(title)),
    [],
  )
})

test.serial('a dry run stores no answer and is carried out again', async (t) => {
  const dry = tried.filter(({ request }) => UNKEPT.has(request.row.title))
  t.is(dry.length, UNKEPT.size)
  for (const { request, isBehind } of dry) {
    const { row } = request
    t.false(isBehind, row.title)
    const again = await send(request, LONGEST)
    t.deepEqual([again.status, isReplay(again)], [200, false], row.title)
    const other = await send(request, LONGEST, { ...request.body, nonsense: 1 })
    t.deepEqual(failureOf(other), { status: 400, code: row.invalid }, row.title)
    t.false(row.codes.includes('IDEMPOTENCY_CONFLICT'), row.title)
  }
})

test('a dry run with a repeated key shows a policy that has changed since', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Dry' })
  const rules = (value: number) => [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value }]
  const policy = await made<{ id: string }>(service.client, '/api/policies', {
    name: 'Dry',
    policyType: 'SPEND_LIMIT',
    agentIds: [agent.agentId],
    rules: rules(10),
  })
  const evaluate = async (): Promise<unknown> => {
    const body = { agentId: agent.agentId, payment: { amount: 5, recipientAddress: RECIPIENT } }
    const answer = await service.client.post<{ status: string }>(
      '/api/policies/evaluate',
      ORGANIZATION_KEY,
      body,
      withKey('dry-policy'),
    )
    return answer.body.status
  }
  t.is(await evaluate(), 'APPROVED')
  const path = `/api/policies/${policy.id}/rules`
  t.is((await service.client.send('PUT', path, ORGANIZATION_KEY, { rules: rules(1) })).status, 200)
  t.is(await evaluate(), 'DENIED')
})

test("all of an agent's API keys share its idempotency keys", async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Shared' })
  const { key: second } = await made<Key>(service.client, `/api/agents/${agent.agentId}/sdk-keys`, { name: 'Second' })
  const first = await ask(service.client, agent.key, 5, { idempotencyKey: 'order' })
  const again = await ask(service.client, second, 5, { idempotencyKey: 'order' })
  t.true(isReplay(again))
  t.is(again.body.requestId, first.body.requestId)
  t.deepEqual(failureOf(await ask(service.client, second, 6, { idempotencyKey: 'order' })), {
    status: 409,
    code: 'IDEMPOTENCY_CONFLICT',
  })
  const path = `/api/sdk/payments/${first.body.requestId}/execute`
  const done = await service.client.post<object>(path, agent.key, undefined, withKey('run'))
  const repeated = await service.client.post<object>(path, second, undefined, withKey('run'))
  t.true(isReplay(repeated))
  t.deepEqual(repeated.body, done.body)
  const found = await service.client.get<PaymentList>('/api/sdk/payments?idempotencyKey=order', second)
  t.deepEqual(
    found.body.payments.map(({ requestId }) => requestId),
    [first.body.requestId],
  )
})

test('an idempotencyKey in the body that is no key is refused with the body', async (t) => {
  const agent = await fundedAgent(service.client)
  for (const idempotencyKey of ['\ud800', 'a\udc00b', '', 'a b', 'é', 'k'.repeat(256), 5, null, ['k']]) {
    for (const path of ['request', 'approve']) {
      const body = { amount: 1, recipientAddress: RECIPIENT, idempotencyKey }
      const wanted = path === 'request' ? body : { ...body, senderAddress: RECIPIENT, chainId: '84532' }
      const refused = await service.client.post<Failure>(`/api/sdk/payments/${path}`, agent.key, wanted)
      t.deepEqual(failureOf(refused), { status: 400, code: 'VALIDATION_ERROR' }, JSON.stringify(idempotencyKey))
    }
  }
})

test('agents do not share idempotency keys', async (t) => {
  const [one, other] = [
    await fundedAgent(service.client, { name: 'One' }),
    await fundedAgent(service.client, { name: 'Other' }),
  ]
  for (const [idempotencyKey, amount] of [
    ['same-body', 5],
    ['other-body', 6],
  ] as const) {
    const first = await ask(service.client, one.key, 5, { idempotencyKey })
    const path = `/api/sdk/payments?idempotencyKey=${idempotencyKey}`
    t.deepEqual((await service.client.get<{ payments: unknown[] }>(path, other.key)).body.payments, [])
    const second = await ask(service.client, other.key, amount, { idempotencyKey })
    t.deepEqual([second.status, isReplay(second), second.body.amount], [200, false, amount])
    t.not(second.body.requestId, first.body.requestId)
  }
})

test('organization keys and paths do not share idempotency keys', async (t) => {
  const { key: other } = await made<Key>(service.client, '/api/api-keys', { name: 'Other', scopePreset: 'ADMIN' })
  const wallet = { name: 'Wallet', custodyType: 'MANAGED' }
  const create = (key: string) => service.client.post<{ id: string }>('/api/wallets', key, wallet, withKey('same'))
  const [mine, theirs] = [await create(ORGANIZATION_KEY), await create(other)]
  t.deepEqual([mine.status, theirs.status, isReplay(theirs)], [201, 201, false])
  t.not(mine.body.id, theirs.body.id)
  const fund = (id: string) =>
    service.client.post<Wallet>(`/api/wallets/${id}/fund`, ORGANIZATION_KEY, { amount: 3 }, withKey('same'))
  for (const { body } of [mine, theirs]) t.is((await fund(body.id)).body.balance, 3)
  for (const { body } of [mine, theirs]) t.true(isReplay(await fund(body.id)))
})

test('other methods ignore an idempotency key', async (t) => {
  const { id } = await made<{ id: string }>(service.client, '/api/wallets', { name: 'Patched', custodyType: 'MANAGED' })
  for (const name of ['One', 'Two']) {
    const { status, body } = await service.client.send<{ name: string }>(
      'PATCH',
      `/api/wallets/${id}`,
      ORGANIZATION_KEY,
      { name },
      withKey('same'),
    )
    t.deepEqual([status, body.name], [200, name])
  }
})

test('bodies are equal whatever the order of their members and the form of their numbers', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Written' })
  const path = '/api/sdk/payments/request'
  const recipient = '"recipientAddress":"0x00000000000000000000000000000000000000a1"'
  const first = await service.client.post<object>(
    path,
    agent.key,
    `{"amount":10,${recipient},"context":{"a":1,"b":"\\u00e9"}}`,
    withKey('form'),
  )
  const again = await service.client.post<object>(
    path,
    agent.key,
    `{ ${recipient}, "context": {"b":"é","a":1.0}, "amount": 1e1 }`,
    withKey('form'),
  )
  t.true(isReplay(again))
  t.deepEqual(again.body, first.body)
  const text = await service.client.post(
    path,
    agent.key,
    `{"amount":"10",${recipient},"context":{"a":1,"b":"é"}}`,
    withKey('form'),
  )
  t.deepEqual(failureOf(text), { status: 409, code: 'IDEMPOTENCY_CONFLICT' })
})

test('an idempotency key expires after seven days, that of a payment never', async (t) => {
  const own = await start(t, { at: NOON })
  const agent = await fundedAgent(own.client)
  const wallet = () =>
    own.client.post<{ id: string }>(
      '/api/wallets',
      ORGANIZATION_KEY,
      { name: 'W', custodyType: 'MANAGED' },
      withKey('week'),
    )
  const [made, paid] = [await wallet(), await ask(own.client, agent.key, 5, { idempotencyKey: 'week' })]
  const ran = await own.client.post<object>(
    `/api/sdk/payments/${paid.body.requestId}/execute`,
    agent.key,
    undefined,
    withKey('run'),
  )
  own.setClock(NOON + 7 * DAY_MS - 60_000)
  t.is((await wallet()).body.id, made.body.id)
  own.setClock(NOON + 7 * DAY_MS + 60_000)
  const again = await wallet()
  t.false(isReplay(again))
  t.not(again.body.id, made.body.id)
  own.setClock(NOON + 400 * DAY_MS)
  const repeated = await ask(own.client, agent.key, 5, { idempotencyKey: 'week' })
  t.true(isReplay(repeated))
  t.deepEqual(repeated.body, paid.body)
  const rerun = await own.client.post<object>(
    `/api/sdk/payments/${paid.body.requestId}/execute`,
    agent.key,
    undefined,
    withKey('run'),
  )
  t.deepEqual(rerun.body, ran.body)
})

test('a refused execution is not remembered and can be retried with the same key', async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Tried' })
  const { requestId } = (await ask(service.client, agent.key, 5)).body
  const pause = (status: string) =>
    service.client.send('PATCH', `/api/agents/${agent.agentId}`, ORGANIZATION_KEY, { status })
  const run = () => service.client.post(`/api/sdk/payments/${requestId}/execute`, agent.key, undefined, withKey('run'))
  await pause('PAUSED')
  t.deepEqual(failureOf(await run()), { status: 400, code: 'INVALID_STATUS' })
  await pause('ACTIVE')
  t.is((await run()).status, 200)
  t.true(isReplay(await run()))
  t.deepEqual(failureOf(await execute(service.client, agent.key, requestId)), { status: 409, code: 'ALREADY_EXECUTED' })
  t.is((await status(service.client, agent.key, requestId)).body.status, 'EXECUTED')
})

test("of many simultaneous requests with one key, by any of the agent's API keys, one is carried out", async (t) => {
  const agent = await fundedAgent(service.client, { name: 'Many' })
  const { key: second } = await made<Key>(service.client, `/api/agents/${agent.agentId}/sdk-keys`, { name: 'Second' })
  const keys = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? agent.key : second))
  const answers = await Promise.all(
    keys.map((key) => ask(service.client, key, 5, { idempotencyKey: 'once', autoExecute: true })),
  )
  t.is(new Set(answers.map(({ body }) => body.requestId)).size, 1)
  t.is(answers.filter((answer) => !isReplay(answer)).length, 1)
  const { body } = await service.client.get<Wallet>(`/api/wallets/${agent.walletId}`, ORGANIZATION_KEY)
  t.is(body.balance, 9995)
})
