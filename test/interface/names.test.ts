// Names on every route that takes one: what is refused, what is the same name, and that a name is kept as it was given.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { fundedAgent } from '../support/payments.js'
import type { Failure } from '../support/client.js'
import { randomAddress } from '../support/commands.js'
import { OPERATOR_KEY, start, type Started } from '../support/service.js'
import type { CounterpartyImport } from '../../sdk/api.js'

const scope = wholeFile(test)
let service: Started
let agent: { key: string; agentId: string }

test.before('the service runs', async () => {
  service = await start(scope)
  agent = await fundedAgent(service.client)
})

interface Route {
  path: string
  key?: () => string
  method?: string
  body: (name: string) => object
  code?: string
}

const VALIDATION = 'VALIDATION_ERROR'
const INPUT = 'INVALID_INPUT'
const sdk = () => agent.key

const ROUTES: Route[] = [
  { path: '/api/agents', body: (name) => ({ name, agentType: 'CUSTOM' }) },
  { path: '/api/agents/{agentId}', method: 'PATCH', body: (name) => ({ name }) },
  { path: '/api/agents/{agentId}/sdk-keys', body: (name) => ({ name }) },
  { path: '/api/wallets', body: (name) => ({ name, custodyType: 'MANAGED' }) },
  { path: '/api/policies', body: (name) => ({ name, policyType: 'SPEND_LIMIT' }) },
  { path: '/api/api-keys', body: (name) => ({ name, scopePreset: 'READ_ONLY' }) },
  { path: '/api/members', body: (name) => ({ name, email: 'someone@example.com', role: 'VIEWER' }) },
  { path: '/api/organization', method: 'PATCH', body: (name) => ({ name }) },
  { path: '/api/organizations', key: () => OPERATOR_KEY, body: (name) => ({ name }) },
  { path: '/api/approval-workflows', body: (name) => ({ name, conditions: {}, requiredApprovals: 1 }) },
  { path: '/api/counterparties', body: (name) => ({ name, address: randomAddress() }), code: INPUT },
  { path: '/api/sdk/counterparties', key: sdk, body: (name) => ({ name, address: randomAddress() }), code: INPUT },
  {
    path: '/api/sdk/payments/request',
    key: sdk,
    body: (recipientName) => ({ amount: 1, recipientAddress: randomAddress(), recipientName }),
  },
]

const send = ({ path, method = 'POST', key = () => ORGANIZATION_KEY, body }: Route, name: string) =>
  service.client.send<Failure>(method, path.replace('{agentId}', agent.agentId), key(), body(name))

for (const route of ROUTES) {
  test(`${route.method ?? 'POST'} ${route.path} refuses names that read as others, and no other`, async (t) => {
    for (const name of ['Paper\u202e.dtL', '\u200f', 'a\u2066b', ' ', '\u00a0\u2003', 'a\u0000']) {
      const { status, body } = await send(route, name)
      t.deepEqual([status, body.code], [400, route.code ?? VALIDATION], JSON.stringify(name))
    }
    const { status, body } = await send(route, ` Ünï “quoted” <b>עברית</b> ${route.method ?? ''} `)
    t.true(status < 300, JSON.stringify(body))
  })
}

test('imports refuse such a name for its entry alone', async (t) => {
  const counterparties = ['Good', 'B\u202ead'].map((name) => ({ name, address: randomAddress() }))
  const { body } = await service.client.post<CounterpartyImport>('/api/counterparties/import', ORGANIZATION_KEY, {
    counterparties,
  })
  t.is(body.imported, 1)
  t.deepEqual(
    body.errors.map(({ index, code }) => [index, code]),
    [[1, INPUT]],
  )
})

test('names of agents are compared trimmed, and kept as they were given', async (t) => {
  const create = (name: string) =>
    service.client.post<{ id: string; name: string } & Failure>('/api/agents', ORGANIZATION_KEY, {
      name,
      agentType: 'CUSTOM',
    })
  const { body } = await create(' Trimmed ')
  t.is(body.name, ' Trimmed ')
  for (const name of ['Trimmed', 'Trimmed\u00a0']) t.is((await create(name)).body.code, 'ALREADY_EXISTS', name)
  t.is((await create('Tr immed')).status, 201)
  const renamed = await service.client.send<{ name: string }>('PATCH', `/api/agents/${body.id}`, ORGANIZATION_KEY, {
    name: 'Trimmed',
  })
  t.deepEqual([renamed.status, renamed.body.name], [200, 'Trimmed'], 'it is its own name')
})

test('other text may have them', async (t) => {
  const asked = { amount: 1, recipientAddress: randomAddress(), purpose: 'a\u202eb' }
  t.is((await service.client.post('/api/sdk/payments/request', agent.key, asked)).status, 200)
})
