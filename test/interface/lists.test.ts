// Lists: every list by offset and by cursor, newest first in one stable order, and their filters.
import test, { type ExecutionContext } from 'ava'
import type { Answer, Failure } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import {
  ask,
  EVERY_DAY,
  execute,
  fundedAgent,
  made,
  RECIPIENT,
  type Agent,
  type FundedAgent,
} from '../support/payments.js'
import { randomAddress, randomSolanaAddress } from '../support/commands.js'
import { start, type Started } from '../support/service.js'
import type { AgentList, PaymentList, TransactionList } from '../../sdk/api.js'

const ENTRIES = 7
const NOON = Date.parse('2031-07-09T12:00:00Z')
const MINUTE_MS = 60_000
/** More than are woken in one batch. */
const MANY = 210
const scope = wholeFile(test)
let service: Started
let buyer: FundedAgent
/** The counterparty that the buyer pays. */
let counterpartyId = '{counterpartyId}'

interface Entry {
  id: string
  createdAt: string
}

interface Page {
  [noun: string]: unknown
  pagination?: { total: number; limit: number; offset: number; hasMore: boolean; nextCursor?: string }
  total?: number
  nextCursor?: string
}

/** Every list: its path, the name of its entries, and the kind of key that reads it. */
const LISTS: [path: (ids: FundedAgent) => string, noun: string, reader: 'organization' | 'agent'][] = [
  [() => '/api/agents', 'agents', 'organization'],
  [() => '/api/wallets', 'wallets', 'organization'],
  [() => '/api/api-keys', 'keys', 'organization'],
  [() => '/api/policies', 'policies', 'organization'],
  [() => '/api/members', 'members', 'organization'],
  [() => '/api/counterparties', 'counterparties', 'organization'],
  [() => `/api/counterparties/${counterpartyId}/transactions`, 'transactions', 'organization'],
  [({ agentId }) => `/api/agents/${agentId}/counterparties`, 'counterparties', 'organization'],
  [() => '/api/webhooks/deliveries', 'deliveries', 'organization'],
  [({ agentId }) => `/api/agents/${agentId}/sdk-keys`, 'keys', 'organization'],
  [({ agentId }) => `/api/agents/${agentId}/wallets`, 'wallets', 'organization'],
  [() => '/api/payments', 'payments', 'organization'],
  [() => '/api/transactions', 'transactions', 'organization'],
  [() => '/api/sdk/payments', 'payments', 'agent'],
  [() => '/api/sdk/transactions', 'transactions', 'agent'],
  [() => '/api/sdk/wallets', 'wallets', 'agent'],
  [() => '/api/sdk/policies', 'policies', 'agent'],
]

test.before('each list has some entries, created concurrently', async () => {
  service = await start(scope, { at: NOON })
  const { client } = service
  buyer = await fundedAgent(client, { name: 'Buyer' })
  const agentIds = [buyer.agentId]
  const times = (make: (at: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: ENTRIES }, (_, at) => make(at)))
  await times(async (at) => made(client, '/api/agents', { name: `Agent ${at}`, agentType: 'CUSTOM' }))
  await times(async () => made(client, '/api/api-keys', { name: 'Key', scopePreset: 'READ_ONLY' }))
  await times(async () => made(client, '/api/policies', { name: 'Policy', policyType: 'SPEND_LIMIT', agentIds }))
  await times(async (at) => made(client, '/api/members', { email: `member-${at}@example.com`, role: 'VIEWER' }))
  await times(async () => made(client, `/api/agents/${buyer.agentId}/sdk-keys`, { name: 'Key' }))
  await times(async () => {
    const wallet = await made<Entry>(client, '/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
    await made(client, `/api/agents/${buyer.agentId}/wallets`, { walletId: wallet.id })
  })
  await times(async () => ask(client, buyer.key, 1, { autoExecute: true }))
  await times(async () => client.post('/api/sdk/counterparties', buyer.key, { name: 'Shop', address: randomAddress() }))
  const { body } = await get(`/api/counterparties?search=${RECIPIENT}`, 'organization')
  counterpartyId = idsOf(body, 'counterparties')[0]!
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, { url: 'https://events.bursar.zz/' })
  await times(async () => made(client, '/api/webhooks/test', undefined))
})

const keyOf = (reader: string): string => (reader === 'agent' ? buyer.key : ORGANIZATION_KEY)
const get = (path: string, reader: string) => service.client.get<Page>(path, keyOf(reader))
const pagingOf = (page: Page) =>
  page.pagination ?? { total: page.total!, hasMore: page.nextCursor !== undefined, ...page }
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const entriesOf = (page: Page, noun: string): Entry[] => page[noun] as Entry[]
const idsOf = (page: Page, noun: string): string[] => entriesOf(page, noun).map(({ id }) => id)

async function byCursor(
  t: ExecutionContext,
  path: string,
  noun: string,
  reader: string,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { status, body }: Answer<Page> = await get(
      `${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      reader,
    )
    t.is(status, 200)
    ids.push(...idsOf(body, noun))
    const { hasMore, nextCursor } = pagingOf(body)
    t.is(hasMore, nextCursor !== undefined)
    cursor = nextCursor
  }
  return ids
}

async function byOffset(path: string, noun: string, reader: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += limit) {
    const { body } = await get(`${path}?limit=${limit}&offset=${offset}`, reader)
    if (entriesOf(body, noun).length === 0) return ids
    ids.push(...idsOf(body, noun))
  }
}

for (const [at, noun, reader] of LISTS) {
  const title = at({ agentId: '{agentId}' } as FundedAgent)

  test.serial(`${title} is one stable list, by offset and by cursor`, async (t) => {
    const path = at(buyer)
    const { status, body } = await get(path, reader)
    t.is(status, 200)
    const all = idsOf(body, noun)
    t.true(all.length >= ENTRIES && new Set(all).size === all.length, `${all.length} entries`)
    t.like(pagingOf(body), { total: all.length, limit: 50, offset: 0, hasMore: false })
    const extra = title.endsWith('/transactions') && title.includes('counterparties') ? ['summary'] : []
    if (noun !== 'agents') t.deepEqual(Object.keys(body).sort(), [noun, 'pagination', ...extra].sort())
    else t.deepEqual(Object.keys(body).sort(), ['agents', 'limit', 'offset', 'total'])
    const times = entriesOf(body, noun).map(({ createdAt }) => Date.parse(createdAt))
    t.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    for (const limit of [1, 3, all.length, 100]) {
      t.deepEqual(await byCursor(t, path, noun, reader, limit), all)
      t.deepEqual(await byOffset(path, noun, reader, limit), all)
    }
    const last = (await get(`${path}?limit=3&offset=${all.length - 3}`, reader)).body
    t.deepEqual(pagingOf(last).hasMore, false)
    t.deepEqual(idsOf(last, noun), all.slice(-3))
  })

  test.serial(`${title} refuses invalid pages`, async (t) => {
    const path = at(buyer)
    const code = path.startsWith('/api/counterparties') ? 'INVALID_INPUT' : 'VALIDATION_ERROR'
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'limit=x',
      'limit=1e1',
      'offset=-1',
      'offset=0.5',
      'offset=x',
      'cursor=',
      'cursor=nonsense',
      'cursor=%00',
    ]) {
      t.deepEqual(failureOf(await get(`${path}?${query}`, reader)), { status: 400, code }, query)
    }
    for (const offset of [1000, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await get(`${path}?offset=${offset}`, reader)
      t.deepEqual([status, idsOf(body, noun), pagingOf(body).hasMore], [200, [], false], String(offset))
    }
  })
}

test.serial('a cursor of another list is refused', async (t) => {
  const cursors = await Promise.all(
    LISTS.map(async ([at, , reader]) => pagingOf((await get(`${at(buyer)}?limit=1`, reader)).body).nextCursor!),
  )
  for (const [index, [at, noun, reader]] of LISTS.entries()) {
    // An agent's wallets are one list, whoever reads it.
    const others = cursors.filter((_, other) => other !== index && (noun !== 'wallets' || LISTS[other]![1] !== noun))
    for (const cursor of others) {
      const { status } = await get(`${at(buyer)}?cursor=${cursor}`, reader)
      t.is(status, 400, `${at(buyer)} takes ${Buffer.from(cursor, 'base64url').toString()}`)
    }
  }
})

test.serial('a cursor continues at its position when newer entries are added and others deleted', async (t) => {
  const { client } = service
  const { body: first } = await get('/api/agents?limit=3', 'organization')
  const rest = idsOf((await get('/api/agents?offset=3', 'organization')).body, 'agents')
  await made(client, '/api/agents', { name: 'Newer', agentType: 'CUSTOM' })
  await client.send('DELETE', `/api/agents/${idsOf(first, 'agents')[2]}`, ORGANIZATION_KEY)
  const { body: next } = await get(`/api/agents?cursor=${first.nextCursor}`, 'organization')
  t.deepEqual(idsOf(next, 'agents'), rest)
})

const NAMES: [name: string, description: string | undefined, status: string][] = [
  ['Maps %_* buyer', 'Buys maps', 'ACTIVE'],
  ['Cloud buyer', 'Buys MAPS and more', 'PAUSED'],
  ['Ünïcode', undefined, 'ACTIVE'],
  ['Other', 'Says (maps|cloud)', 'SUSPENDED'],
  ['Last', 'Of Hauptstraße', 'REVOKED'],
]
const SEARCHES: [query: string, found: string[]][] = [
  ['search=maps', ['Other', 'Cloud buyer', 'Maps %_* buyer']],
  ['search=MAPS', ['Other', 'Cloud buyer', 'Maps %_* buyer']],
  ['search=buyer', ['Cloud buyer', 'Maps %_* buyer']],
  ['search=%25_*', ['Maps %_* buyer']],
  ['search=%C3%9CN%C3%8FCODE', ['Ünïcode']],
  ['search=HAUPTSTRASSE', ['Last']],
  ['search=', ['Last', 'Other', 'Ünïcode', 'Cloud buyer', 'Maps %_* buyer']],
  ['search=&status=PAUSED', ['Cloud buyer']],
  ['search=.*', []],
  ['search=(maps%7Ccloud)', ['Other']],
  ['search=maps&status=PAUSED', ['Cloud buyer']],
  ['status=PAUSED', ['Cloud buyer']],
  ['status=SUSPENDED', ['Other']],
  ['status=REVOKED', ['Last']],
  ['status=ACTIVE', ['Ünïcode', 'Maps %_* buyer']],
  ['search=undefined', []],
  ['search=null', []],
  ['search=maps&limit=1&offset=1', ['Cloud buyer']],
]

test('agents are found by status, and by a literal part of name or description', async (t) => {
  const own = await start(t)
  for (const [name, description, status] of NAMES) {
    const { id } = await made<Agent>(own.client, '/api/agents', { name, agentType: 'CUSTOM', description })
    await own.client.send('PATCH', `/api/agents/${id}`, ORGANIZATION_KEY, { status })
  }
  for (const [query, found] of SEARCHES) {
    const { body } = await own.client.get<AgentList>(`/api/agents?${query}`, ORGANIZATION_KEY)
    t.deepEqual(
      body.agents.map(({ name }) => name),
      found,
      query,
    )
    if (!query.includes('limit')) t.is(body.total, found.length, query)
  }
  const paged = await own.client.get<AgentList>('/api/agents?search=maps&limit=1', ORGANIZATION_KEY)
  const next = await own.client.get<AgentList>(
    `/api/agents?search=maps&limit=5&cursor=${paged.body.nextCursor}`,
    ORGANIZATION_KEY,
  )
  t.deepEqual(
    next.body.agents.map(({ name }) => name),
    ['Cloud buyer', 'Maps %_* buyer'],
  )
  for (const query of ['status=GONE', 'status=active', 'status=']) {
    t.is((await own.client.get(`/api/agents?${query}`, ORGANIZATION_KEY)).status, 400, query)
  }
})

test('wallets are found by status, chain type and custody', async (t) => {
  const own = await start(t)
  const wallets = [
    { name: 'A', custodyType: 'MANAGED' },
    { name: 'B', custodyType: 'EXTERNAL', address: randomAddress() },
    { name: 'C', custodyType: 'EXTERNAL', chainType: 'SOLANA', address: randomSolanaAddress() },
  ]
  for (const wallet of wallets) {
    const { id } = await made<Entry>(own.client, '/api/wallets', wallet)
    if (wallet.name === 'A')
      await own.client.send('PATCH', `/api/wallets/${id}`, ORGANIZATION_KEY, { status: 'FROZEN' })
  }
  for (const [query, found] of [
    ['status=FROZEN', 'A'],
    ['status=ACTIVE', 'CB'],
    ['chainType=SOLANA', 'C'],
    ['custodyType=EXTERNAL', 'CB'],
    ['custodyType=EXTERNAL&chainType=EVM', 'B'],
    ['status=ARCHIVED', ''],
  ] as const) {
    const { body } = await own.client.get<Page>(`/api/wallets?${query}`, ORGANIZATION_KEY)
    t.is((body['wallets'] as { name: string }[]).map(({ name }) => name).join(''), found, query)
    t.is(body.pagination!.total, found.length, query)
  }
})

/** Five payments by two agents, one a minute: executed, approved, denied, cancelled and waiting for approval. */
async function fivePayments(own: Started): Promise<{ one: FundedAgent; two: FundedAgent; ids: string[] }> {
  const { client } = own
  own.setClock(NOON)
  const one = await fundedAgent(client, { name: 'One', terms: { allowedDays: EVERY_DAY } })
  const two = await fundedAgent(client, { name: 'Two', terms: { delegationType: 'PREAPPROVED' } })
  const ids: string[] = []
  for (const [minute, [agent, amount]] of (
    [
      [one, 1],
      [one, 2],
      [one, 100_000],
      [one, 4],
      [two, 5],
    ] as const
  ).entries()) {
    own.setClock(NOON + (minute + 0.5) * MINUTE_MS)
    ids.push((await ask(client, agent.key, amount)).body.requestId)
  }
  await execute(client, one.key, ids[0]!)
  await client.post(`/api/sdk/payments/${ids[3]}/cancel`, one.key)
  return { one, two, ids }
}

const at = (minute: number): string => encodeURIComponent(new Date(NOON + minute * MINUTE_MS).toISOString())

test('payments and transactions are found by status, agent and time', async (t) => {
  const own = await start(t)
  const { one, two, ids } = await fivePayments(own)
  const of = (...indexes: number[]): string[] => indexes.map((index) => ids[index]!)
  const cases: [query: string, found: string[]][] = [
    ['', of(4, 3, 2, 1, 0)],
    ['status=EXECUTED', of(0)],
    ['status=APPROVED', of(1)],
    ['status=DENIED', of(2)],
    ['status=CANCELLED', of(3)],
    ['status=REQUIRES_APPROVAL', of(4)],
    ['status=EXECUTING', []],
    ['status=FAILED', []],
    ['status=EXPIRED', []],
    [`agentId=${one.agentId}`, of(3, 2, 1, 0)],
    [`agentId=${two.agentId}&status=REQUIRES_APPROVAL`, of(4)],
    [`agentId=${two.agentId}&status=APPROVED`, []],
    [`from=${at(1)}`, of(4, 3, 2, 1)],
    [`to=${at(1)}`, of(0)],
    [`from=${at(1)}&to=${at(3)}`, of(2, 1)],
    [`from=${at(3)}&to=${at(1)}`, []],
    ['from=1970-01-01T00:00:00Z', of(4, 3, 2, 1, 0)],
    ['from=0001-01-01T00:00:00Z', of(4, 3, 2, 1, 0)],
    ['to=0001-01-01T00:00:00Z', []],
    ['to=2300-01-01T00:00:00Z', of(4, 3, 2, 1, 0)],
    ['from=2300-01-01T00:00:00Z', []],
    ['to=9999-12-31T23:59:59.999Z', of(4, 3, 2, 1, 0)],
    ['from=9999-12-31T23:59:59.999Z', []],
    [`from=${at(1)}&status=APPROVED`, of(1)],
    [`from=${at(2)}&status=APPROVED`, []],
  ]
  for (const [query, found] of cases) {
    const { status, body } = await own.client.get<PaymentList>(`/api/payments?${query}`, ORGANIZATION_KEY)
    t.is(status, 200, query)
    t.deepEqual(
      body.payments.map(({ requestId }) => requestId),
      found,
      query,
    )
    t.is(body.pagination.total, found.length, query)
  }
  const own1 = await own.client.get<PaymentList>('/api/sdk/payments?status=EXECUTED', one.key)
  t.deepEqual(
    own1.body.payments.map(({ requestId }) => requestId),
    of(0),
  )
  for (const [query, count] of [
    ['', 1],
    [`agentId=${one.agentId}`, 1],
    [`agentId=${two.agentId}`, 0],
    [`from=${at(-1)}&to=${at(9)}`, 1],
    ['to=2300-01-01T00:00:00Z', 1],
    ['from=2300-01-01T00:00:00Z', 0],
  ] as const) {
    const { body } = await own.client.get<Page>(`/api/transactions?${query}`, ORGANIZATION_KEY)
    t.is((body['transactions'] as unknown[]).length, count, query)
  }
  for (const query of [
    'from=yesterday',
    'from=2026-02-30T00:00:00Z',
    'from=2026-01-01',
    'to=',
    'status=DONE',
    'from=1700000000',
  ]) {
    t.deepEqual(
      failureOf(await own.client.get(`/api/payments?${query}`, ORGANIZATION_KEY)),
      { status: 400, code: 'VALIDATION_ERROR' },
      query,
    )
  }
})

test('a list shows expired payments as single reads do, whether or not a timer has fired', async (t) => {
  const own = await start(t, { at: NOON })
  const agent = await fundedAgent(own.client)
  const asked = await Promise.all(Array.from({ length: MANY }, () => ask(own.client, agent.key, 1)))
  own.setClock(NOON + 6 * MINUTE_MS)
  const read = async (status: string) =>
    (await own.client.get<PaymentList>(`/api/sdk/payments?status=${status}&limit=1`, agent.key)).body
  const [expired, approved] = [await read('EXPIRED'), await read('APPROVED')]
  t.is(expired.pagination.total, MANY)
  t.is(expired.payments[0]!.status, 'EXPIRED')
  t.deepEqual([approved.payments, approved.pagination.total], [[], 0])
  const one = await own.client.get<{ status: string }>(`/api/sdk/payments/${asked[0]!.body.requestId}`, agent.key)
  t.is(one.body.status, 'EXPIRED')
  t.deepEqual(own.logged, [])
})

test('transactions are ordered and filtered by the time of execution, for agents and organizations', async (t) => {
  const own = await start(t, { at: NOON })
  const agent = await fundedAgent(own.client)
  const asked: string[] = []
  for (let at = 0; at < 3; at += 1) asked.push((await ask(own.client, agent.key, 1)).body.requestId)
  for (const [minute, index] of [
    [1, 1],
    [2, 2],
    [3, 0],
  ] as const) {
    own.setClock(NOON + minute * MINUTE_MS)
    await execute(own.client, agent.key, asked[index]!)
  }
  const cases: [query: string, found: number[]][] = [
    ['', [0, 2, 1]],
    [`from=${at(1.5)}`, [0, 2]],
    [`to=${at(1.5)}`, [1]],
    [`from=${at(1.5)}&to=${at(2.5)}`, [2]],
    [`to=${at(0.5)}`, []],
    ['limit=2&offset=1', [2, 1]],
  ]
  for (const [path, key] of [
    ['/api/transactions', ORGANIZATION_KEY],
    ['/api/sdk/transactions', agent.key],
  ] as const) {
    const read = async (query: string) => (await own.client.get<TransactionList>(`${path}?${query}`, key)).body
    const indexes = ({ transactions }: TransactionList) => transactions.map(({ requestId }) => asked.indexOf(requestId))
    for (const [query, found] of cases) t.deepEqual(indexes(await read(query)), found, `${path}?${query}`)
    const first = await read('limit=1')
    t.deepEqual(indexes(await read(`cursor=${first.pagination!.nextCursor}`)), [2, 1], path)
    t.deepEqual(indexes(await read(`cursor=${first.pagination!.nextCursor}&to=${at(1.5)}`)), [1], path)
    t.is((await read(`from=${at(1.5)}`)).pagination!.total, 2, path)
  }
})
