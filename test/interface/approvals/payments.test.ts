// Payments that wait for a person: who may decide, what a decision does, and how the outcomes differ.
import test from 'ava'
import { OPERATOR_KEY } from '../../support/service.js'
import type { Answer } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { made, type Key } from '../../support/payments.js'
import { HOUR_MS, NOON } from '../../support/policies.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type { AuditEntryList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]
const keyOf = async (scopePreset: string): Promise<string> =>
  (await made<Key>(stage.client, '/api/api-keys', { name: scopePreset, scopePreset })).key

test.serial('a payment that needs a person can be executed once one approves it', async (t) => {
  const agent = await stage.supervised()
  const asked = await stage.waiting(agent)
  t.is(asked.status, 'REQUIRES_APPROVAL')
  t.deepEqual(asked.reasons, (await stage.request(asked.approvalRequestId)).reasons)
  t.regex(asked.reasons.join(), /above 100/)
  t.deepEqual(asked.approval, { id: asked.approvalRequestId, status: 'PENDING' })
  const early = await stage.execute(agent, asked.requestId)
  t.deepEqual(codeOf(early), [400, 'INVALID_STATUS'])
  t.is((early.body as { approvalRequestId?: string }).approvalRequestId, asked.approvalRequestId)
  const { status, body } = await stage.decide(ORGANIZATION_KEY, asked.approvalRequestId, 'APPROVED', 'Fine')
  t.is(status, 200)
  t.like(body, { status: 'APPROVED', kind: 'PAYMENT', paymentRequestId: asked.requestId, requiredApprovals: 1 })
  t.like(body.decisions[0], { decision: 'APPROVED', comment: 'Fine', by: { type: 'ORGANIZATION_KEY' } })
  t.regex(body.contentHash, /^[0-9a-f]{64}$/)
  t.deepEqual(body.requestedBy, { type: 'AGENT', id: agent.agentId })
  t.is(body.payment.status, 'APPROVED')
  t.is((await stage.execute(agent, asked.requestId)).status, 200)
  t.like(await stage.request(asked.approvalRequestId), { status: 'APPROVED', payment: { status: 'EXECUTED' } })
})

test.serial("a person's approval leaves five minutes to execute", async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId, expiresAt } = await stage.waiting(agent)
  t.true(Date.parse(expiresAt) - stage.now() > 23 * HOUR_MS)
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  const left = Date.parse((await stage.shown(agent, requestId)).expiresAt) - stage.now()
  t.true(left > 4.5 * 60_000 && left <= 5 * 60_000, String(left))
})

test.serial('with autoExecute the approval executes the payment', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  const { body } = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is(body.payment.status, 'EXECUTED')
  t.is((await stage.shown(agent, requestId)).status, 'EXECUTED')
})

test.serial('an autoExecute that fails after the approval leaves the payment approved and says why', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  const { status, body } = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is(status, 200)
  const failed = { code: 'INVALID_STATUS', error: 'The agent is PAUSED' }
  t.like(body, { status: 'APPROVED', payment: { status: 'APPROVED', autoExecuteError: failed } })
  t.like((await stage.execute(agent, requestId)).body, failed)
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'ACTIVE' })
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test.serial('autoExecuteError does not name the cause of a later execution that had another code', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'ACTIVE' })
  await stage.must('PATCH', `/api/agents/${agent.agentId}/wallets/${agent.walletId}`, { spendLimitPerTx: 1 })
  t.like((await stage.execute(agent, requestId)).body, { code: 'LIMIT_EXCEEDED' })
  const { autoExecuteError, reasons } = await stage.shown(agent, requestId)
  t.like(autoExecuteError, { code: 'INVALID_STATUS' })
  t.false(reasons.includes(autoExecuteError!.error))
})

test.serial('a denial by a person, a denial by a policy and an expiry are distinguishable', async (t) => {
  const agent = await stage.supervised()
  const [refused, late] = [await stage.waiting(agent), await stage.waiting(agent)]
  const { body } = await stage.decide(ORGANIZATION_KEY, refused.approvalRequestId, 'DENIED', 'Too much')
  t.is(body.status, 'DENIED')
  const byPerson = await stage.shown(agent, refused.requestId)
  t.like(byPerson, { status: 'DENIED', deniedBy: 'PERSON', violations: [], approval: { status: 'DENIED' } })
  t.deepEqual(byPerson.reasons, ['Denied by First key: Too much'])
  const other = await stage.waiting(agent)
  await stage.decide((await stage.person('ADMIN')).cookie, other.approvalRequestId, 'DENIED', 'Too much')
  t.deepEqual((await stage.shown(agent, other.requestId)).reasons, ['Denied by a person: Too much'])
  const byPolicy = await stage.ask(agent, 2_000_000)
  t.like(byPolicy, { status: 'DENIED', deniedBy: 'POLICY' })
  t.true(byPolicy.violations!.length > 0)
  stage.setClock(NOON + 25 * HOUR_MS)
  const expired = await stage.shown(agent, late.requestId)
  t.like(expired, { status: 'EXPIRED', approval: { status: 'EXPIRED' }, reasons: [] })
  t.is(expired.deniedBy, undefined)
  t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, late.approvalRequestId)), [400, 'INVALID_STATUS'])
  t.deepEqual(codeOf(await stage.execute(agent, late.requestId)), [400, 'EXPIRED'])
  stage.setClock(NOON)
})

test.serial('a waiting payment holds its reservation until it is denied', async (t) => {
  const agent = await stage.supervised({ balance: 200 })
  const first = await stage.waiting(agent)
  t.like(await stage.ask(agent, 60), { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }] })
  await stage.decide(ORGANIZATION_KEY, first.approvalRequestId, 'DENIED')
  t.is((await stage.ask(agent, 60)).status, 'APPROVED')
})

test.serial('a request that was decided or cancelled cannot be decided', async (t) => {
  const agent = await stage.supervised()
  const [first, second] = [await stage.waiting(agent), await stage.waiting(agent)]
  await stage.decide(ORGANIZATION_KEY, first.approvalRequestId)
  for (const decision of ['APPROVED', 'DENIED']) {
    t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, first.approvalRequestId, decision)), [
      400,
      'INVALID_STATUS',
    ])
  }
  await stage.client.post(`/api/sdk/payments/${second.requestId}/cancel`, agent.key)
  t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, second.approvalRequestId)), [400, 'INVALID_STATUS'])
  t.is((await stage.request(second.approvalRequestId)).status, 'EXPIRED')
})

test.serial('only owners, admins and keys with the scope may decide', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId: id } = await stage.waiting(agent)
  t.deepEqual(codeOf(await stage.decide(agent.key, id)), [401, 'AUTH_FAILED'])
  for (const preset of ['READ_ONLY', 'STANDARD']) {
    t.deepEqual(codeOf(await stage.decide(await keyOf(preset), id)), [403, 'INSUFFICIENT_SCOPE'], preset)
  }
  for (const role of ['VIEWER', 'MANAGER'] as const) {
    t.deepEqual(codeOf(await stage.decide((await stage.person(role)).cookie, id)), [403, 'INSUFFICIENT_SCOPE'], role)
  }
  const owner = await stage.person('OWNER')
  const decided = await stage.decide(owner.cookie, id)
  t.is(decided.status, 200)
  t.like(decided.body.decisions[0]!.by, { type: 'PERSON', id: owner.id })
  const { approvalRequestId } = await stage.waiting(agent)
  t.is((await stage.decide((await stage.person('ADMIN')).cookie, approvalRequestId)).status, 200)
})

test.serial("another organization's approval request is not found", async (t) => {
  const { apiKey } = await made<{ apiKey: string }>(stage.client, '/api/organizations', { name: 'Other' }, OPERATOR_KEY)
  const { approvalRequestId: id } = await stage.waiting(await stage.supervised())
  t.deepEqual(codeOf(await stage.decide(apiKey, id)), [404, 'NOT_FOUND'])
  t.deepEqual(codeOf(await stage.client.get(`/api/approval-requests/${id}`, apiKey)), [404, 'NOT_FOUND'])
})

test.serial('of 50 concurrent decisions exactly one takes effect', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId: id, requestId } = await stage.waiting(agent)
  const keys = [ORGANIZATION_KEY, (await stage.person()).cookie, (await stage.person()).cookie]
  const decisions = Array.from({ length: 50 }, (_, at) => {
    return stage.decide(keys[at % keys.length]!, id, at % 2 === 0 ? 'APPROVED' : 'DENIED')
  })
  const answers = await Promise.all(decisions)
  t.is(answers.filter(({ status }) => status === 200).length, 1)
  t.true(
    answers
      .filter(({ status }) => status !== 200)
      .every(({ status, body }) => status === 400 && body.code === 'INVALID_STATUS'),
  )
  t.is((await stage.request(id)).decisions.length, 1)
  const entries = await stage.must<AuditEntryList>('GET', `/api/audit-logs?resourceId=${requestId}`)
  t.is(entries.entries.filter(({ action }) => /approve|deny/.test(action)).length, 1)
})

test.serial('each approval request is listed under its current status only', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId: id } = await stage.waiting(agent)
  const listedIn = async (): Promise<string[]> => {
    const all = await Promise.all(['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'].map((status) => stage.requests(status)))
    return all.flatMap((requests) => requests.filter((one) => one.id === id).map(({ status }) => status))
  }
  t.deepEqual(await listedIn(), ['PENDING'])
  t.is((await stage.requests())[0]!.id, id)
  await stage.decide(ORGANIZATION_KEY, id, 'DENIED')
  t.deepEqual(await listedIn(), ['DENIED'])
})

test.serial('requests and decisions survive a restart', async (t) => {
  const agent = await stage.supervised()
  const [open, done] = [await stage.waiting(agent), await stage.waiting(agent)]
  await stage.decide(ORGANIZATION_KEY, done.approvalRequestId)
  const before = [await stage.request(open.approvalRequestId), await stage.request(done.approvalRequestId)]
  await stage.restart()
  t.deepEqual([await stage.request(open.approvalRequestId), await stage.request(done.approvalRequestId)], before)
  t.is((await stage.decide(ORGANIZATION_KEY, open.approvalRequestId)).status, 200)
  t.is((await stage.execute(agent, open.requestId)).status, 200)
  t.deepEqual(stage.logged, [])
})
