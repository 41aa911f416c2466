// Concurrent callers: limits and balances hold exactly, and money moves once.
import test from 'ava'
import { raw } from '../../support/rawClient.js'
import { newClient, type Answer, type Client, type Failure } from '../../support/client.js'
import { inspect } from '../../support/integrity.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { start } from '../../support/service.js'
import {
  ask,
  balanceOf,
  delegationOf,
  execute,
  fundedAgent,
  made,
  RECIPIENT,
  status,
  type Agent,
  type Decision,
  type FundedAgent,
  type Wallet,
} from '../../support/payments.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let client: Client
let url: string

test.before('the service starts', async () => {
  ;({ url } = await start(scope, { at: NOON }))
  client = newClient(scope, url, 256)
})

let agents = 0
const buyer = (options: object = {}) => fundedAgent(client, { ...options, name: `Buyer ${(agents += 1)}` })

function times<Result>(count: number, each: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => each(index)))
}

/** How often each word occurs. */
function tally(words: readonly string[]): { [word: string]: number } {
  const counts: { [word: string]: number } = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

const outcomes = (answers: Answer<unknown>[]) =>
  tally(answers.map(({ status, body }) => (status === 200 ? (body as Decision).status : (body as Failure).code)))

test.serial('requests that arrive together are decided one after another: denials give every reason', async (t) => {
  const agent = await buyer({ balance: 100, terms: { spendLimitDaily: 100 } })
  const body = JSON.stringify({ amount: 30, recipientAddress: RECIPIENT })
  const head = `POST /api/sdk/payments/request HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${agent.key}`
  const one = `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const received = await raw(url, [one.repeat(20)], { answers: 20 })
  const [, ...answers] = received.split('HTTP/1.1 200 ')
  const decisions = answers.map((answer) => JSON.parse(answer.split('\r\n\r\n')[1]!) as Decision)
  t.deepEqual(tally(decisions.map(({ status }) => status)), { APPROVED: 3, DENIED: 17 })
  for (const { violations = [] } of decisions.slice(3)) {
    const reasons = violations.map(({ type, current }) => ({ type, current }))
    t.deepEqual(reasons, [
      { type: 'DAILY_LIMIT', current: 90 },
      { type: 'INSUFFICIENT_BALANCE', current: 90 },
    ])
  }
})

test.serial('of 500 parallel requests of 10 exactly 100 fit a daily limit of 1000', async (t) => {
  const agent = await buyer({ balance: 100_000, terms: { spendLimitDaily: 1000 } })
  const answers = await times(500, () => ask(client, agent.key, 10))
  t.deepEqual(outcomes(answers), { APPROVED: 100, DENIED: 400 })
  t.like(await delegationOf(client, agent), { reserved: 1000, remaining: { day: 0 } })
  const denied = answers.filter(({ body }) => body.status === 'DENIED')
  t.true(denied.every(({ body }) => body.violations!.every(({ type }) => type === 'DAILY_LIMIT')))
})

test.serial('ten parallel requests of 0.7 fit a daily limit of 7', async (t) => {
  const agent = await buyer({ terms: { spendLimitDaily: 7 } })
  t.deepEqual(outcomes(await times(20, () => ask(client, agent.key, 0.7))), { APPROVED: 10, DENIED: 10 })
})

test.serial('parallel requests with autoExecute never spend more than the balance', async (t) => {
  const agent = await buyer({ balance: 500, terms: { spendLimitDaily: 1000 } })
  const answers = await times(200, () => ask(client, agent.key, 10, { autoExecute: true }))
  t.deepEqual(outcomes(answers), { EXECUTED: 50, DENIED: 150 })
  t.is(await balanceOf(client, agent), 0)
  t.like(await delegationOf(client, agent), { reserved: 0, spent: { day: 500 } })
})

test.serial('a balance of 50 covers 5 of 20 parallel requests of 10', async (t) => {
  const agent = await buyer({ balance: 50 })
  const answers = await times(20, () => ask(client, agent.key, 10))
  t.deepEqual(outcomes(answers), { APPROVED: 5, DENIED: 15 })
  const approved = answers.filter(({ body }) => body.status === 'APPROVED')
  const executed = await Promise.all(approved.map(({ body }) => execute(client, agent.key, body.requestId)))
  t.deepEqual(outcomes(executed), { EXECUTED: 5 })
  t.is(await balanceOf(client, agent), 0)
})

test.serial('the balance of a wallet that two agents share is not spent twice', async (t) => {
  const one = await buyer({ balance: 100 })
  const two = await buyer({ balance: 0 })
  const shared = { walletId: one.walletId, delegationType: 'FULL', allowedDays: ['Wed'] }
  await client.post(`/api/agents/${two.agentId}/wallets`, ORGANIZATION_KEY, shared)
  const answers = await times(40, (index) =>
    ask(client, index % 2 ? one.key : two.key, 10, { walletId: one.walletId, autoExecute: index % 3 === 0 }),
  )
  const { APPROVED = 0, EXECUTED = 0, DENIED } = outcomes(answers)
  t.is(APPROVED + EXECUTED, 10)
  t.is(DENIED, 30)
  t.is(await balanceOf(client, one), 100 - 10 * EXECUTED)
})

test.serial('exactly one of 200 parallel executions of one payment succeeds', async (t) => {
  const agent = await buyer({ balance: 100 })
  const { requestId } = (await ask(client, agent.key, 10)).body
  const answers = await times(200, () => execute(client, agent.key, requestId))
  t.deepEqual(outcomes(answers), { EXECUTED: 1, ALREADY_EXECUTED: 199 })
  t.is(await balanceOf(client, agent), 90)
  t.like(await delegationOf(client, agent), { reserved: 0, spent: { day: 10 } })
})

test.serial('exactly one of parallel executions and cancellations of one payment succeeds', async (t) => {
  const agent = await buyer({ balance: 1000 })
  for (const amount of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const { requestId } = (await ask(client, agent.key, amount)).body
    const before = await balanceOf(client, agent)
    const answers = await times(10, (index) => {
      const verb = (index + amount) % 2 ? 'cancel' : 'execute'
      return client.post<{ status: string }>(`/api/sdk/payments/${requestId}/${verb}`, agent.key)
    })
    const successes = answers.filter((answer) => answer.status === 200).map(({ body }) => body.status)
    t.is(successes.length, 1)
    t.is<string, string>((await status(client, agent.key, requestId)).body.status, successes[0]!)
    t.is(await balanceOf(client, agent), successes[0] === 'EXECUTED' ? before - amount : before)
  }
  t.is((await delegationOf(client, agent)).reserved, 0)
})

test.serial('100 simultaneous requests with one idempotency key make one payment', async (t) => {
  const agent = await buyer({ balance: 100 })
  const body = { amount: 10, recipientAddress: RECIPIENT, autoExecute: true }
  const headers = { 'Idempotency-Key': 'simultaneous' }
  const answers = await times(100, () => client.post<Decision>('/api/sdk/payments/request', agent.key, body, headers))
  const [first] = answers
  for (const answer of answers) t.deepEqual(answer.body, first!.body)
  t.is(answers.filter((answer) => answer.headers['idempotency-replayed'] === undefined).length, 1)
  t.is(await balanceOf(client, agent), 90)
})

test.serial('exactly one of 50 parallel creations of agents with one name succeeds', async (t) => {
  const answers = await times(50, () =>
    client.post<Agent>('/api/agents', ORGANIZATION_KEY, { name: 'Twin', agentType: 'CUSTOM' }),
  )
  t.is(answers.filter((answer) => answer.status === 201).length, 1)
  t.is(answers.filter((answer) => answer.status === 409).length, 49)
})

test.serial('parallel creations of wallets with one address make one wallet', async (t) => {
  const wallet = { name: 'Shared', custodyType: 'EXTERNAL', address: '0x00000000000000000000000000000000000000c1' }
  const answers = await times(50, () => client.post<Wallet>('/api/wallets', ORGANIZATION_KEY, wallet))
  t.is(answers.filter((answer) => answer.status === 201).length, 1)
  t.is(new Set(answers.map(({ body }) => body.id)).size, 1)
})

test.serial('parallel fundings are all booked', async (t) => {
  const agent = await buyer({ balance: 0 })
  await times(100, (index) =>
    client.post(`/api/wallets/${agent.walletId}/fund`, ORGANIZATION_KEY, { amount: index + 0.1 }),
  )
  t.is(await balanceOf(client, agent), 4960)
})

const ROUND = 10
const SHARED_BUDGET = 2_000
const DAILY = 900

/** Three agents that pay from one wallet, under a daily limit each and a budget of all. */
async function crowd(own: Client): Promise<FundedAgent[]> {
  const terms = { spendLimitDaily: DAILY }
  const first = await fundedAgent(own, { name: 'First', balance: 3_000, terms })
  const agents = [first]
  for (const name of ['Second', 'Third']) {
    const agent = await fundedAgent(own, { name, balance: 0, terms })
    const shared = { walletId: first.walletId, delegationType: 'LIMITED', ...terms, allowedDays: ['Wed'] }
    const { id: delegationId } = await made<{ id: string }>(own, `/api/agents/${agent.agentId}/wallets`, shared)
    agents.push({ ...agent, walletId: first.walletId, delegationId })
  }
  const value = { amount: SHARED_BUDGET, period: 'DAILY', of: 'POLICY' }
  const rules = [{ ruleType: 'BUDGET_CAP', value }]
  const agentIds = agents.map(({ agentId }) => agentId)
  await made(own, '/api/policies', { name: 'Shared', policyType: 'BUDGET_ALLOCATION', rules, agentIds })
  return agents
}

/** Five hundred requests, executions, cancellations and lower limits, in one order for all runs. */
function deeds(own: Client, agents: FundedAgent[], known: { requestId: string; by: FundedAgent }[]) {
  const of = <Item>(items: Item[], index: number): Item => items[index % items.length]!
  const requestOf = (index: number) => {
    const { key, walletId } = of(agents, index)
    return ask(own, key, ROUND, { walletId, autoExecute: index % 4 === 0 })
  }
  const lower = (index: number) => {
    const { agentId, walletId } = of(agents, index)
    return own.send('PATCH', `/api/agents/${agentId}/wallets/${walletId}`, ORGANIZATION_KEY, {
      spendLimitDaily: DAILY - ROUND * index,
    })
  }
  return times<Answer<unknown>>(500, (index) => {
    // Another step in each round of the known ones, so that all of them are executed and cancelled.
    const { requestId, by } = of(known, index + Math.floor(index / known.length))
    if (index % 10 === 9) return lower((index - 9) / 10)
    if (index % 5 < 2) return requestOf(index)
    if (index % 5 === 2) return own.post(`/api/sdk/payments/${requestId}/cancel`, by.key)
    return execute(own, by.key, requestId)
  })
}

test.serial('after 500 parallel requests, executions, cancellations and lower limits all sums are exact', async (t) => {
  const service = await start(scope, { at: NOON })
  const own = newClient(scope, service.url, 256)
  const agents = await crowd(own)
  const known = (await times(90, (index) => approvedBy(own, agents[index % 3]!))).flat()
  const answers = await deeds(own, agents, known)
  const codes = tally(answers.map(({ status }) => String(status)))
  t.true(
    Object.keys(codes).every((code) => /^(200|400|409)$/.test(code)),
    JSON.stringify(codes),
  )
  await service.stop()
  const { actors, problems } = await inspect(service.folder)
  t.deepEqual(problems, [])
  const payments = [...actors.values()].filter(({ ref }) => ref.startsWith('payment/'))
  const states = tally(payments.map(({ state }) => state))
  const executed = (states['executed'] ?? 0) * ROUND
  const held = (states['approved'] ?? 0) * ROUND
  t.true(executed > 0 && executed + held <= SHARED_BUDGET, JSON.stringify(states))
  t.like(actors.get(`wallet/${agents[0]!.walletId}`)!.context, {
    balance: micros(3_000 - executed),
    held: micros(held),
  })
  const said = outcomes(answers)
  t.is((said['EXECUTED'] ?? 0) * ROUND, executed)
  t.true((said['LIMIT_EXCEEDED'] ?? 0) > 0, 'some executions meet a lower limit')
  t.log(JSON.stringify(said), JSON.stringify(states))
})

const micros = (amount: number): number => amount * 1_000_000

/** A payment that is approved, by whom. */
async function approvedBy(own: Client, by: FundedAgent): Promise<{ requestId: string; by: FundedAgent }[]> {
  const { body } = await ask(own, by.key, ROUND, { walletId: by.walletId })
  return body.status === 'APPROVED' ? [{ requestId: body.requestId, by }] : []
}
