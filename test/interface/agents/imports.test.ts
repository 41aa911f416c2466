// Bulk import of agents: every entry is checked separately, and one bad entry does not stop the rest.
import test from 'ava'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { randomAddress } from '../../support/commands.js'
import { start, type Started } from '../../support/service.js'
import type { AgentImport as Imported } from '../../../sdk/api.js'

const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

let named = 0
const entry = (more: object = {}) => ({ name: `Import ${(named += 1)}`, publicKey: randomAddress(), ...more })
const send = (body: unknown) => service.client.post<Imported>('/api/agents/bulk-import', ORGANIZATION_KEY, body)
const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const readAgent = (id: string) =>
  service.client.get<{ [field: string]: unknown }>(`/api/agents/${id}`, ORGANIZATION_KEY)
const codesOf = ({ body }: Answer<Imported>) => body.errors.map(({ index, code }) => ({ index, code }))

test('an import creates agents and answers 200 with the result of each entry', async (t) => {
  const entries = [entry(), entry({ agentType: 'FRAMEWORK_B', description: 'Imported', externalId: 'x-1' })]
  const { status, body } = await send({ agents: entries })
  t.is(status, 200)
  t.deepEqual(
    { ...body, agents: body.agents.map(({ name }) => name) },
    {
      imported: 2,
      resumed: 0,
      skipped: 0,
      errors: [],
      agents: entries.map(({ name }) => name),
    },
  )
  t.like((await readAgent(body.agents[0]!.id)).body, {
    ...entries[0],
    agentType: 'CUSTOM',
    status: 'ACTIVE',
    description: null,
  })
  t.like((await readAgent(body.agents[1]!.id)).body, entries[1]!)
})

test('an existing public key is skipped in any letter case, even if it is from the same import', async (t) => {
  const [first, second] = [entry(), entry()]
  const made = await service.client.post('/api/agents', ORGANIZATION_KEY, { ...first, agentType: 'CUSTOM' })
  t.is(made.status, 201)
  const { body } = await send({
    agents: [
      entry({ publicKey: first.publicKey.toLowerCase() }),
      second,
      entry({ publicKey: `0x${second.publicKey.slice(2).toUpperCase()}` }),
      entry({ publicKey: second.publicKey.toLowerCase() }),
    ],
  })
  t.like(body, { imported: 1, skipped: 3, errors: [] })
  t.deepEqual(
    body.agents.map(({ name }) => name),
    [second.name],
  )
  t.like((await send({ agents: [second], skipExisting: true })).body, {
    imported: 0,
    skipped: 1,
    errors: [],
    agents: [],
  })
})

test('without skipExisting an existing public key is an error, and the rest are imported', async (t) => {
  const [first, second] = [entry(), entry()]
  await send({ agents: [first] })
  const answer = await send({
    agents: [entry({ publicKey: first.publicKey.toLowerCase() }), second, entry({ publicKey: second.publicKey })],
    skipExisting: false,
  })
  t.like(answer.body, { imported: 1, skipped: 0 })
  t.deepEqual(codesOf(answer), [
    { index: 0, code: 'ALREADY_EXISTS' },
    { index: 2, code: 'ALREADY_EXISTS' },
  ])
  t.deepEqual(
    answer.body.errors.map(({ publicKey }) => publicKey),
    [first.publicKey, second.publicKey],
  )
})

test('a name that is taken is an error, even with skipExisting', async (t) => {
  const taken = entry()
  const answer = await send({ agents: [taken, entry({ name: taken.name })] })
  t.deepEqual(codesOf(answer), [{ index: 1, code: 'ALREADY_EXISTS' }])
  t.like(answer.body, { imported: 1, skipped: 0 })
})

const BAD: [why: string, entry: unknown, code: string][] = [
  ['no name', { publicKey: randomAddress() }, 'VALIDATION_ERROR'],
  ['a name of 101 characters', { name: 'x'.repeat(101), publicKey: randomAddress() }, 'VALIDATION_ERROR'],
  ['a name with a lone surrogate', { name: '\ud800', publicKey: randomAddress() }, 'VALIDATION_ERROR'],
  ['no public key', { name: 'No key' }, 'VALIDATION_ERROR'],
  ['a malformed public key', { name: 'Bad key', publicKey: 'nonsense' }, 'INVALID_ADDRESS'],
  ['a public key that is a number', { name: 'Bad key', publicKey: 7 }, 'INVALID_ADDRESS'],
  ['an unknown type', { name: 'Bad type', publicKey: randomAddress(), agentType: 'ROBOT' }, 'VALIDATION_ERROR'],
  [
    'a long description',
    { name: 'Bad text', publicKey: randomAddress(), description: 'x'.repeat(501) },
    'VALIDATION_ERROR',
  ],
  ['an unknown field', { name: 'Bad field', publicKey: randomAddress(), status: 'ACTIVE' }, 'VALIDATION_ERROR'],
  ['a field called __proto__', JSON.parse('{"name":"Bad","__proto__":{"a":1}}'), 'VALIDATION_ERROR'],
  [
    'a number that is too large',
    { name: 'Bad', publicKey: randomAddress(), externalId: 1e308 * 10 },
    'VALIDATION_ERROR',
  ],
  ['text', 'text', 'VALIDATION_ERROR'],
  ['null', null, 'VALIDATION_ERROR'],
  ['a list', [], 'VALIDATION_ERROR'],
]

for (const [why, bad, code] of BAD) {
  test(`an invalid entry is a separate error: ${why}`, async (t) => {
    const [before, after] = [entry(), entry()]
    // JSON.stringify writes Infinity as null, so the number is inserted as text.
    const text = JSON.stringify({ agents: [before, bad, after] }).replace('"externalId":null', '"externalId":1e999')
    const answer = await send(text)
    t.is(answer.status, 200)
    t.deepEqual(codesOf(answer), [{ index: 1, code }])
    t.true(answer.body.errors[0]!.error.length > 0)
    t.is(typeof answer.body.errors[0]!.publicKey, 'string')
    t.deepEqual(
      answer.body.agents.map(({ name }) => name),
      [before.name, after.name],
    )
  })
}

test('an import has 1 to 100 entries', async (t) => {
  const many = (count: number) => Array.from({ length: count }, () => entry())
  for (const agents of [[], many(101), 'text', null, {}]) {
    t.deepEqual(failureOf(await send({ agents })), { status: 400, code: 'VALIDATION_ERROR' })
  }
  t.deepEqual(failureOf(await send({})), { status: 400, code: 'VALIDATION_ERROR' })
  t.deepEqual(failureOf(await send({ agents: many(1), skipExisting: 'yes' })), {
    status: 400,
    code: 'VALIDATION_ERROR',
  })
  t.like((await send({ agents: many(100) })).body, { imported: 100, skipped: 0, errors: [] })
})

test('an import may be as large as 1 MiB', async (t) => {
  const agents = Array.from({ length: 100 }, () => entry({ description: 'x'.repeat(500), more: 'y'.repeat(5000) }))
  const answer = await send({ agents })
  t.is(answer.status, 200)
  t.is(answer.body.errors.length, 100)
})

test('an error shows only the beginning of a long public key', async (t) => {
  const { body } = await send({ agents: [entry({ publicKey: 'x'.repeat(900_000) })] })
  t.like(body.errors, [{ publicKey: `${'x'.repeat(200)}…`, code: 'INVALID_ADDRESS' }])
})

test('a deleted agent can be imported again', async (t) => {
  const one = entry()
  const { body } = await send({ agents: [one] })
  await service.client.send('DELETE', `/api/agents/${body.agents[0]!.id}`, ORGANIZATION_KEY)
  t.like((await send({ agents: [one] })).body, { imported: 1, skipped: 0 })
})

test('a public key of two agents exists until both are deleted', async (t) => {
  const publicKey = randomAddress()
  const make = async () =>
    (
      await service.client.post<{ id: string }>(
        '/api/agents',
        ORGANIZATION_KEY,
        entry({ publicKey, agentType: 'CUSTOM' }),
      )
    ).body.id
  const ids = [await make(), await make()]
  await service.client.send('DELETE', `/api/agents/${ids[1]}`, ORGANIZATION_KEY)
  t.like((await send({ agents: [entry({ publicKey })] })).body, { imported: 0, skipped: 1 })
  await service.client.send('DELETE', `/api/agents/${ids[0]}`, ORGANIZATION_KEY)
  t.like((await send({ agents: [entry({ publicKey })] })).body, { imported: 1, skipped: 0 })
})

test('two concurrent imports create each public key once, whatever the names', async (t) => {
  const keys = Array.from({ length: 20 }, () => randomAddress())
  const batch = () => ({ agents: keys.map((publicKey) => entry({ publicKey })) })
  const answers = await Promise.all([send(batch()), send(batch())])
  const sum = (field: 'imported' | 'skipped') => answers[0]!.body[field] + answers[1]!.body[field]
  t.deepEqual([sum('imported'), sum('skipped')], [20, 20])
  t.deepEqual(service.logged, [])
})
