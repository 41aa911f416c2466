// Every governed action: a request changes nothing, and a second person's approval applies it as requested.
import test from 'ava'
import { RULE } from '../../support/routes.js'
import { newPerson } from '../../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { EVERY_DAY } from '../../support/payments.js'
import { anotherAddress } from '../../support/policies.js'
import { startGovernance, type GovernedStage } from '../../support/governance.js'
import type { CounterpartyList, PolicyList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: GovernedStage

interface Case {
  action: string
  method: string
  path: string
  body?: unknown
  /** Reads the subject of the change. */
  look: () => Promise<unknown>
}

interface Made {
  agentId: string
  otherAgent: string
  walletId: string
  otherWallet: string
  policyId: string
  otherPolicy: string
  trusted: string
  blocked: string
  workflowId: string
  memberId: string
}

let made: Made

type Imported = { governanceApprovalRequestId: string; imported: number }

async function populate(): Promise<Made> {
  const post = async (path: string, body: unknown) => (await stage.must<{ id: string }>('POST', path, body)).id
  const agentId = await post('/api/agents', { name: 'Buyer', agentType: 'CUSTOM' })
  const otherAgent = await post('/api/agents', { name: 'Sleeper', agentType: 'CUSTOM' })
  await stage.must('POST', `/api/agents/${otherAgent}/freeze`, { reason: 'Test' })
  const wallet = { custodyType: 'MANAGED' }
  const walletId = await post('/api/wallets', { name: 'One', ...wallet })
  const otherWallet = await post('/api/wallets', { name: 'Two', ...wallet })
  await post(`/api/agents/${agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const policy = { name: 'Policy', policyType: 'COMPOSITE', rules: [RULE] }
  const policyId = await post('/api/policies', policy)
  const otherPolicy = await post('/api/policies', { ...policy, name: 'Other' })
  await stage.must('PATCH', `/api/policies/${policyId}`, { name: 'Renamed' })
  await stage.must('POST', `/api/wallets/${walletId}/policies`, { policyId })
  const trusted = await post('/api/counterparties', { name: 'Paper', address: anotherAddress() })
  const blocked = await post('/api/counterparties', { name: 'Ink', address: anotherAddress() })
  await stage.must('POST', `/api/counterparties/${blocked}/block`, { reason: 'Test' })
  const workflowId = await post('/api/approval-workflows', { name: 'Workflow' })
  const { id: memberId } = await newPerson(stage.client, 'VIEWER')
  await stage.must('POST', '/api/organization/freeze', { reason: 'Test' })
  return { agentId, otherAgent, walletId, otherWallet, policyId, otherPolicy, trusted, blocked, workflowId, memberId }
}

test.before('everything is created, then everything is governed', async () => {
  stage = await startGovernance(scope)
  made = await populate()
  await stage.enable()
})

const read = (path: string) => () => stage.must('GET', path)

function cases(): Case[] {
  const { agentId, otherAgent, walletId, otherWallet, policyId, otherPolicy, trusted, blocked, workflowId, memberId } =
    made
  const policy = read(`/api/policies/${policyId}`)
  const other = read(`/api/policies/${otherPolicy}`)
  const newPolicy = { name: 'New', policyType: 'COMPOSITE', rules: [RULE] }
  const policies = async () => (await stage.must<PolicyList>('GET', '/api/policies')).pagination.total
  const wallets = read(`/api/agents/${agentId}/wallets`)
  return [
    { action: 'policy.create', method: 'POST', path: '/api/policies', body: newPolicy, look: policies },
    {
      action: 'policy.update',
      method: 'PATCH',
      path: `/api/policies/${policyId}`,
      body: { priority: 7 },
      look: policy,
    },
    {
      action: 'policy.update',
      method: 'POST',
      path: `/api/policies/${policyId}/rules`,
      body: { ...RULE, value: 5 },
      look: policy,
    },
    {
      action: 'policy.rollback',
      method: 'POST',
      path: `/api/policies/${otherPolicy}/versions/1/rollback`,
      body: { note: 'Back' },
      look: other,
    },
    {
      action: 'policy.assign',
      method: 'POST',
      path: `/api/agents/${agentId}/policies`,
      body: { policyId },
      look: policy,
    },
    {
      action: 'policy.unassign',
      method: 'DELETE',
      path: `/api/wallets/${walletId}/policies?policyId=${policyId}`,
      look: policy,
    },
    { action: 'policy.delete', method: 'DELETE', path: `/api/policies/${otherPolicy}`, look: policies },
    {
      action: 'delegation.create',
      method: 'POST',
      path: `/api/agents/${agentId}/wallets`,
      body: { walletId: otherWallet },
      look: wallets,
    },
    {
      action: 'delegation.update',
      method: 'PATCH',
      path: `/api/agents/${agentId}/wallets/${walletId}`,
      body: { spendLimitDaily: '1000.5' },
      look: wallets,
    },
    {
      action: 'agent.reactivate',
      method: 'PATCH',
      path: `/api/agents/${otherAgent}`,
      body: { status: 'ACTIVE', name: 'Awake' },
      look: read(`/api/agents/${otherAgent}`),
    },
    {
      action: 'counterparty.trust',
      method: 'POST',
      path: `/api/counterparties/${trusted}/trust`,
      body: { reason: 'Known' },
      look: read(`/api/counterparties/${trusted}`),
    },
    {
      action: 'counterparty.unblock',
      method: 'PUT',
      path: `/api/counterparties/${blocked}`,
      body: { status: 'UNKNOWN' },
      look: read(`/api/counterparties/${blocked}`),
    },
    {
      action: 'member.update',
      method: 'PATCH',
      path: `/api/members/${memberId}`,
      body: { role: 'ADMIN' },
      look: read('/api/members'),
    },
    {
      action: 'workflow.update',
      method: 'PATCH',
      path: `/api/approval-workflows/${workflowId}`,
      body: { requiredApprovals: 2 },
      look: read(`/api/approval-workflows/${workflowId}`),
    },
    {
      action: 'webhook.update',
      method: 'PUT',
      path: '/api/webhooks',
      body: { url: 'https://events.example.com/bursar?token=secret' },
      look: read('/api/webhooks'),
    },
    {
      action: 'webhook.update',
      method: 'PATCH',
      path: `/api/agents/${agentId}`,
      body: { callbackUrl: 'https://events.example.com/agent?token=secret' },
      look: read(`/api/agents/${agentId}`),
    },
    {
      action: 'organization.unfreeze',
      method: 'POST',
      path: '/api/organization/unfreeze',
      look: async () => (await stage.must<{ status: string }>('GET', '/api/organization')).status,
    },
    {
      action: 'governance.update',
      method: 'PATCH',
      path: '/api/organization',
      body: { timezone: 'Pacific/Honolulu' },
      look: read('/api/organization'),
    },
    {
      action: 'governance.update',
      method: 'PATCH',
      path: '/api/organization',
      body: { governance: { enabled: false } },
      look: () => stage.settings(),
    },
  ]
}

test.serial('every action waits as requested, and is applied when a second person approves it', async (t) => {
  for (const { action, method, path, body, look } of cases()) {
    const before = await look()
    const id = await stage.pend(method, path, body)
    t.deepEqual(await look(), before, `${action} changed something before it was approved`)
    const asked = await stage.change(id)
    t.like(asked, { kind: 'GOVERNANCE', status: 'PENDING', action, requiredApprovals: 1 })
    t.like(asked.change, { method, path: path.split('?')[0]! })
    t.false(JSON.stringify(asked).includes('token=secret'), action)
    const decided = await stage.decide(stage.admin2.cookie, id)
    t.is(decided.status, 200, `${action}: ${JSON.stringify(decided.body)}`)
    t.like(decided.body, { status: 'APPROVED', application: { status: 'APPLIED' } }, action)
    t.notDeepEqual(await look(), before, `${action} was approved and changed nothing`)
  }
})

test.serial('an invalid request is refused at once and does not become pending', async (t) => {
  await stage.enable()
  const { policyId } = made
  const bad = [
    {
      path: '/api/policies',
      body: { name: 'Bad', policyType: 'COMPOSITE', rules: [{ ruleType: 'NONE' }] },
      status: 400,
    },
    { path: '/api/policies/cmissingmissingmissingmiss/versions/1/rollback', body: { note: 'Back' }, status: 404 },
    { path: `/api/policies/${policyId}/versions/99/rollback`, body: { note: 'Back' }, status: 404 },
    { path: `/api/agents/${made.agentId}/wallets`, body: { walletId: made.walletId }, status: 409 },
    { path: `/api/counterparties/${made.trusted}/unblock`, body: undefined, status: 400 },
  ]
  for (const { path, body, status } of bad) t.is((await stage.admin('POST', path, body)).status, status, path)
  const { pagination } = await stage.must<{ pagination: { total: number } }>(
    'GET',
    '/api/governance/approvals?status=PENDING',
  )
  t.is(pagination.total, 0)
})

test.serial('an approved key is created once, when its requester and nobody else collects it', async (t) => {
  const id = await stage.pend('POST', '/api/api-keys', { name: 'Second', scopePreset: 'ADMIN' })
  const collect = (by: string) =>
    stage.client.post<{ key: string; code?: string }>(`/api/governance/approvals/${id}/collect`, by, undefined, {
      Origin: stage.url,
    })
  t.is((await collect(ORGANIZATION_KEY)).body.code, 'INVALID_STATUS')
  const { body } = await stage.decide(stage.admin2.cookie, id)
  t.like(body, { status: 'APPROVED', application: { status: 'WAITING' } })
  t.false(JSON.stringify(body).includes('service_'))
  t.is(
    (await stage.client.post(`/api/governance/approvals/${id}/collect`, stage.admin2.cookie, {}, { Origin: stage.url }))
      .status,
    403,
  )
  const answers = await Promise.all(Array.from({ length: 5 }, () => collect(ORGANIZATION_KEY)))
  const made = answers.filter(({ status }) => status === 201)
  t.is(made.length, 1)
  t.is((await stage.client.get('/api/agents', made[0]!.body.key)).status, 200)
  t.like(await stage.change(id), { application: { status: 'APPLIED' } })
})

test.serial(
  'the entries of an import that need approval wait as one change, and the others are imported',
  async (t) => {
    const entries = [
      { name: 'Trusted', address: anotherAddress(), status: 'TRUSTED' },
      { name: 'Met', address: anotherAddress() },
      { name: 'Verified', address: anotherAddress(), status: 'VERIFIED' },
      { name: 'Wrong', address: '0x1' },
    ]
    const headers = { 'Idempotency-Key': 'import' }
    const send = () =>
      stage.client.post<Imported>('/api/counterparties/import', ORGANIZATION_KEY, { counterparties: entries }, headers)
    const { status, body } = await send()
    t.is(status, 202)
    t.like(body, { status: 'PENDING_APPROVAL', imported: 1, skipped: 0, errors: [{ index: 3 }] })
    t.like(body, { counterparties: [{ name: 'Met' }] })
    t.deepEqual((await send()).body, body)
    const id = body.governanceApprovalRequestId
    t.like(await stage.change(id), {
      action: 'counterparty.trust',
      resourceId: null,
      change: { path: '/api/counterparties/import', body: { counterparties: [entries[0], entries[2]] } },
    })
    const registered = async () => {
      const { counterparties } = await stage.must<CounterpartyList>('GET', '/api/counterparties?limit=3')
      return counterparties.map(({ name, status: one }) => `${name} ${one}`)
    }
    t.is((await registered())[0], 'Met UNKNOWN')
    t.is((await stage.decide(stage.admin2.cookie, id)).body.application?.status, 'APPLIED')
    t.deepEqual((await registered()).toSorted(), ['Met UNKNOWN', 'Trusted TRUSTED', 'Verified VERIFIED'])
  },
)

test.serial('a creation that was approved has an id from its approval on', async (t) => {
  const body = { name: 'Created', policyType: 'COMPOSITE', rules: [RULE] }
  const id = await stage.pend('POST', '/api/policies', body)
  t.is((await stage.change(id)).resourceId, null)
  const { resourceId } = (await stage.decide(stage.admin2.cookie, id)).body
  t.like(await stage.must('GET', `/api/policies/${resourceId}`), { id: resourceId, name: 'Created' })
})

test.serial('an unlisted action is applied at once, but changes of governance are always governed', async (t) => {
  const id = await stage.pend('PATCH', '/api/organization', { governance: { actions: ['policy.delete'] } })
  t.is((await stage.decide(stage.admin2.cookie, id)).body.application?.status, 'APPLIED')
  t.is((await stage.admin('POST', `/api/counterparties/${made.trusted}/trust`, { reason: 'Known' })).status, 200)
  t.is((await stage.admin('PATCH', '/api/organization', { governance: { enabled: false } })).status, 202)
  t.is((await stage.admin('PATCH', '/api/organization', { name: 'Acme' })).status, 200)
})
