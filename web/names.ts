// Names of whoever has an id: agents, people and keys. Each is read once and remembered while the dashboard is open;
// what was removed has none.
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

/** What has to be read to know a name; people and keys come by the list, which is short. */
const SOURCES: { [type: string]: (id: string) => [about: string, read: () => Promise<unknown>] } = {
  AGENT: (agentId) => [
    agentId,
    () => api.call('GET /api/agents/{agentId}', { path: { agentId } }).then(({ name }) => keep(agentId, name)),
  ],
  PERSON: () => [
    'people',
    () =>
      api
        .call('GET /api/members', { query: { limit: LARGEST_PAGE } })
        .then(({ members }) => members.forEach(({ id, name, email }) => keep(id, name ?? email))),
  ],
  ORGANIZATION_KEY: () => [
    'keys',
    () =>
      api
        .call('GET /api/api-keys', { query: { limit: LARGEST_PAGE } })
        .then(({ keys }) => keys.forEach(({ id, name }) => keep(id, `key “${name}”`))),
  ],
}

function readOnce({ type, id }: Principal): Promise<void> | undefined {
  const source = SOURCES[type]?.(id)
  if (source === undefined) return undefined
  const [about, read] = source
  if (!reads.has(about))
    reads.set(
      about,
      read().then(
        () => undefined,
        () => undefined,
      ),
    )
  return reads.get(about)
}

/** Their name as soon as it is known. */
export function useName(by: Principal): string | undefined {
  const [, setTurn] = useState(0)
  const known = by.name || names.get(by.id)
  useEffect(() => {
    if (known !== undefined) return undefined
    let isShown = true
    void readOnce(by)?.then(() => isShown && setTurn((turn) => turn + 1))
    return () => {
      isShown = false
    }
  }, [by.id, known])
  return known
}
