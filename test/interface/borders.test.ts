// Objects of another organization or agent are answered exactly like those that do not exist: on every route that takes
// an id, in the path, query or body.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { absentIds, FIXED, idsFor, populate, type Population } from '../support/population.js'
import { bodyOf, rowsOf, urlOf, type Ids, type Row } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'

/** The clock stays within one day, because answers name the end of the day. */
const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started
let rows: Row[]
let mine: Population
let colleague: Population
let theirs: Population

test.before('two organizations exist', async () => {
  service = await start(scope, { at: NOON })
  const other = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  mine = await populate(service.client, ORGANIZATION_KEY)
  colleague = await populate(service.client, ORGANIZATION_KEY)
  theirs = await populate(service.client, other.body.apiKey)
  rows = await rowsOf(service.url)
})

/** The names of the ids that a route takes in its path, query or body, without those that are the same for all. */
function slotsOf(row: Row): string[] {
  const known = Object.keys(idsFor(row, mine.ids)).filter((name) => !(name in FIXED))
  const named = [...row.params, ...row.query.map(({ name }) => name), ...Object.keys(row.body?.properties ?? {})]
  return named.filter((name) => known.includes(name))
}

/** The names that a request can have together: filters of sums leave each other out. */
function slotSetsOf(row: Row): string[][] {
  const slots = slotsOf(row)
  return row.title === 'GET /api/stats' ? slots.map((slot) => [slot]) : [slots]
}

/** All non-empty subsets of the names. */
function subsets(names: string[]): string[][] {
  const all = names.reduce<string[][]>((found, name) => [...found, ...found.map((some) => [...some, name])], [[]])
  return all.filter((some) => some.length > 0)
}

const pick = (ids: Ids, names: string[]): Ids => Object.fromEntries(names.map((name) => [name, ids[name]!]))

function keyFor({ key }: Row): string {
  if (key === 'operator') return OPERATOR_KEY
  return key === 'agent' ? mine.agentKey : mine.key
}

/** The whole answer, with the ids that were sent replaced by their names. */
async function answerTo(row: Row, ids: Ids): Promise<{ status: number; text: string; headers: string[] }> {
  const body = row.method === 'GET' ? undefined : bodyOf(row, ids)
  const response = await fetch(service.url + urlOf(row, ids), {
    method: row.method,
    headers: {
      authorization: `Bearer ${keyFor(row)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const named = Object.entries(ids).filter(([name]) => !(name in FIXED))
  const texts = named.reduce((text, [name, id]) => text.replaceAll(id, `<${name}>`), await response.text())
  return { status: response.status, text: texts, headers: [...response.headers.keys()].sort() }
}

/** Everything that can be read of a population with its own keys, which open nothing of a person alone. */
async function everythingOf({ ids, key, agentKey }: Population): Promise<unknown[]> {
  const reads = rows.filter(
    ({ method, key: kind, title }) =>
      method === 'GET' && kind !== 'none' && kind !== 'person' && title !== 'GET /api/sdk/counterparties',
  )
  const answers: unknown[] = []
  for (const row of reads) {
    const known = row.title === 'GET /api/stats' ? {} : ids
    const path = urlOf(row, idsFor(row, known))
    answers.push({ path, ...(await service.client.get(path, row.key === 'agent' ? agentKey : key)) })
  }
  return answers
}

/** Fields that change with time alone: the last use of a key, and the retries of deliveries. */
const CLOCKWORK = ['lastUsedAt', 'updatedAt', 'attempts', 'nextAttemptAt', 'headers']

const lasting = (answers: unknown[]): string =>
  JSON.stringify(answers, (name, value: unknown) => (CLOCKWORK.includes(name) ? undefined : value))

test('on every route ids of another organization or agent are answered like unknown ids', async (t) => {
  const before = lasting(await everythingOf(theirs))
  let compared = 0
  // What a person alone may do is tried with their sessions: test/mcp/oauthRefusals.test.ts.
  const asked = rows
    .filter(({ key }) => key !== 'person')
    .flatMap((row) => slotSetsOf(row).map((slots) => ({ row, slots })))
  for (const { row, slots } of asked) {
    const own = idsFor(row, mine.ids)
    const nothing = idsFor(row, absentIds())
    // For an agent another agent of its organization is a stranger too, for their administrator it is not.
    const strangers = row.key === 'agent' ? [theirs, colleague] : [theirs]
    for (const names of subsets(slots)) {
      const absent = await answerTo(row, { ...FIXED, ...pick(own, slots), ...pick(nothing, names) })
      const isFilter = names.every((name) => row.query.some((one) => one.name === name && !one.required))
      t.is(absent.status, isFilter ? 200 : 404, `${row.title} without ${names.join(', ')}: ${absent.text}`)
      for (const { ids } of strangers) {
        const answer = await answerTo(row, { ...FIXED, ...pick(own, slots), ...pick(idsFor(row, ids), names) })
        t.deepEqual(answer, absent, `${row.title} with another's ${names.join(', ')}`)
        compared += 1
      }
    }
  }
  t.true(compared >= 35, `${compared} compared`)
  t.is(lasting(await everythingOf(theirs)), before)
  t.deepEqual(service.logged, [])
})

/** Excludes the pages of the dashboard, which read their objects only after signing in. */
const namesSomething = ({ params, key }: Row): boolean => params.length > 0 && key !== 'none'

test('an id of another kind of object is an unknown id', async (t) => {
  const { agentId, walletId, paymentId } = mine.ids
  const swapped: Ids = {
    actorId: agentId!,
    policyId: agentId!,
    memberId: agentId!,
    organizationId: agentId!,
    ruleId: agentId!,
    agentId: walletId!,
    walletId: paymentId!,
    deliveryId: agentId!,
    cardId: agentId!,
    requestId: agentId!,
    alertId: agentId!,
    channelId: agentId!,
    paymentId: agentId!,
    transactionId: `tx_${agentId}`,
    counterpartyId: `cpty_${agentId}`,
  }
  const isOfIds = ({ params }: Row): boolean => params.some((name) => !(name in FIXED))
  for (const row of rows.filter((one) => namesSomething(one) && isOfIds(one))) {
    const ids = { ...idsFor(row, mine.ids), ...swapped, keyId: agentId! }
    t.is((await answerTo(row, ids)).status, 404, row.title)
  }
})

const STRANGE = [
  '0',
  'undefined',
  '__proto__',
  'constructor',
  '%00',
  'a%2Fb',
  '..%2F..',
  '%F0%9F%92%B8',
  'c'.repeat(3000),
  'C'.repeat(25),
  `tx_tx_${'c'.repeat(25)}`,
  `cpty_cpty_${'c'.repeat(25)}`,
]

test('anything in place of an id in a path is NOT_FOUND', async (t) => {
  for (const row of rows.filter(namesSomething)) {
    for (const strange of STRANGE) {
      const ids = idsFor(row, mine.ids)
      const [, query = ''] = urlOf(row, ids).split('?')
      const filled = `${row.path.replace(/\{\w+\}/g, () => strange)}?${query}`
      const body = row.method === 'GET' ? undefined : bodyOf(row, ids)
      const answer = await service.client.send(row.method, filled, keyFor(row), body)
      t.is(answer.status, 404, `${row.method} ${filled}`)
      t.is(answer.body.code, 'NOT_FOUND')
    }
  }
  t.deepEqual(service.logged, [])
})
