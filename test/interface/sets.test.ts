// Lists that are sets: each entry is kept and shown once, at its first position.
import test from 'ava'
import { ORGANIZATION_KEY } from '../support/process.js'
import { start } from '../support/service.js'

type Record = { [field: string]: unknown }

test('repeated entries of a set are kept once', async (t) => {
  const { client } = await start(t)
  const send = async (method: string, path: string, body: object): Promise<Record> => {
    const answer = await client.send<Record>(method, path, ORGANIZATION_KEY, body)
    t.true(answer.status < 300, `${method} ${path} answered ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const post = (path: string, body: object) => send('POST', path, body)
  const agent = { name: 'Buyer', agentType: 'CUSTOM', allowedContexts: ['shop', 'desk', 'shop'] }
  const { id: agentId, allowedContexts } = await post('/api/agents', agent)
  t.deepEqual(allowedContexts, ['shop', 'desk'])
  const scopes = ['payments:read', 'wallets:read', 'payments:read']
  t.deepEqual((await post(`/api/agents/${agentId}/sdk-keys`, { name: 'Key', scopes }))['scopes'], scopes.slice(0, 2))
  const { id: walletId } = await post('/api/wallets', { name: 'Wallet', custodyType: 'MANAGED' })
  const path = `/api/agents/${agentId}/wallets`
  t.deepEqual((await post(path, { walletId, allowedDays: ['Mon', 'Mon', 'Sun'] }))['allowedDays'], ['Mon', 'Sun'])
  const changed = await send('PATCH', `${path}/${walletId}`, { allowedDays: ['Tue', 'Mon', 'Tue'] })
  t.deepEqual(changed['allowedDays'], ['Tue', 'Mon'])
  const agentIds = [agentId, agentId]
  const policy = await post('/api/policies', { name: 'Policy', policyType: 'CATEGORY', agentIds })
  t.deepEqual(policy['assignments'], { agents: [agentId], wallets: [], cards: [] })
  const conditions = { categories: ['cloud', 'tools', 'cloud'], agentIds }
  const { id: approver } = await post('/api/members', { email: 'admin@example.com', role: 'ADMIN' })
  const approverIds = [approver, approver]
  const workflow = await post('/api/approval-workflows', { name: 'Workflow', conditions, approverIds })
  t.like(workflow, { conditions: { categories: ['cloud', 'tools'], agentIds: [agentId] }, approverIds: [approver] })
  const governance = { actions: ['key.create', 'key.create', 'policy.update'] }
  const organization = await send('PATCH', '/api/organization', { governance })
  t.like(organization, { governance: { actions: ['key.create', 'policy.update'] } })
})
