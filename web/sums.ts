// The sums of all agents, or of all policies, for the columns of their lists: one request for all rows.
import { useMemo } from 'preact/hooks'
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

export interface ShownSums {
  /** What a column shows of an id's sums of these days, or of the latest thirty. */
  show: (id: string, show: (sums: Sums) => string) => string
  /** Undefined until they are read. */
  of: (id: string) => Sums | undefined
  areRead: boolean | 'failed'
}

export function useSums(by: 'agent' | 'policy', days?: Days): ShownSums {
  const { data, error } = useLoad(
    async (signal) => {
      const { rows } = await api.call('GET /api/stats', { query: { ...days, by } }, { signal })
      return new Map(rows.map((row) => [(by === 'agent' ? row.agentId : row.policyId)!, row]))
    },
    [by, days],
  )
  return useMemo(() => {
    const of = (id: string): Sums | undefined => data && (data.get(id) ?? NO_PAYMENTS)
    return {
      of,
      areRead: data !== undefined || (error !== undefined && 'failed'),
      show: (id, show) => {
        const sums = of(id)
        return sums ? show(sums) : error === undefined ? '…' : '–'
      },
    }
  }, [data, error])
}
