// Approval workflows: their conditions and priority, quorums, named approvers, and timeouts.
import test from 'ava'
import { verifyEd25519 } from '../../../src/config/ed25519.js'
import { receiptFaults } from '../../../src/commands/audit/receiptCheck.js'
import type { Receipt } from '../../../src/commands/audit/receiptParts.js'
import { createRules } from '../../../src/commands/rules.js'
import { readVerifierKey } from '../../../src/domain/audit/checkpoint.js'
import type { Answer } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { HOUR_MS, NOON } from '../../support/policies.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type { ApprovalWorkflowList, AuditEntry, AuditEntryList } from '../../../sdk/api.js'

const scope = wholeFile(test)
const rules = createRules({ cacheSize: 10, isChecked: () => true, onDifference: () => {} })
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
test.afterEach.always('each test has its own workflows', async () => {
  stage.setClock(NOON)
  const { workflows } = await stage.must<ApprovalWorkflowList>('GET', '/api/approval-workflows?limit=100')
  for (const { id } of workflows) await stage.must('DELETE', `/api/approval-workflows/${id}`)
})

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]

test.serial('the matching workflow with the highest priority applies', async (t) => {
  const agent = await stage.supervised()
  const low = await stage.workflow({ priority: 1 })
  const large = await stage.workflow({ priority: 90, conditions: { amountAtLeast: 1000 } })
  const cloud = await stage.workflow({ priority: 80, conditions: { categories: ['Cloud', 'Services', ' '] } })
  const own = await stage.workflow({ priority: 70, conditions: { agentIds: [agent.agentId] } })
  const asked = async (amount: number, more?: object) => {
    const { approvalRequestId } = (await stage.ask(agent, amount, more)) as { approvalRequestId?: string }
    return (await stage.request(approvalRequestId!)).workflowId
  }
  t.is(await asked(1500, { category: 'CLOUD' }), large.id)
  t.is(await asked(150, { category: 'cloud' }), cloud.id)
  for (const category of ['CLOUD ', '\u00a0Cloud', '\u017fervices']) t.is(await asked(150, { category }), cloud.id)
  t.is(await asked(150), own.id)
  const other = await stage.supervised()
  const { approvalRequestId } = await stage.waiting(other)
  t.is((await stage.request(approvalRequestId)).workflowId, low.id)
})

test.serial('a workflow for new counterparties applies only until the first payment to them', async (t) => {
  const agent = await stage.supervised()
  const { id } = await stage.workflow({ conditions: { newCounterparty: true } })
  const recipientAddress = '0x00000000000000000000000000000000000000b7'
  const first = await stage.waiting(agent, { recipientAddress })
  t.is((await stage.request(first.approvalRequestId)).workflowId, id)
  await stage.pay(agent, 1, { recipientAddress })
  const second = await stage.waiting(agent, { recipientAddress })
  t.is((await stage.request(second.approvalRequestId)).workflowId, null)
})

test.serial('a payment needs the approvals that its workflow says, one per person by whichever key', async (t) => {
  await stage.workflow({ requiredApprovals: 2 })
  const agent = await stage.supervised()
  const { approvalRequestId: id, requestId } = await stage.waiting(agent)
  const ada = await stage.person()
  const created = await stage.asPerson<{ key: string }>(ada, 'POST', '/api/api-keys', {
    name: 'Hers',
    scopePreset: 'ADMIN',
  })
  t.is(created.status, 201)
  t.like((await stage.decide(ada.cookie, id)).body, { status: 'PENDING', requiredApprovals: 2 })
  t.deepEqual(codeOf(await stage.decide(ada.cookie, id)), [409, 'ALREADY_DECIDED'])
  t.deepEqual(codeOf(await stage.decide(created.body.key, id)), [409, 'ALREADY_DECIDED'])
  t.deepEqual(codeOf(await stage.decide(created.body.key, id, 'DENIED')), [409, 'ALREADY_DECIDED'])
  t.is((await stage.shown(agent, requestId)).status, 'REQUIRES_APPROVAL')
  const last = await stage.decide(ORGANIZATION_KEY, id)
  t.like(last.body, { status: 'APPROVED' })
  t.is(last.body.decisions.length, 2)
})

test.serial('approvals by removed members do not count, and each step counts its own approvals', async (t) => {
  await stage.workflow({ priority: 90, requiredApprovals: 2, timeoutHours: 1, onTimeout: 'ESCALATE' })
  await stage.workflow({ priority: 50, requiredApprovals: 2 })
  const agent = await stage.supervised()
  const { approvalRequestId: id, requestId } = await stage.waiting(agent)
  const [ada, ben] = [await stage.person(), await stage.person()]
  const hers = (
    await stage.asPerson<{ key: string }>(ada, 'POST', '/api/api-keys', { name: 'Hers', scopePreset: 'ADMIN' })
  ).body
  t.like((await stage.decide(ada.cookie, id)).body, { status: 'PENDING', givenApprovals: 1 })
  stage.setClock(NOON + 1.5 * HOUR_MS)
  t.like(await stage.request(id), { status: 'PENDING', givenApprovals: 0, decisions: [{ lapsed: true }] })
  t.like((await stage.decide(hers.key, id)).body, { status: 'PENDING', givenApprovals: 1 })
  await stage.must('DELETE', `/api/members/${ada.id}`)
  t.like((await stage.decide(ben.cookie, id)).body, { status: 'PENDING' })
  t.is((await stage.shown(agent, requestId)).status, 'REQUIRES_APPROVAL')
  t.like((await stage.decide(ORGANIZATION_KEY, id)).body, { status: 'APPROVED' })
  const receipt = await stage.must<Receipt>('GET', `/api/payments/${requestId}/receipt`)
  t.deepEqual(
    receipt.approvals[0]!.decisions.map(({ lapsed }) => lapsed === true),
    [true, true, false, false],
  )
  t.deepEqual(
    await receiptFaults({ verify: verifyEd25519, rules, key: readVerifierKey(receipt.verifierKey) }, receipt),
    [],
  )
})

test.serial('one denial denies the payment, whatever others decided', async (t) => {
  await stage.workflow({ requiredApprovals: 3 })
  const agent = await stage.supervised()
  const { approvalRequestId: id, requestId } = await stage.waiting(agent)
  await stage.decide(ORGANIZATION_KEY, id)
  t.is((await stage.decide((await stage.person()).cookie, id, 'DENIED')).body.status, 'DENIED')
  t.is((await stage.shown(agent, requestId)).status, 'DENIED')
})

test.serial('only named approvers decide', async (t) => {
  const [ada, ben] = [await stage.person(), await stage.person()]
  await stage.workflow({ approverIds: [ada.id] })
  const { approvalRequestId: id } = await stage.waiting(await stage.supervised())
  t.deepEqual(codeOf(await stage.decide(ben.cookie, id)), [403, 'INSUFFICIENT_SCOPE'])
  t.is((await stage.decide(ada.cookie, id)).status, 200)
})

test.serial('a request that times out escalates to the next workflow and then expires', async (t) => {
  const [ada, ben] = [await stage.person(), await stage.person()]
  await stage.workflow({ priority: 90, timeoutHours: 1, onTimeout: 'ESCALATE', requiredApprovals: 2 })
  const next = await stage.workflow({ priority: 50, timeoutHours: 2, approverIds: [ben.id] })
  const agent = await stage.supervised()
  const [first, second] = [await stage.waiting(agent), await stage.waiting(agent)]
  await stage.decide(ada.cookie, first.approvalRequestId)
  stage.setClock(NOON + 1.5 * HOUR_MS)
  const escalated = await stage.request(first.approvalRequestId)
  t.like(escalated, { status: 'PENDING', workflowId: next.id, requiredApprovals: 1 })
  t.is(escalated.decisions.length, 1)
  t.is((await stage.decide(ben.cookie, first.approvalRequestId)).body.status, 'APPROVED')
  stage.setClock(NOON + 4 * HOUR_MS)
  t.is((await stage.shown(agent, second.requestId)).status, 'EXPIRED')
})

test.serial('the audit log distinguishes escalation from expiry and attributes both to the system', async (t) => {
  await stage.workflow({ priority: 90, timeoutHours: 1, onTimeout: 'ESCALATE' })
  await stage.workflow({ priority: 50, timeoutHours: 2 })
  const agent = await stage.supervised()
  const [decided, over] = [await stage.waiting(agent), await stage.waiting(agent)]
  const late = (await stage.ask(agent, 50)) as { requestId: string }
  stage.setClock(NOON + 1.5 * HOUR_MS)
  await stage.client.post(`/api/sdk/payments/${late.requestId}/execute`, agent.key)
  await stage.decide(ORGANIZATION_KEY, decided.approvalRequestId)
  await stage.request(over.approvalRequestId)
  stage.setClock(NOON + 4 * HOUR_MS)
  const execute = (requestId: string) => stage.client.post(`/api/sdk/payments/${requestId}/execute`, agent.key)
  t.deepEqual(codeOf(await execute(over.requestId)), [400, 'EXPIRED'])
  const logged = async (id: string) => {
    const { entries } = await stage.must<AuditEntryList>('GET', `/api/audit-logs?resourceId=${id}`)
    return entries.toReversed().slice(1)
  }
  const summaries = (entries: AuditEntry[]) => entries.map(({ action, actor }) => `${action} by ${actor.type}`)
  const first = summaries(await logged(decided.requestId)).slice(0, 2)
  t.deepEqual(first, ['payment.escalate by SYSTEM', 'payment.approve by ORGANIZATION_KEY'])
  t.deepEqual(summaries(await logged(over.requestId)), ['payment.escalate by SYSTEM', 'payment.expire by SYSTEM'])
  const timer = { actor: { type: 'SYSTEM', id: 'timer' }, requestId: undefined }
  t.like((await logged(late.requestId))[0], { action: 'payment.expire', ...timer })
  const found = await stage.must<AuditEntryList>('GET', '/api/audit-logs?action=payment.escalate&limit=2')
  t.is(found.entries.length, 2)
  const history = await stage.must<{ entries: { action: string; message: string; choice: string }[] }>(
    'GET',
    `/api/machines/payment/actors/${decided.requestId}/history`,
  )
  t.like(
    history.entries.find(({ action }) => action === 'payment.escalate'),
    { message: 'WAKE', choice: 'awaitingApproval.WAKE[0]' },
  )
})

test.serial('a change of a workflow does not affect a payment that is already waiting', async (t) => {
  const { id } = await stage.workflow({ requiredApprovals: 1 })
  const { approvalRequestId } = await stage.waiting(await stage.supervised())
  await stage.must('PATCH', `/api/approval-workflows/${id}`, { requiredApprovals: 2 })
  t.is((await stage.decide(ORGANIZATION_KEY, approvalRequestId)).body.status, 'APPROVED')
})

test.serial('workflows that are invalid or could never be satisfied are refused', async (t) => {
  const ada = await stage.person()
  const refused = async (fields: object) =>
    codeOf(await stage.admin('POST', '/api/approval-workflows', { name: 'W', ...fields }))
  t.deepEqual(await refused({ approverIds: [ada.id], requiredApprovals: 2 }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ approverIds: ['nobody'] }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ conditions: { agentIds: [`c${'x'.repeat(24)}`] } }), [400, 'VALIDATION_ERROR'])
  const { id: own } = (
    await stage.asPerson<{ id: string }>(ada, 'POST', '/api/api-keys', { name: 'Hers', scopePreset: 'ADMIN' })
  ).body
  t.deepEqual(await refused({ approverIds: [ada.id, own], requiredApprovals: 2 }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ approverIds: [ada.id, (await stage.person('VIEWER')).id] }), [400, 'VALIDATION_ERROR'])
  const weak = await stage.must<{ id: string }>('POST', '/api/api-keys', { name: 'Weak', scopePreset: 'STANDARD' })
  t.deepEqual(await refused({ approverIds: [weak.id] }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ approverIds: [(await stage.agent()).agentId] }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ approverIds: [own, (await stage.person()).id], requiredApprovals: 2 }), [201, undefined])
  t.deepEqual(await refused({ requiredApprovals: 0 }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ timeoutHours: 0.5 }), [400, 'VALIDATION_ERROR'])
  t.deepEqual(await refused({ onTimeout: 'APPROVE' }), [400, 'VALIDATION_ERROR'])
})

test.serial('null resets a workflow field to its default and removes a condition', async (t) => {
  const conditions = { amountAtLeast: 5, newCounterparty: true }
  const { id } = await stage.workflow({ conditions, priority: 7, timeoutHours: 3, onTimeout: 'ESCALATE' })
  const change = (body: object) => stage.must('PATCH', `/api/approval-workflows/${id}`, body)
  t.like(await change({ conditions: { amountAtLeast: null, newCounterparty: true } }), {
    conditions: { newCounterparty: true },
  })
  const unset = {
    priority: null,
    conditions: null,
    requiredApprovals: null,
    timeoutHours: null,
    onTimeout: null,
    approverIds: null,
  }
  const initial = {
    priority: 50,
    conditions: {},
    requiredApprovals: 1,
    timeoutHours: 24,
    onTimeout: 'DENY',
    approverIds: [],
  }
  t.like(await change(unset), initial)
})
