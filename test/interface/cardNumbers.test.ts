// Card numbers in free text: every text that a route takes, found in the service's own description of itself, refuses
// one, and neither the answers nor the log nor the data folder have it.
import test from 'ava'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Failure } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { newPerson } from '../support/people.js'
import { idsFor, populate, type Population } from '../support/population.js'
import { bodyOf, rowsOf, sample, urlOf, type JsonSchema, type Row } from '../support/routes.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'

const scope = wholeFile(test)
const CARD = '4539578763621486'
/** The id of somebody in another system. */
const NUMERIC_ID = '5105105105105100'
const WRITTEN = [CARD, '4539 5787 6362 1486', '4539-5787-6362-1486']

/**
 * Texts that are not looked at: hashes, signatures, tokens, keys, passwords, e-mail addresses, hosts, ids here and
 * elsewhere, what a client of OAuth asks for, which is signed, and the settings of a channel, which are of these kinds and are validated by its type.
 */
const OPAQUE =
  /^(signature|txHash|approvalToken|token|password|currentPassword|email|config|publicKey|cursor|request|redirectHost|(\w+I|i)ds?)$/

/** Where a text may stand in a body: names of members, 0 for the first entry of a list. */
type Place = (string | 0)[]

/** The places of texts without a form of their own. A place with free JSON counts as one. */
function textsIn(schema: JsonSchema, at: Place = []): Place[] {
  const { type, properties, items, anyOf, format, pattern, enum: words } = schema
  if (anyOf) return anyOf.flatMap((one) => textsIn(one, at))
  if (properties) return Object.entries(properties).flatMap(([name, one]) => textsIn(one, [...at, name]))
  if (items) return textsIn(items, [...at, 0])
  if (words !== undefined || 'const' in schema || format !== undefined || pattern !== undefined) return []
  const name = at.findLast((part) => part !== 0)
  if (typeof name === 'string' && OPAQUE.test(name)) return []
  if (type === 'string') return (schema.examples ?? []).length > 0 ? [] : [at]
  return type === undefined || type === 'object' ? [[...at, 'note']] : []
}

/** The body with the text in this place; what is missing around it is made up. */
function withText(body: unknown, schema: JsonSchema, [first, ...rest]: Place, text: string): unknown {
  if (first === undefined) return text
  const options = schema.anyOf ?? [schema]
  const fits = options.find(({ properties, items }) => (first === 0 ? items : properties?.[first])) ?? {}
  const inner = (first === 0 ? fits.items : fits.properties?.[first]) ?? {}
  const given = body ?? (first === 0 ? [] : sample(fits))
  if (first === 0) return [withText((given as unknown[])[0] ?? sample(inner), inner, rest, text)]
  const around = typeof given === 'object' ? (given as { [name: string]: unknown }) : {}
  return { ...around, [first]: withText(around[first], inner, rest, text) }
}

let service: Started
let rows: Row[]
let mine: Population
let person: string
let client: Started['client']

test.before('the service starts', async () => {
  service = await start(scope)
  client = service.client
  mine = await populate(client, ORGANIZATION_KEY)
  person = (await newPerson(client, 'ADMIN')).cookie
  rows = await rowsOf(service.url)
})

const keyFor = ({ key }: Row): string =>
  ({ organization: ORGANIZATION_KEY, person, agent: mine.agentKey, operator: OPERATOR_KEY, none: '' })[key]

const digitsOf = (text: string): string => text.replace(/[^\d]+/g, '')

function repeats(text: string): boolean {
  return digitsOf(text).includes(CARD)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

interface Sent {
  title: string
  answer: Answer<Failure>
}

/** Sends a number in every text of every body and query. */
async function sendEverywhere(): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const row of rows) {
    const ids = idsFor(row, mine.ids)
    const base = bodyOf(row, ids)
    for (const [index, place] of textsIn(row.body ?? {}, []).entries()) {
      if (row.body === undefined) break
      const text = `Charged to ${WRITTEN[index % WRITTEN.length]} today`
      const body = withText(base, row.body, place, text)
      // The record of the key must not have it either.
      const headers: { [name: string]: string } = row.method === 'POST' ? { 'Idempotency-Key': `k-${sent.length}` } : {}
      const answer = await client.send(row.method, urlOf(row, ids), keyFor(row), body, headers)
      sent.push({ title: `${row.title} ${place.join('.')}`, answer })
    }
    const parameters = row.query.filter(({ name, schema }) => textsIn(schema, [name]).length > 0)
    for (const { name } of parameters) {
      const url = urlOf({ ...row, query: row.query.filter((one) => one.name !== name) }, ids)
      const full = `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(WRITTEN[1]!)}`
      const body = row.method === 'GET' ? undefined : base
      sent.push({ title: `${row.title} ?${name}`, answer: await client.send(row.method, full, keyFor(row), body) })
    }
  }
  return sent
}

test.serial('every free text of every route refuses a card number, and nobody keeps or repeats it', async (t) => {
  const sent = await sendEverywhere()
  t.true(sent.length > 60, `${sent.length} texts`)
  const wrong = sent.filter(({ answer }) => answer.status !== 400 || answer.body.code !== 'CARD_NUMBER_REFUSED')
  t.deepEqual(
    wrong.map(({ title, answer }) => [title, answer.status, answer.body?.code]),
    [],
  )
  t.deepEqual(
    sent.filter(({ answer }) => repeats(JSON.stringify(answer.body))).map(({ title }) => title),
    [],
  )
  for (const title of ['POST /api/sdk/payments/request purpose', 'POST /api/agents/bulk-import agents.0.name']) {
    t.true(
      sent.some((one) => one.title === title),
      title,
    )
  }
})

test.serial('a name of a field is not repeated either', async (t) => {
  const { status, body } = await client.post<Failure>('/api/agents', ORGANIZATION_KEY, { [CARD]: 'x' })
  t.deepEqual([status, body.code], [400, 'VALIDATION_ERROR'])
  t.false(repeats(JSON.stringify(body)))
})

test.serial(
  'the log and the data folder have no card number, and what is no free text is taken with one',
  async (t) => {
    const named = { name: 'Clerk', agentType: 'CUSTOM', externalId: NUMERIC_ID }
    const made = await client.post('/api/agents', ORGANIZATION_KEY, named)
    t.is(made.status, 201)
    await service.stop()
    t.deepEqual(service.logged, [])
    const files = filesIn(service.folder).map((path) => ({ path, bytes: readFileSync(path) }))
    t.true(files.some(({ bytes }) => bytes.includes(NUMERIC_ID)))
    for (const { path, bytes } of files) for (const written of WRITTEN) t.false(bytes.includes(written), path)
  },
)
