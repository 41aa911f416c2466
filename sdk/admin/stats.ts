// Sums of payments over a time.
import type { Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function stats({ call }: Client) {
  return {
    /**
     * What was requested, approved, denied and executed from `from` to `to`: days of the organization's time zone, or
     * ISO 8601 times; without them, the last 30 days. `by` is a dimension, a period or both, such as `agent,day`.
     */
    get: (query?: Query<'GET /api/stats'>, options?: CallOptions) => call('GET /api/stats', { query }, options),
  }
}
