// Receipts: their contents, that they can be verified without the service, and that no value in them can be changed.
import { writeFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { verifyEd25519 } from '../../../src/config/ed25519.js'
import { receiptFaults } from '../../../src/commands/audit/receiptCheck.js'
import type { Receipt } from '../../../src/commands/audit/receiptParts.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { executePayment } from '../../../src/commands/payments/payments.js'
import { makeReceipt } from '../../../src/commands/audit/receipts.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { createRules } from '../../../src/commands/rules.js'
import { readVerifierKey } from '../../../src/domain/audit/checkpoint.js'
import { surroundings } from '../../support/commandContext.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, EVERY_DAY, execute, fundedAgent, made, type FundedAgent } from '../../support/payments.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { populate } from '../../support/population.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { CheckpointKey, PolicyList } from '../../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
const rules = createRules({ cacheSize: 10, isChecked: () => true, onDifference: () => {} })
let service: Started
let buyer: FundedAgent
let trusted: string

const RULES = [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 },
  { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 5000 },
  { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '08:00', end: '20:00', timezone: 'Europe/Berlin' } },
  { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 },
]

test.before('there is a policy', async () => {
  service = await start(scope, { at: NOON })
  buyer = await fundedAgent(service.client)
  const fields = { name: 'Spending', policyType: 'SPEND_LIMIT', scope: 'organization', rules: RULES }
  await made(service.client, '/api/policies', fields)
  const key = await service.client.get<CheckpointKey>('/api/audit-logs/public-key', ORGANIZATION_KEY)
  trusted = key.body.verifierKey
})

async function receiptOf(requestId: string): Promise<Receipt> {
  const { status, body } = await service.client.get<Receipt>(`/api/payments/${requestId}/receipt`, ORGANIZATION_KEY)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const asked = async (amount: number, more = {}): Promise<string> =>
  (await ask(service.client, buyer.key, amount, { purpose: 'Bücher ☃', category: 'BOOKS', ...more })).body.requestId
const faults = (receipt: unknown): Promise<string[]> =>
  receiptFaults({ verify: verifyEd25519, rules, key: readVerifierKey(trusted) }, receipt)

const ENDS: [what: string, status: string, entries: number, make: () => Promise<string>][] = [
  ['approved', 'APPROVED', 1, () => asked(10)],
  ['executed at once', 'EXECUTED', 1, () => asked(11, { autoExecute: true })],
  ['denied by a policy', 'DENIED', 1, () => asked(500)],
  ['denied by the delegation', 'DENIED', 1, () => asked(2_000_000)],
  ['waiting for a person', 'REQUIRES_APPROVAL', 1, () => asked(150)],
  [
    'executed',
    'EXECUTED',
    2,
    async () => {
      const id = await asked(12.5)
      await execute(service.client, buyer.key, id)
      return id
    },
  ],
  [
    'cancelled',
    'CANCELLED',
    2,
    async () => {
      const id = await asked(13)
      await service.client.post(`/api/sdk/payments/${id}/cancel`, buyer.key)
      return id
    },
  ],
]

for (const [what, status, entries, make] of ENDS) {
  test.serial(`the receipt of a payment that is ${what} verifies`, async (t) => {
    const id = await make()
    const receipt = await receiptOf(id)
    t.like(receipt, { format: 'bursar-receipt/1', requestId: id, outcome: { status } })
    t.is(receipt.approvals.length, status === 'REQUIRES_APPROVAL' ? 1 : 0)
    t.is(receipt.auditEntries.length, entries)
    t.is(receipt.settlement === null, status !== 'EXECUTED')
    t.is(receipt.policies.length, 1)
    t.deepEqual(await faults(receipt), [])
  })
}

test.serial('the receipt of a payment with a failed attempt and a review under a new policy verifies', async (t) => {
  const { client } = service
  const id = await asked(14)
  await client.post(`/api/agents/${buyer.agentId}/freeze`, ORGANIZATION_KEY, { reason: 'Look' })
  t.is((await execute(client, buyer.key, id)).status, 400)
  await client.post(`/api/agents/${buyer.agentId}/unfreeze`, ORGANIZATION_KEY)
  const [policy] = (await client.get<PolicyList>('/api/policies', ORGANIZATION_KEY)).body.policies
  const more = [...RULES, { ruleType: 'WEEKLY_LIMIT', operator: 'LTE', value: 9000 }]
  t.is((await client.send('PUT', `/api/policies/${policy!.id}/rules`, ORGANIZATION_KEY, { rules: more })).status, 200)
  t.is((await execute(client, buyer.key, id)).status, 200)
  const receipt = await receiptOf(id)
  t.is(receipt.auditEntries.length, 3)
  t.is(receipt.policies[0]!.version, 2)
  t.like(receipt, { outcome: { status: 'EXECUTED' } })
  t.deepEqual(await faults(receipt), [])
  const withGap = { ...receipt, auditEntries: receipt.auditEntries.toSpliced(1, 1) }
  t.regex((await faults(withGap)).join(), /some are missing/)
})

/** An agent that may spend, and what it asks for. */
async function payer(t: ExecutionContext) {
  const { services, ...bare } = openBare(t)
  const { agent, wallet, delegate, admin } = await newOrganization({ services, ...bare })
  const { id, caller } = await agent()
  await delegate(id, await wallet(1000), { delegationType: 'FULL', allowedDays: EVERY_DAY as never })
  const recipientAddress = addressOf(randomAddress())
  const wanted = { amount: 1, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
  return { services, admin, caller, wanted }
}

test('a receipt lets other work in between after each of its proofs', async (t) => {
  const { services, caller, wanted } = await payer(t)
  const payment = String(done(await requestPayment(services, caller, wanted)).payment.context['id'])
  done(await executePayment(services, caller, payment))
  let pauses = 0
  const breathe = async (): Promise<void> => void (pauses += 1)
  const receipt = done(await makeReceipt({ ...services, breathe }, caller, payment))
  t.deepEqual([receipt.auditEntries.length, pauses], [2, 2])
})

/** The receipt of a payment that was denied because the evaluation of its policies failed. */
async function receiptOfError(t: ExecutionContext): Promise<{ receipt: Receipt; key: string }> {
  const { services, admin, caller, wanted } = await payer(t)
  const policy = {
    name: 'Policy',
    policyType: 'SPEND_LIMIT',
    scope: 'organization',
    priority: 50,
    isActive: true,
  } as const
  const limit = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100, action: 'ALLOW' }]
  done(await createPolicy(services, admin, { ...policy, rules: limit as never, agentIds: [] }))
  const differing = createRules({
    cacheSize: 1,
    isChecked: () => true,
    onDifference: () => {},
    referenceOf: (all) => async () => new Set(all.map(({ name }) => name)),
  })
  const actor = done(await requestPayment({ ...services, rules: differing }, caller, wanted))
  const receipt = done(await makeReceipt(services, caller, String(actor.payment.context['id'])))
  return { receipt, key: receipt.verifierKey }
}

test('the receipt of a payment that an evaluation error denied verifies, and says that it is not decided again', async (t) => {
  const { receipt, key } = await receiptOfError(t)
  t.like(receipt, { outcome: { status: 'DENIED', causes: [{ type: 'POLICY_ERROR' }] } })
  t.is(receipt.policies.length, 1)
  const ports = { verify: verifyEd25519, rules, key: readVerifierKey(key) }
  t.deepEqual(await receiptFaults(ports, receipt), [])
  for (const path of paths(receipt)) {
    const name = path.join('.')
    if (/^policies\.\d+\.rules\.\d+\.id$/.test(name)) continue
    t.true((await receiptFaults(ports, changed(receipt, path))).length > 0, name)
  }
  const file = newFolder(t)
  writeFileSync(file, JSON.stringify(receipt))
  const { said, ...around } = surroundings()
  t.is(await runCommand(['receipt', 'verify', file, '--key', key], around), 0)
  t.regex(said.join('\n'), /DENIED\nnot re-evaluated: an evaluation error denied it, which cannot be re-evaluated$/)
})

async function approved(amount: number): Promise<string> {
  const { body } = await ask(service.client, buyer.key, amount)
  const { approvalRequestId } = body as unknown as { approvalRequestId: string }
  const path = `/api/approval-requests/${approvalRequestId}/decision`
  await made(service.client, path, { decision: 'APPROVED', comment: 'Ordered by me' })
  return body.requestId
}

test.serial('a receipt proves who approved, and their comment', async (t) => {
  const receipt = await receiptOf(await approved(160))
  t.like(receipt, { outcome: { status: 'APPROVED' } })
  t.like(receipt.approvals, [{ status: 'APPROVED', decisions: [{ decision: 'APPROVED', comment: 'Ordered by me' }] }])
  t.deepEqual(await faults(receipt), [])
  t.deepEqual(await faults({ ...receipt, approvals: [] }), ['its audit entries do not confirm its approvals'])
  for (const path of paths(receipt.approvals)) {
    const name = ['approvals', ...path]
    t.true((await faults(changed(receipt, name))).length > 0, name.join('.'))
  }
})

test.serial('a receipt of another organization does not verify with a pinned key', async (t) => {
  const other = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  const { ids, key } = await populate(service.client, other.body.apiKey)
  const { body } = await service.client.get<Receipt>(`/api/payments/${ids['paymentId']}/receipt`, key)
  t.true((await faults(body)).length > 0)
  const [ours, own] = [readVerifierKey(trusted)!, readVerifierKey(body.verifierKey)!]
  const renamed = body.checkpoint.replace(/— (\S+) (\S+)\n$/, (_, name: string, signature: string) => {
    t.is(name, own.name)
    const bytes = Buffer.from(signature, 'base64')
    Buffer.from(trusted.split('+')[1]!, 'hex').copy(bytes)
    return `— ${ours.name} ${bytes.toString('base64')}\n`
  })
  const forged = { ...body, checkpoint: renamed, verifierKey: trusted }
  t.deepEqual(await faults(forged), ['its checkpoint is not signed by the key'])
})

/** The path of every value in it. */
function paths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))
}

function changed(receipt: Receipt, path: string[]): unknown {
  const copy = structuredClone(receipt) as unknown as { [name: string | number]: unknown }
  let place = copy
  for (const name of path.slice(0, -1)) place = place[name] as typeof place
  const last = path.at(-1)!
  const value = place[last]
  place[last] = typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}0` : !value
  return copy
}

test.serial('a receipt with any value changed does not verify', async (t) => {
  const id = await asked(15)
  await execute(service.client, buyer.key, id)
  const receipt = await receiptOf(id)
  const all = paths(receipt)
  t.true(all.length > 150)
  for (const path of all) {
    const name = path.join('.')
    // The id of a rule without a violation is in no hash.
    if (/^policies\.\d+\.rules\.\d+\.id$/.test(name)) continue
    t.true((await faults(changed(receipt, path))).length > 0, name)
  }
})

test.serial('a receipt does not verify with content that its entries do not support', async (t) => {
  const receipt = await receiptOf(await asked(16))
  const other = await receiptOf(await asked(500))
  t.true((await faults({ ...receipt, paid: true })).length > 0)
  t.true((await faults({ ...receipt, approvals: [{ by: 'me' }] })).length > 0)
  t.true((await faults({ ...receipt, organization: { ...receipt.organization, name: 'Mine' } })).length > 0)
  t.true((await faults({ ...receipt, auditEntries: other.auditEntries })).length > 0)
  t.true((await faults({ ...receipt, auditEntries: [] })).length > 0)
  t.true((await faults({ ...receipt, policies: [] })).length > 0)
  for (const nothing of [null, 1, 'x', [], {}, { format: 'bursar-receipt/1' }]) {
    t.true((await faults(nothing)).length > 0)
  }
})

test.serial('receipt verify prints what a receipt proves, or why it is broken', async (t) => {
  const file = newFolder(t)
  const receipt = await receiptOf(await asked(17))
  const { said, ...around } = surroundings()
  const run = (content: unknown, ...more: string[]): Promise<number> => {
    said.length = 0
    writeFileSync(file, JSON.stringify(content, null, 2))
    return runCommand(['receipt', 'verify', file, ...more], around)
  }
  t.is(await run(receipt, '--key', trusted), 0)
  t.regex(said.join('\n'), /^valid: payment \w+ of 17 USDC, APPROVED\nre-evaluated: APPROVED, same as the decision$/)
  t.is(await run(receipt), 0)
  t.regex(said.join('\n'), /the receipt's own key/)
  t.is(await run({ ...receipt, request: { ...receipt.request, amount: 18 } }), 1)
  t.deepEqual(said, ['BROKEN: its audit entries do not confirm its request'])
  t.is(await run(receipt, '--json'), 0)
  t.like(JSON.parse(said.join('\n')), { valid: true, requestId: receipt.requestId, isKeyGiven: false })
  writeFileSync(file, JSON.stringify(receipt).replace('{', '{"outcome":{"status":"EXECUTED"},'))
  t.is(await runCommand(['receipt', 'verify', file, '--key', trusted], around), 1)
  await t.throwsAsync(runCommand(['receipt', 'verify', `${file}.missing`], around))
})

test.serial('an unknown payment has no receipt', async (t) => {
  const { status } = await service.client.get('/api/payments/cmissing/receipt', ORGANIZATION_KEY)
  t.is(status, 404)
})

test.serial('the receipt of a payment that escalated and then expired verifies at each stage', async (t) => {
  const HOUR_MS = 3_600_000
  const { client } = service
  const workflows = [
    { priority: 9, timeoutHours: 1, onTimeout: 'ESCALATE' },
    { priority: 8, timeoutHours: 1 },
  ]
  for (const fields of workflows) await made(client, '/api/approval-workflows', { name: 'Workflow', ...fields })
  const id = await asked(170)
  for (const [hours, status, action] of [
    [1.5, 'REQUIRES_APPROVAL', 'escalate'],
    [3, 'EXPIRED', 'expire'],
  ] as const) {
    service.setClock(NOON + hours * HOUR_MS)
    const receipt = await receiptOf(id)
    t.like(receipt, { outcome: { status } })
    t.is(receipt.auditEntries.at(-1)!.entry.action, `payment.${action}`)
    t.deepEqual(await faults(receipt), [])
  }
})
