// The search among payments: every filter, and every two of them, find what a plain scan of all payments finds.
import test, { type ExecutionContext } from 'ava'
import type { Counterparty, FoundPayment, FoundPayments, TracedPayment } from '../../../sdk/api.js'
import type { Client, Failure } from '../../support/client.js'
import { approve, cardAgent } from '../../support/cards.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, fundedAgent, made, type FundedAgent } from '../../support/payments.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import { authorizeFor } from '../../support/x402.js'

const scope = wholeFile(test)
const NOON = Date.parse('2031-07-09T12:00:00Z')
const MINUTE_MS = 60_000

const RECIPIENTS = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x00000000000000000000000000000000000000b2',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
]
/** What a pattern, a quotation or another alphabet could break. */
const TEXTS = [
  'a.*b',
  'O\'Brien "GmbH"',
  'Hauptstraße 5',
  '100% [sure] (x|y)',
  'back\\slash',
  '^$',
  'ЖУК',
  'a+b c',
  'plain',
]
const CATEGORIES = ['CLOUD', 'cloud', 'TRAVEL']

let service: Started
let client: Client
let agents: FundedAgent[]
let all: Known[]

interface Known {
  payment: FoundPayment
  policies: string[]
}

/** Filters by the name of their parameter. */
type Wanted = { [name: string]: string }

const foldedText = (text: string): string => text.toLowerCase().toUpperCase()
const milliseconds = (time: string): number => Date.parse(time)

/** Said once more, and more simply, than the service does. */
const ORACLE: { [name: string]: (known: Known, value: string) => boolean } = {
  search: ({ payment }, value) => {
    const { id, recipientAddress, recipientName, purpose, reference } = payment
    const texts = [id, recipientAddress, recipientName, purpose, reference]
    return texts.some((text) => text !== null && foldedText(text).includes(foldedText(value)))
  },
  amountMin: ({ payment }, value) => payment.amount >= Number(value),
  amountMax: ({ payment }, value) => payment.amount <= Number(value),
  walletId: ({ payment }, value) => payment.wallet?.id === value,
  counterpartyId: ({ payment }, value) => payment.recipientAddress === addresses.get(value),
  category: ({ payment }, value) => payment.category?.toUpperCase() === value.toUpperCase(),
  policyId: ({ policies }, value) => policies.includes(value),
  violation: ({ payment }, value) => (payment.violations ?? []).some(({ type }) => type === value),
  sessionId: ({ payment }, value) => payment.sessionId === value,
  reference: ({ payment }, value) => payment.reference === value,
  paymentKey: ({ payment }, value) => payment.paymentKey === value,
  rail: ({ payment }, value) => payment.rail === value,
  status: ({ payment }, value) => payment.status === value,
  agentId: ({ payment }, value) => payment.agentId === value,
  from: ({ payment }, value) => milliseconds(payment.createdAt) >= milliseconds(value),
  to: ({ payment }, value) => milliseconds(payment.createdAt) <= milliseconds(value),
}
/** A list of the store serves these, and any two of them are counted while the list is short. */
const LISTED = new Set(['sessionId', 'reference', 'paymentKey', 'rail', 'status', 'agentId', 'from', 'to'])
const isListed = ([name, value]: [string, string]): boolean => LISTED.has(name) && value !== 'TRANSFER'

/** By the counterparty's id. */
const addresses = new Map<string, string>()
let values: { [name: string]: string[] }

test.before('there are payments of all kinds', async () => {
  service = await start(scope, { at: NOON })
  ;({ client } = service)
  agents = [await fundedAgent(client, { name: 'One' }), await fundedAgent(client, { name: 'Two' })]
  const rules = [
    { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 50 },
    { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 30 },
  ]
  const policy = { name: 'Limits', policyType: 'SPEND_LIMIT', rules, agentIds: [agents[0]!.agentId] }
  const { id: policyId } = await made<{ id: string }>(client, '/api/policies', policy)
  for (let index = 0; index < 45; index += 1) await askOne(index)
  const card = await cardAgent(client)
  for (const amount of [3, 30]) await approve(client, card, amount, { purpose: 'a.*b on a card' })
  await authorizeFor(client, agents[1]!.key, 0.5)
  all = await readAll()
  values = await valuesOf(policyId)
})

async function askOne(index: number): Promise<void> {
  const text = TEXTS[index % TEXTS.length]!
  const more = {
    recipientAddress: RECIPIENTS[index % 3],
    autoExecute: index % 2 === 0,
    ...(index % 4 === 0 && { recipientName: text }),
    ...(index % 3 === 0 && { purpose: `For ${text}` }),
    ...(index % 5 === 0 && { reference: `R-${index % 10} ${text}` }),
    ...(index % 2 === 0 && { category: CATEGORIES[index % 3] }),
    ...(index % 6 === 0 && { sessionId: `session ${index % 4}` }),
    ...(index % 7 === 0 && { paymentKey: `key-${index}` }),
  }
  if (index === 20) service.setClock(service.now() + MINUTE_MS)
  const { body } = await ask(client, agents[index % 2]!.key, 1 + ((index * 7) % 80), more)
  if (index % 11 === 0) await client.post(`/api/sdk/payments/${body.requestId}/cancel`, agents[index % 2]!.key)
}

/** Without a filter, which is the list as it always was. */
async function readAll(): Promise<Known[]> {
  const payments = await pagesOf({}, 100)
  return Promise.all(
    payments.flat().map(async (payment) => {
      const { body } = await client.get<TracedPayment>(`/api/payments/${payment.id}`, ORGANIZATION_KEY)
      return { payment, policies: body.trace.policies.map(({ policyId }) => policyId) }
    }),
  )
}

/** For each filter values that find some payments, all or none. */
async function valuesOf(policyId: string): Promise<typeof values> {
  const { body } = await client.get<{ counterparties: Counterparty[] }>('/api/counterparties', ORGANIZATION_KEY)
  for (const { id, address } of body.counterparties) addresses.set(id, address)
  const between = amid(all.map(({ payment }) => milliseconds(payment.createdAt)))
  return {
    search: [...TEXTS, 'STRASSE', 'жук', "o'brien", '0x5AAEB6053f', all[3]!.payment.id.slice(4), 'r-5', 'nowhere'],
    amountMin: ['0', '20.5', '1000'],
    amountMax: ['0', '20.5', '1000'],
    walletId: [...agents.map(({ walletId }) => walletId), 'absent'],
    counterpartyId: [...addresses.keys(), 'cpty_absent'],
    category: ['Cloud', 'TRAVEL', 'none'],
    policyId: [policyId, 'absent'],
    violation: ['AMOUNT_LIMIT', 'TRUST_SCORE'],
    sessionId: ['session 2', 'session 9'],
    reference: ['R-0 a.*b', 'absent'],
    paymentKey: ['key-7', 'key-8'],
    rail: ['TRANSFER', 'CARD', 'X402'],
    status: ['EXECUTED', 'APPROVED', 'DENIED', 'REQUIRES_APPROVAL', 'CANCELLED'],
    agentId: agents.map(({ agentId }) => agentId),
    from: [between],
    to: [between],
  }
}

/** In the middle of the longest time without a payment: the order in lists is taken a moment before the time shown. */
function amid(times: readonly number[]): string {
  const [first = 0, ...rest] = times.toSorted((a, b) => a - b)
  const gaps = rest.map((time, at) => [at === 0 ? first : rest[at - 1]!, time] as const)
  const [[from, to]] = gaps.toSorted(([a, b], [c, d]) => d - c - (b - a)) as [readonly [number, number]]
  return new Date(Math.floor((from + to) / 2)).toISOString()
}

/** All pages, by cursor. */
async function pagesOf(wanted: Wanted, limit: number, more = '', key = ORGANIZATION_KEY): Promise<FoundPayment[][]> {
  const pages: FoundPayment[][] = []
  const query = new URLSearchParams({ ...wanted, limit: String(limit) }).toString()
  for (let cursor = more; ;) {
    const { status, body } = await client.get<FoundPayments>(`/api/payments?${query}${cursor}`, key)
    if (status !== 200) throw new Error(`${query} answered ${status} ${JSON.stringify(body)}`)
    pages.push(body.payments)
    const { nextCursor } = body.pagination
    if (nextCursor === undefined) return pages
    cursor = `&cursor=${nextCursor}`
  }
}

const idsOf = (payments: FoundPayment[]): string[] => payments.map(({ id }) => id)

function expected(wanted: Wanted): string[] {
  const filters = Object.entries(wanted)
  const found = all.filter((known) => filters.every(([name, value]) => ORACLE[name]!(known, value)))
  return idsOf(found.map(({ payment }) => payment))
}

async function check(t: ExecutionContext, wanted: Wanted, limit: number): Promise<void> {
  const said = JSON.stringify(wanted)
  t.deepEqual(idsOf((await pagesOf(wanted, limit)).flat()), expected(wanted), said)
  const query = new URLSearchParams(wanted).toString()
  const { pagination } = (await client.get<FoundPayments>(`/api/payments?${query}`, ORGANIZATION_KEY)).body
  const total = Object.entries(wanted).every(isListed) ? expected(wanted).length : undefined
  t.is(pagination.total, total, said)
}

test('each filter finds what a scan of all payments finds, in pages of every size', async (t) => {
  t.deepEqual(Object.keys(values).sort(), Object.keys(ORACLE).sort())
  for (const [name, ones] of Object.entries(values)) {
    for (const value of ones) for (const limit of [1, 3, 100]) await check(t, { [name]: value }, limit)
  }
})

test('some value of each filter finds some payments, and not all', (t) => {
  for (const [name, ones] of Object.entries(values)) {
    const counts = ones.map((value) => expected({ [name]: value }).length)
    t.true(
      counts.some((count) => count > 0 && count < all.length),
      `${name}: ${counts}`,
    )
  }
})

test('any two filters, and many, find what passes all of them', async (t) => {
  const names = Object.keys(values)
  let pairs = 0
  for (const one of names) {
    for (const other of names.slice(names.indexOf(one) + 1)) {
      pairs += 1
      const pick = (name: string): string => values[name]![pairs % values[name]!.length]!
      await check(t, { [one]: pick(one), [other]: pick(other) }, 4)
    }
  }
  const [{ payment }] = all.filter(
    ({ payment: { status, category } }) => status === 'EXECUTED' && category !== null,
  ) as [Known]
  const many = {
    search: payment.recipientAddress!.slice(2, 12),
    status: 'EXECUTED',
    category: payment.category!,
    walletId: payment.wallet!.id,
    amountMin: String(payment.amount),
    rail: 'TRANSFER',
    agentId: payment.agentId,
  }
  t.true(expected(many).length > 0)
  await check(t, many, 2)
})

test('a page is full while there are more, and an offset counts what was found', async (t) => {
  const wanted = { search: '0x' }
  const found = expected(wanted)
  const pages = await pagesOf(wanted, 7)
  for (const page of pages.slice(0, -1)) t.is(page.length, 7)
  for (const offset of [0, 1, 6, found.length - 1, found.length, 1000]) {
    t.deepEqual(idsOf((await pagesOf(wanted, 5, `&offset=${offset}`)).flat()), found.slice(offset), `offset ${offset}`)
  }
})

test('an empty search is none, and an invalid one is refused', async (t) => {
  const { body } = await client.get<FoundPayments>('/api/payments?search=', ORGANIZATION_KEY)
  t.is(body.pagination.total, all.length)
  for (const query of [
    'search=%00',
    `search=${'x'.repeat(201)}`,
    'amountMin=-1',
    'amountMax=x',
    'violation=NONE',
    'walletId=',
  ]) {
    t.is((await client.get<Failure>(`/api/payments?${query}`, ORGANIZATION_KEY)).status, 400, query)
  }
  t.is((await client.get(`/api/payments?search=x&cursor=nonsense`, ORGANIZATION_KEY)).status, 400)
})

test('an agent lists its own payments as before, without these filters', async (t) => {
  const { key } = agents[0]!
  t.is((await client.get('/api/sdk/payments?search=a', key)).status, 400)
  const { body } = await client.get<FoundPayments>('/api/sdk/payments?rail=TRANSFER&limit=1', key)
  t.is(body.pagination.total, expected({ agentId: agents[0]!.agentId }).length)
})

test('a denied payment shows the first violation, unless a person denied it', async (t) => {
  const denied = all.filter(({ payment }) => payment.status === 'DENIED')
  t.true(denied.length > 0)
  for (const { payment } of all) {
    const [first] = payment.violations ?? []
    t.deepEqual(payment.denial, first && { type: first.type, message: first.message })
  }
  const asked = all.find(({ payment }) => payment.status === 'REQUIRES_APPROVAL')!
  const { client: own } = await start(t, { at: NOON })
  const agent = await fundedAgent(own, { terms: { delegationType: 'PREAPPROVED' } })
  const { approvalRequestId } = (await ask(own, agent.key, 5)).body
  await own.post(`/api/approval-requests/${approvalRequestId}/decision`, ORGANIZATION_KEY, { decision: 'DENIED' })
  const [payment] = (await own.get<FoundPayments>('/api/payments?search=0x', ORGANIZATION_KEY)).body.payments
  t.like(payment, { status: 'DENIED', deniedBy: 'PERSON' })
  t.false('denial' in payment!)
  t.false('denial' in asked.payment)
})

test('another organization finds nothing, whatever it names, also where it pays the same address', async (t) => {
  const { body } = await client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  const { apiKey } = body
  const found = (wanted: Wanted) => pagesOf(wanted, 50, '', apiKey)
  for (const [name, ones] of Object.entries(values)) {
    for (const value of ones) t.deepEqual(await found({ [name]: value }), [[]], `${name} ${value}`)
  }
  const { pagination } = (await client.get<FoundPayments>('/api/payments?search=a&limit=1', ORGANIZATION_KEY)).body
  t.is((await client.get(`/api/payments?search=a&cursor=${pagination.nextCursor}`, apiKey)).status, 400)
  const { key } = await fundedAgent(client, { organizationKey: apiKey })
  for (const recipientAddress of RECIPIENTS) await ask(client, key, 1, { recipientAddress, autoExecute: true })
  t.is((await found({ search: '0x' })).flat().length, RECIPIENTS.length)
  for (const counterpartyId of addresses.keys()) t.deepEqual(await found({ counterpartyId }), [[]])
})
