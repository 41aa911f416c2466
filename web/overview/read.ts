// The sums of a period, day by day, and those of the period before, as the service counts them.
import { api, type Answer } from '../api.js'
import { daysOf, periodBefore, type ShownPeriod } from './period.js'

type Stats = Answer<'GET /api/stats'>
type Totals = Stats['totals']

export interface Overviewed {
  totals: Totals
  before: Totals
  /** One for each day of the period; undefined where nothing was counted. */
  days: { day: string; sums: Totals | undefined }[]
}

export async function readOverview(period: ShownPeriod, signal: AbortSignal): Promise<Overviewed> {
  const { from, to } = period
  const [now, before] = await Promise.all([
    api.call('GET /api/stats', { query: { from, to, by: 'day' } }, { signal }),
    api.call('GET /api/stats', { query: periodBefore(period) }, { signal }),
  ])
  const sums = new Map(now.rows.map((row) => [row.day, row]))
  return {
    totals: now.totals,
    before: before.totals,
    days: daysOf(period).map((day) => ({ day, sums: sums.get(day) })),
  }
}
