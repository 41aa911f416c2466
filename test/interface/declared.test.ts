// Every error that a test is answered is one that the description declares: the client of all tests checks that.
import test from 'ava'
import { checkDeclared } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { start, type Started } from '../support/service.js'

const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

type Row = [method: string, path: string, status: number, code: string, isDeclared: boolean]

const ROWS: Row[] = [
  ['GET', '/api/agents/c1', 404, 'NOT_FOUND', true],
  ['GET', '/api/agents/c1', 404, 'ALREADY_EXISTS', false],
  ['GET', '/api/agents/c1', 410, 'NOT_FOUND', false],
  ['GET', '/api/agents/c1?x=1', 400, 'VALIDATION_ERROR', true],
  ['POST', '/api/agents/bulk-import', 409, 'VERSION_CONFLICT', false],
  ['GET', '/api/counterparties/lookup', 400, 'INVALID_ADDRESS', true],
  ['GET', '/api/counterparties/c1', 400, 'INVALID_ADDRESS', false],
  ['GET', '/api/agents/c1', 200, 'ANYTHING', true],
  ['GET', '/nowhere', 404, 'NOT_FOUND', true],
]

for (const [method, path, status, code, isDeclared] of ROWS) {
  test(`${method} ${path} ${isDeclared ? 'may' : 'may not'} answer ${status} ${code}`, async (t) => {
    const checked = checkDeclared(new URL(path, service.url), method, status, code)
    if (isDeclared) await t.notThrowsAsync(checked)
    else await t.throwsAsync(checked, { message: /does not declare/ })
  })
}

test('an agent that is not ACTIVE is declared to name no counterparties', async (t) => {
  const { agentId, key } = await fundedAgent(service.client)
  await service.client.send('PATCH', `/api/agents/${agentId}`, ORGANIZATION_KEY, { status: 'PAUSED' })
  const named = await service.client.post('/api/sdk/counterparties', key, { name: 'Cloud', address: RECIPIENT })
  t.deepEqual([named.status, named.body.code], [400, 'INVALID_STATUS'])
})
