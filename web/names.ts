// Names of whoever and whatever has an id: agents, people, keys, wallets, policies. Each is read once and remembered
// while the dashboard is open; what was removed has none.
import { useEffect, useState } from 'preact/hooks'
import { api } from './api.js'

export interface Principal {
  type: string
  id: string
  name?: string
}

const names = new Map<string, string>()
const reads = new Map<string, Promise<void>>()
const LARGEST_PAGE = 100

const keep = (id: string, name: string): void => void names.set(id, name)

type Source = (id: string) => [about: string, read: () => Promise<unknown>]

const people: Source = () => [
  'people',
  () =>
    api
      .call('GET /api/members', { query: { limit: LARGEST_PAGE } })
      .then(({ members }) => members.forEach(({ id, name, email }) => keep(id, name ?? email))),
]
const keys: Source = () => [
  'keys',
  () =>
    api
      .call('GET /api/api-keys', { query: { limit: LARGEST_PAGE } })
      .then((page) => page.keys.forEach(({ id, name }) => keep(id, `key “${name}”`))),
]
const single =
  (read: (id: string) => Promise<{ name: string }>): Source =>
  (id) => [id, () => read(id).then(({ name }) => keep(id, name))]

/** What has to be read to know a name; people and keys come by the list, which is short. */
const SOURCES: { [type: string]: Source[] } = {
  AGENT: [single((agentId) => api.call('GET /api/agents/{agentId}', { path: { agentId } }))],
  WALLET: [single((walletId) => api.call('GET /api/wallets/{walletId}', { path: { walletId } }))],
  POLICY: [single((policyId) => api.call('GET /api/policies/{policyId}/rules', { path: { policyId } }))],
  COUNTERPARTY: [
    single((counterpartyId) => api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId } })),
  ],
  WORKFLOW: [single((workflowId) => api.call('GET /api/approval-workflows/{workflowId}', { path: { workflowId } }))],
  PERSON: [people],
  ORGANIZATION_KEY: [keys],
  APPROVER: [people, keys],
}

async function readOnce({ type, id }: Principal): Promise<void> {
  const all = (SOURCES[type] ?? []).map((source) => {
    const [about, read] = source(id)
    if (!reads.has(about)) reads.set(about, read().then(ignore, ignore))
    return reads.get(about)
  })
  await Promise.all(all)
}

/** Without a name, the id stands. */
const ignore = (): void => undefined

/** Their name as soon as it is known. */
export function useName(by: Principal): string | undefined {
  const [, setTurn] = useState(0)
  const known = by.name || names.get(by.id)
  useEffect(() => {
    if (known !== undefined) return undefined
    let isShown = true
    void readOnce(by).then(() => isShown && setTurn((turn) => turn + 1))
    return () => {
      isShown = false
    }
  }, [by.id, known])
  return known
}
