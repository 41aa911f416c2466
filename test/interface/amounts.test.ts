// Amounts as they are written in the text of a body: each digit counts, even those that a double would lose.
import test from 'ava'
import type { Answer, Failure } from '../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { randomAddress } from '../support/commands.js'
import { populate, type Population } from '../support/population.js'
import { start, type Started } from '../support/service.js'

const scope = wholeFile(test)
let service: Started
let mine: Population

test.before('the service starts', async () => {
  service = await start(scope)
  mine = await populate(service.client, ORGANIZATION_KEY)
})

type Paid = Failure & { amount: number; status: string; requestId: string; balance: number }

/** Where amounts are sent, as the text of a body. */
const PLACES: { [place: string]: (written: string) => Promise<Answer<Paid>> } = {
  request: (written) => send('POST', '/api/sdk/payments/request', mine.agentKey, payment(written)),
  fund: (written) =>
    send('POST', `/api/wallets/${mine.ids['walletId']}/fund`, ORGANIZATION_KEY, `{"amount":${written}}`),
  evaluate: (written) => {
    const body = `{"agentId":"${mine.ids['agentId']}","payment":${payment(written)}}`
    return send('POST', '/api/policies/evaluate', ORGANIZATION_KEY, body)
  },
}

const send = (method: string, path: string, key: string, body: string) =>
  service.client.send<Paid>(method, path, key, body)
const payment = (amount: string, more = ''): string =>
  `{"amount":${amount},"recipientAddress":"${randomAddress()}"${more}}`

const ROUNDED = [
  '1.000000000000000001',
  '0.9999999999999999999',
  '100000000000000000001e-20',
  '0.10000000000000001',
  '999999999.99999900000000001',
  '1e-400',
  '1e400',
]
const EXACT: [written: string, amount: number][] = [
  ['1.0000000', 1],
  ['1e0', 1],
  ['0.1', 0.1],
  ['0.10000000000000000000', 0.1],
  ['1000000000000000000000e-21', 1],
  ['"1.25"', 1.25],
]

for (const [place, ask] of Object.entries(PLACES)) {
  test(`the amount of ${place} is never rounded`, async (t) => {
    for (const written of ROUNDED) {
      const { status, body } = await ask(written)
      t.deepEqual([status, body.code], [400, 'INVALID_AMOUNT'], written)
    }
    for (const [written] of EXACT) t.true((await ask(written)).status < 300, written)
  })
}

test('an exact amount is returned as written', async (t) => {
  for (const [written, amount] of EXACT) t.is((await PLACES['request']!(written)).body.amount, amount, written)
})

test('limits and rules are not rounded either, even if a rule is text', async (t) => {
  const { agentId, policyId } = mine.ids
  const { body: wallet } = await service.client.post<{ id: string }>('/api/wallets', ORGANIZATION_KEY, {
    name: 'Other',
    custodyType: 'MANAGED',
  })
  for (const written of ['100.000000000000000001', '1e-400']) {
    const terms = `{"walletId":"${wallet.id}","spendLimitDaily":${written}}`
    const limit = await send('POST', `/api/agents/${agentId}/wallets`, ORGANIZATION_KEY, terms)
    t.deepEqual([limit.status, limit.body.code], [400, 'INVALID_AMOUNT'], written)
    for (const value of [written, `"${written}"`, `{"amount":${written},"period":"DAILY"}`]) {
      const isBudget = value.startsWith('{')
      const rule = { ruleType: isBudget ? 'BUDGET_CAP' : 'MAX_AMOUNT', operator: 'LTE' }
      for (const text of isBudget ? [value, JSON.stringify(value)] : [value]) {
        const body = JSON.stringify(rule).replace('}', `,"value":${text}}`)
        const said = await send('POST', `/api/policies/${policyId}/rules`, ORGANIZATION_KEY, body)
        t.deepEqual([said.status, said.body.code], [400, 'INVALID_AMOUNT'], body)
      }
    }
  }
})

test('inexact numbers keep their digits in free JSON, and are refused elsewhere', async (t) => {
  const context = '{"nanoseconds":1763800000123456789,"share":0.1,"list":[1.00,12345678901234567890]}'
  const asked = await send('POST', '/api/sdk/payments/request', mine.agentKey, payment('1', `,"context":${context}`))
  const path = `/api/payments/${asked.body.requestId}`
  const { body } = await service.client.get<{ context: unknown }>(path, ORGANIZATION_KEY)
  t.deepEqual(body.context, { nanoseconds: '1763800000123456789', share: 0.1, list: [1, '12345678901234567890'] })
  const key = '{"name":"Key","scopePreset":"READ_ONLY","expiresInDays":1.0000000000000000001}'
  const refused = await send('POST', '/api/api-keys', ORGANIZATION_KEY, key)
  t.deepEqual([refused.status, refused.body.code], [400, 'VALIDATION_ERROR'])
})

test('a repeated key with a slightly different amount is a conflict', async (t) => {
  const recipient = randomAddress()
  const path = '/api/sdk/payments/request'
  const ask = (amount: string) =>
    send('POST', path, mine.agentKey, `{"amount":${amount},"recipientAddress":"${recipient}","idempotencyKey":"near"}`)
  t.is((await ask('1')).status, 200)
  t.is((await ask('1.0')).status, 200)
  t.is((await ask('1.000000000000000001')).body.code, 'IDEMPOTENCY_CONFLICT')
})
