// One governed action at a time: no route reaches it without a second person, and every route that documents a pending
// answer is tried.
import test from 'ava'
import type { GovernedAction } from '../../../src/domain/outcomes/governance.js'
import { invite, newPerson } from '../../support/people.js'
import { ASKED_CONSENT, newRequest } from '../../support/oauth.js'
import { RULE, rowsOf } from '../../support/routes.js'
import { randomAddress } from '../../support/commands.js'
import { wholeFile } from '../../support/process.js'
import { keyOf, startGovernance, type GovernedStage } from '../../support/governance.js'
import type { Policy } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: GovernedStage
/** Ids by name. */
let ids: Record<
  | 'agentId'
  | 'suspended'
  | 'walletId'
  | 'other'
  | 'policyId'
  | 'ruleId'
  | 'known'
  | 'blocked'
  | 'workflowId'
  | 'memberId'
  | 'invitedId'
  | 'keyId'
  | 'channelId'
  | 'cardId'
  | 'otherCard',
  string
>

/** A person's session, and what a client of OAuth asks them for. */
let person: string
let request: string

test.before('everything is created', async () => {
  stage = await startGovernance(scope)
  const post = async (path: string, body: unknown) => (await stage.must<{ id: string }>('POST', path, body)).id
  const { agentId, walletId } = await stage.agent()
  const suspended = await post('/api/agents', { name: 'Sleeper', agentType: 'CUSTOM' })
  await stage.must('POST', `/api/agents/${suspended}/freeze`, { reason: 'Test' })
  const other = await post('/api/wallets', { name: 'Other', custodyType: 'MANAGED' })
  const policyId = await post('/api/policies', policy())
  await stage.must('PATCH', `/api/policies/${policyId}`, { name: 'Renamed' })
  await stage.must('POST', `/api/wallets/${walletId}/policies`, { policyId })
  await stage.must('POST', `/api/agents/${suspended}/policies`, { policyId })
  const { rules } = await stage.must<Policy>('GET', `/api/policies/${policyId}`)
  const known = await post('/api/counterparties', { name: 'Paper', address: randomAddress() })
  const blocked = await post('/api/counterparties', { name: 'Ink', address: randomAddress() })
  await stage.must('POST', `/api/counterparties/${blocked}/block`, { reason: 'Test' })
  const workflowId = await post('/api/approval-workflows', { name: 'Workflow' })
  const { id: memberId } = await newPerson(stage.client, 'VIEWER')
  const invitedId = await post('/api/members', { email: 'waits@example.com', role: 'ADMIN' })
  const { id: keyId, key } = await keyOf(stage)
  await invite(stage.client, 'VIEWER', key)
  await stage.must('PUT', '/api/webhooks', { url: 'https://events.example.com/in' })
  const channelId = await post('/api/channels', channel())
  const card = { provider: 'MANUAL', last4: '4242', brand: 'VISA' }
  const cardId = await post('/api/cards', { name: 'Travel', ...card })
  const otherCard = await post('/api/cards', { name: 'Hosting', ...card })
  await stage.must('POST', `/api/cards/${cardId}/policies`, { policyId })
  ids = {
    agentId,
    suspended,
    walletId,
    other,
    policyId,
    ruleId: rules[0]!.id,
    known,
    blocked,
    workflowId,
    memberId,
    invitedId,
    keyId,
    channelId,
    cardId,
    otherCard,
  }
  person = (await newPerson(stage.client, 'MANAGER')).cookie
  request = await newRequest(stage.client, person)
  await stage.must('POST', '/api/organization/freeze', { reason: 'Test' })
  await stage.enable()
})

const policy = (more: object = {}) => ({ name: 'Policy', policyType: 'COMPOSITE', rules: [RULE], ...more })

const channel = () => ({
  name: 'Channel',
  type: 'SLACK',
  events: ['alert.raised'],
  config: { webhookUrl: 'https://hooks.example.com/secret' },
})

const imported = () => ({ name: 'Imported', address: randomAddress() })

type Try = [route: string, path: string, body?: unknown, by?: string]

/** By action, every way to reach it: the route, its path and a body. */
const tries = (): Partial<Record<GovernedAction, Try[]>> => {
  const {
    agentId,
    suspended,
    walletId,
    other,
    policyId,
    ruleId,
    known,
    blocked,
    workflowId,
    memberId,
    invitedId,
    keyId,
    channelId,
    cardId,
    otherCard,
  } = ids
  const rules = `/api/policies/${policyId}/rules`
  const ofMember = `/api/members/${memberId}`
  const ofWorkflow = `/api/approval-workflows/${workflowId}`
  return {
    'policy.create': [
      ['POST /api/policies', '', policy()],
      ['POST /api/policies', '', policy({ agentIds: [agentId] })],
    ],
    'policy.update': [
      ['PATCH /api/policies/{policyId}', `/api/policies/${policyId}`, { priority: 3 }],
      ['POST /api/policies/{policyId}/rules', rules, RULE],
      ['PUT /api/policies/{policyId}/rules', rules, { rules: [] }],
      ['PATCH /api/policies/{policyId}/rules/{ruleId}', `${rules}/${ruleId}`, { value: 3 }],
      ['DELETE /api/policies/{policyId}/rules/{ruleId}', `${rules}/${ruleId}`],
    ],
    'policy.rollback': [
      [
        'POST /api/policies/{policyId}/versions/{version}/rollback',
        `/api/policies/${policyId}/versions/1/rollback`,
        { note: 'Back' },
      ],
    ],
    'policy.assign': [
      ['POST /api/agents/{agentId}/policies', `/api/agents/${agentId}/policies`, { policyId }],
      ['POST /api/wallets/{walletId}/policies', `/api/wallets/${other}/policies`, { policyId }],
      ['POST /api/cards/{cardId}/policies', `/api/cards/${otherCard}/policies`, { policyId }],
      ['POST /api/policies', '', policy({ agentIds: [agentId] })],
    ],
    'policy.unassign': [
      ['DELETE /api/agents/{agentId}/policies', `/api/agents/${suspended}/policies?policyId=${policyId}`],
      ['DELETE /api/wallets/{walletId}/policies', `/api/wallets/${walletId}/policies?policyId=${policyId}`],
      ['DELETE /api/cards/{cardId}/policies', `/api/cards/${cardId}/policies?policyId=${policyId}`],
    ],
    'delegation.create': [
      ['POST /api/agents/{agentId}/wallets', `/api/agents/${agentId}/wallets`, { walletId: other }],
      ['POST /api/agents/{agentId}/cards', `/api/agents/${agentId}/cards`, { cardId }],
    ],
    'delegation.update': [
      [
        'PATCH /api/agents/{agentId}/wallets/{walletId}',
        `/api/agents/${agentId}/wallets/${walletId}`,
        { spendLimitPerTx: 7 },
      ],
    ],
    'agent.reactivate': [
      ['POST /api/agents/{agentId}/unfreeze', `/api/agents/${suspended}/unfreeze`],
      ['PATCH /api/agents/{agentId}', `/api/agents/${suspended}`, { status: 'ACTIVE' }],
      [
        'PATCH /api/agents/{agentId}',
        `/api/agents/${suspended}`,
        { status: 'ACTIVE', name: 'Awake', description: 'Back' },
      ],
    ],
    'counterparty.trust': [
      ['POST /api/counterparties', '', { name: 'New', address: randomAddress(), status: 'TRUSTED' }],
      ['POST /api/counterparties', '', { name: 'New', address: randomAddress(), status: 'VERIFIED' }],
      ['PUT /api/counterparties/{counterpartyId}', `/api/counterparties/${known}`, { status: 'VERIFIED' }],
      ['PUT /api/counterparties/{counterpartyId}', `/api/counterparties/${blocked}`, { status: 'TRUSTED' }],
      ['POST /api/counterparties/{counterpartyId}/trust', `/api/counterparties/${known}/trust`, { reason: 'Known' }],
      ['POST /api/counterparties/import', '', { counterparties: [{ ...imported(), status: 'TRUSTED' }] }],
    ],
    'counterparty.unblock': [
      ['POST /api/counterparties/{counterpartyId}/unblock', `/api/counterparties/${blocked}/unblock`],
      ['POST /api/counterparties/{counterpartyId}/trust', `/api/counterparties/${blocked}/trust`, { reason: 'Known' }],
      ['PUT /api/counterparties/{counterpartyId}', `/api/counterparties/${blocked}`, { status: 'UNKNOWN' }],
      ['PUT /api/counterparties/{counterpartyId}', `/api/counterparties/${blocked}`, { status: 'TRUSTED' }],
    ],
    'channel.update': [
      ['POST /api/channels', '', channel()],
      ['PATCH /api/channels/{channelId}', `/api/channels/${channelId}`, { name: 'Renamed' }],
      ['PATCH /api/channels/{channelId}', `/api/channels/${channelId}`, { status: 'PAUSED' }],
      ['DELETE /api/channels/{channelId}', `/api/channels/${channelId}`],
    ],
    'key.create': [
      ['POST /api/api-keys', '', { name: 'Key', scopePreset: 'ADMIN' }],
      ['POST /api/agents/{agentId}/sdk-keys', `/api/agents/${agentId}/sdk-keys`, { name: 'Key' }],
      ['POST /api/oauth/consent', '', { ...ASKED_CONSENT, request, agentId }, person],
    ],
    'member.update': [
      ['POST /api/members', '', { email: 'new@example.com', role: 'ADMIN' }],
      ['POST /api/members/{memberId}/invite', `/api/members/${invitedId}/invite`],
      ['POST /api/members/{memberId}/reset-password', `${ofMember}/reset-password`],
      ['DELETE /api/api-keys', `/api/api-keys?keyId=${keyId}&cascade=true`],
      ['PATCH /api/members/{memberId}', ofMember, { role: 'OWNER' }],
      ['DELETE /api/members/{memberId}', ofMember],
    ],
    'workflow.update': [
      ['POST /api/approval-workflows', '', { name: 'New' }],
      ['PATCH /api/approval-workflows/{workflowId}', ofWorkflow, { priority: 9 }],
      ['DELETE /api/approval-workflows/{workflowId}', ofWorkflow],
    ],
    'webhook.update': [
      ['PUT /api/webhooks', '', { url: 'https://elsewhere.example.com/in' }],
      ['DELETE /api/webhooks', ''],
      ['POST /api/webhooks/rotate-secret', ''],
      ['PATCH /api/agents/{agentId}', `/api/agents/${agentId}`, { callbackUrl: 'https://elsewhere.example.com/in' }],
    ],
    'organization.unfreeze': [['POST /api/organization/unfreeze', '']],
    'governance.update': [
      ['PATCH /api/organization', '', { governance: { enabled: false } }],
      ['PATCH /api/organization', '', { governance: { strictLineage: true } }],
    ],
    'policy.delete': [['DELETE /api/policies/{policyId}', `/api/policies/${ids.policyId}`]],
  }
}

test.serial('with one action governed every route to it becomes a pending change', async (t) => {
  for (const [action, ways] of Object.entries(tries())) {
    const settings = await stage.pend('PATCH', '/api/organization', { governance: { actions: [action] } })
    t.is((await stage.decide(stage.admin2.cookie, settings)).body.application?.status, 'APPLIED', action)
    if (action === 'policy.delete') await unassign(ids.policyId)
    for (const [route, path, body, by] of ways) {
      const [method, own] = route.split(' ') as [string, string]
      const id = await stage.pend(method, path === '' ? own : path, body, by)
      t.is<string, string>((await stage.change(id)).action, action, `${action}: ${route}`)
    }
  }
})

/** An assigned policy cannot be deleted, with or without a second person. */
async function unassign(policyId: string): Promise<void> {
  await stage.must('DELETE', `/api/agents/${ids.suspended}/policies?policyId=${policyId}`)
  await stage.must('DELETE', `/api/wallets/${ids.walletId}/policies?policyId=${policyId}`)
  await stage.must('DELETE', `/api/cards/${ids.cardId}/policies?policyId=${policyId}`)
}

test.serial('every route that may answer with a pending change is tried', async (t) => {
  const announced = (await rowsOf(stage.url)).filter(({ answers }) => /\/Pending\w+$/.test(answers['202']?.$ref ?? ''))
  const tried = new Set(Object.values(tries()).flatMap((ways) => ways.map(([route]) => route)))
  t.deepEqual(
    announced.map(({ title }) => title).filter((title) => !tried.has(title)),
    [],
  )
  t.true(announced.length > 20)
})
