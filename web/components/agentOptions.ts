// The agents that a filter or a form offers: the newest, and the others that it needs.
import { api, unlessRemoved } from '../api.js'

interface Agent {
  id: string
  name: string
}

interface AgentOptions {
  agents: Agent[]
  /** The label of the choice; it says if there are more agents. */
  label: string
}

const NEWEST = 100
/** Each takes a request. */
const MOST_NEEDED = 20

export async function readAgentOptions(needed: readonly string[]): Promise<AgentOptions> {
  const { agents, total } = await api.call('GET /api/agents', { query: { limit: NEWEST } })
  const missing = needed.filter((id) => !agents.some((one) => one.id === id)).slice(0, MOST_NEEDED)
  const others = (await Promise.all(missing.map(readAgent))).filter((one) => one !== undefined)
  const label = total > agents.length ? `Agent (the newest ${agents.length})` : 'Agent'
  return { agents: [...others, ...agents], label }
}

/** Undefined if it was removed. */
export function readAgent(agentId: string): Promise<Agent | undefined> {
  return unlessRemoved(api.call('GET /api/agents/{agentId}', { path: { agentId } }))
}
