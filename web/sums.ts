// The sums of all agents, or of all policies, for the columns of their lists: one request for all rows.
import { api, type Answer } from './api.js'
import { useLoad } from './load.js'

type Sums = Answer<'GET /api/stats'>['totals']

interface Days {
  from: string
  to: string
}

const NONE = { count: 0, amount: 0 }
const NO_PAYMENTS: Sums = {
  requested: NONE,
  approved: NONE,
  denied: NONE,
  pendingApproval: NONE,
  executed: { ...NONE, fees: 0 },
  failed: NONE,
}

/** What a column shows of an id's sums of these days, or of the latest thirty. */
export type ShowSums = (id: string, show: (sums: Sums) => string) => string

export function useSums(by: 'agent' | 'policy', days?: Days): ShowSums {
  const { data, error } = useLoad(
    async (signal) => {
      const { rows } = await api.call('GET /api/stats', { query: { ...days, by } }, { signal })
      return new Map(rows.map((row) => [(by === 'agent' ? row.agentId : row.policyId)!, row]))
    },
    [by, days],
  )
  return (id, show) => {
    if (data === undefined) return error === undefined ? '…' : '–'
    return show(data.get(id) ?? NO_PAYMENTS)
  }
}
