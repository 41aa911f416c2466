// Payments that wait for a person: who may decide, what a decision does, and how each end is told from the others.
import test from 'ava'
import { OPERATOR_KEY } from '../interface/started.js'
import type { Answer } from '../service/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../service/service.js'
import { made, type Key } from '../service/setup.js'
import { HOUR_MS, NOON } from '../policies/stage.js'
import { startApprovals, type ApprovalStage } from './stage.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]
const keyOf = async (scopePreset: string): Promise<string> =>
  (await made<Key>(stage.client, '/api/api-keys', { name: scopePreset, scopePreset })).key

test.serial('a payment that needs a person is approved by one and executed then', async (t) => {
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

test.serial('the approval of a person gives five minutes', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId, expiresAt } = await stage.waiting(agent)
  t.true(Date.parse(expiresAt) - stage.now() > 23 * HOUR_MS)
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  const left = Date.parse((await stage.shown(agent, requestId)).expiresAt) - stage.now()
  t.true(left > 4.5 * 60_000 && left <= 5 * 60_000, String(left))
})

test.serial('with autoExecute the approval executes', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  const { body } = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is(body.payment.status, 'EXECUTED')
  t.is((await stage.shown(agent, requestId)).status, 'EXECUTED')
})

test.serial('an execution that fails after the approval leaves it approved and says why', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId, requestId } = await stage.waiting(agent, { autoExecute: true })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  const { status, body } = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is(status, 200)
  t.like(body, { status: 'APPROVED', payment: { status: 'APPROVED', autoExecuteError: { code: 'INVALID_STATUS' } } })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'ACTIVE' })
  t.is((await stage.execute(agent, requestId)).status, 200)
})

test.serial('a denial by a person, one by a policy and an expiry are told apart', async (t) => {
  const agent = await stage.supervised()
  const [refused, late] = [await stage.waiting(agent), await stage.waiting(agent)]
  const { body } = await stage.decide(ORGANIZATION_KEY, refused.approvalRequestId, 'DENIED', 'Too much')
  t.is(body.status, 'DENIED')
  const byPerson = await stage.shown(agent, refused.requestId)
  t.like(byPerson, { status: 'DENIED', deniedBy: 'PERSON', violations: [], approval: { status: 'DENIED' } })
  t.deepEqual(byPerson.reasons, ['Denied by First key: Too much'])
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

test.serial('the reservation holds while it waits and ends with it', async (t) => {
  const agent = await stage.supervised({ balance: 200 })
  const first = await stage.waiting(agent)
  t.like(await stage.ask(agent, 60), { status: 'DENIED', violations: [{ type: 'INSUFFICIENT_BALANCE' }] })
  await stage.decide(ORGANIZATION_KEY, first.approvalRequestId, 'DENIED')
  t.is((await stage.ask(agent, 60)).status, 'APPROVED')
})

test.serial('a settled request is not decided again, and one that is cancelled not at all', async (t) => {
  const agent = await stage.supervised()
  const [first, second] = [await stage.waiting(agent), await stage.waiting(agent)]
  await stage.decide(ORGANIZATION_KEY, first.approvalRequestId)
  for (const decision of ['APPROVED', 'DENIED']) {
    t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, first.approvalRequestId, decision)), [400, 'INVALID_STATUS'])
  }
  await stage.client.post(`/api/sdk/payments/${second.requestId}/cancel`, agent.key)
  t.deepEqual(codeOf(await stage.decide(ORGANIZATION_KEY, second.approvalRequestId)), [400, 'INVALID_STATUS'])
  t.is((await stage.request(second.approvalRequestId)).status, 'EXPIRED')
})

test.serial('keys without the scope, agents and people without the role do not decide; owners and admins do', async (t) => {
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

test.serial("another organization's request does not exist", async (t) => {
  const { apiKey } = await made<{ apiKey: string }>(stage.client, '/api/organizations', { name: 'Other' }, OPERATOR_KEY)
  const { approvalRequestId: id } = await stage.waiting(await stage.supervised())
  t.deepEqual(codeOf(await stage.decide(apiKey, id)), [404, 'NOT_FOUND'])
  t.deepEqual(codeOf(await stage.client.get(`/api/approval-requests/${id}`, apiKey)), [404, 'NOT_FOUND'])
})

test.serial('of 50 decisions at once one counts', async (t) => {
  const agent = await stage.supervised()
  const { approvalRequestId: id, requestId } = await stage.waiting(agent)
  const keys = [ORGANIZATION_KEY, (await stage.person()).cookie, (await stage.person()).cookie]
  const decisions = Array.from({ length: 50 }, (_, at) => {
    return stage.decide(keys[at % keys.length]!, id, at % 2 === 0 ? 'APPROVED' : 'DENIED')
  })
  const answers = await Promise.all(decisions)
  t.is(answers.filter(({ status }) => status === 200).length, 1)
  t.true(answers.filter(({ status }) => status !== 200).every(({ status, body }) => status === 400 && body.code === 'INVALID_STATUS'))
  t.is((await stage.request(id)).decisions.length, 1)
  const entries = await stage.must<{ entries: { action: string }[] }>('GET', `/api/audit-logs?resourceId=${requestId}`)
  t.is(entries.entries.filter(({ action }) => /approve|deny/.test(action)).length, 1)
})

test.serial('requests are listed by status, each in one list', async (t) => {
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
