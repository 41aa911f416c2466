// Names of agents by their ids: each is read once and remembered for as long as the dashboard is open.
import { useEffect, useState } from 'preact/hooks'
import { api } from './api.js'

const known = new Map<string, string>()
const asked = new Set<string>()

/** Gives a name as soon as it is known. Removed agents have none. */
export function useAgentNames(ids: string[]): (id: string) => string {
  const [, setTurn] = useState(0)
  const missing = [...new Set(ids)].filter((id) => !asked.has(id))
  useEffect(() => {
    let isShown = true
    missing.forEach((id) => asked.add(id))
    const reads = missing.map((agentId) =>
      api.call('GET /api/agents/{agentId}', { path: { agentId } }).then(({ name }) => known.set(agentId, name), () => undefined),
    )
    if (reads.length > 0) void Promise.all(reads).then(() => isShown && setTurn((turn) => turn + 1))
    return () => {
      isShown = false
    }
  }, [missing.join()])
  return (id) => known.get(id) ?? ''
}
