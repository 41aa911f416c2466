// The filter of a list by agent.
import { useLoad } from '../load.js'
import { readAgent, readAgentOptions } from './agentOptions.js'
import type { FilterRow } from './filter.js'

/** Offers the newest agents and that of the address, which has its id as label while its name is not known. */
export function useAgentFilter(chosen = ''): FilterRow {
  const offered = useLoad(() => readAgentOptions([]), [])
  const { agents = [], label = 'Agent' } = offered.data ?? {}
  const isListed = chosen === '' || agents.some(({ id }) => id === chosen)
  const missing = isListed || offered.data === undefined ? undefined : chosen
  const found = useLoad(async () => missing && ((await readAgent(missing))?.name ?? 'a removed agent'), [missing])
  const other = isListed ? [] : [[chosen, found.data ?? chosen] as const]
  return { label, name: 'agent', options: [...other, ...agents.map(({ id, name }) => [id, name] as const)] }
}
