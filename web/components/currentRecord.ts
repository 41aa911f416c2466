// What a change that waits is about, as it is now.
import { api } from '../api.js'
import type { AskedChange } from './asked.js'

export type Fields = { [name: string]: unknown }

/** What the change is about as it is now; nothing where it does not exist yet or cannot be read. */
export async function currentOf({ resource, resourceId, change: { path } }: AskedChange): Promise<Fields> {
  const id = resourceId ?? ''
  const read = (): Promise<Fields | undefined> => {
    if (resource === 'organization') return api.call('GET /api/organization', {})
    if (resource === 'policy') return api.call('GET /api/policies/{policyId}', { path: { policyId: id } })
    if (resource === 'agent') return api.call('GET /api/agents/{agentId}', { path: { agentId: id } })
    if (resource === 'counterparty')
      return api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId: id } })
    if (resource === 'workflow')
      return api.call('GET /api/approval-workflows/{workflowId}', { path: { workflowId: id } })
    if (resource === 'delegation') return delegation(path, id)
    if (resource === 'member') return member(id)
    return Promise.resolve({})
  }
  return (await read().catch(() => undefined)) ?? {}
}

async function delegation(path: string, id: string): Promise<Fields | undefined> {
  const [, agentId = ''] = /\/agents\/([^/]+)/.exec(path) ?? []
  const { wallets } = await api.call('GET /api/agents/{agentId}', { path: { agentId } })
  return wallets.find((one) => one.id === id)
}

async function member(id: string): Promise<Fields | undefined> {
  const { members } = await api.call('GET /api/members', { query: { limit: 100 } })
  return members.find((one) => one.id === id)
}
