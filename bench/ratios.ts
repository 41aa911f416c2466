// The ratios between the rows of one run, compared with the targets.
import type { MeasuredRow, Row } from './measure.js'
import { median } from './median.js'

/** Null if one of the two rows is missing. */
export interface Ratios {
  echo64: number | null
  postgresFunction1: number | null
  postgresFunction64: number | null
  postgresTransaction64: number | null
  redis64: number | null
  million: number | null
}

/** Finds a row by name and connections: `request 64`. */
function rowIn(rows: MeasuredRow[], key: string): MeasuredRow | undefined {
  return rows.find(({ name, connections }) => `${name} ${connections}` === key)
}

function ratioIn(rows: MeasuredRow[]) {
  return (one: string, other: string): number | null => {
    const [above, below] = [rowIn(rows, one), rowIn(rows, other)]
    return above && below ? Number((above.requestsPerSecond / below.requestsPerSecond).toFixed(4)) : null
  }
}

/**
 * The median of the ratios of single turns: it compares what two rows use at the same time, whatever else the machine
 * does.
 */
function cpuRatioByTurn(one: MeasuredRow, other: MeasuredRow): number {
  return median(one.cpuMicrosByTurn.map((micros, turn) => micros / other.cpuMicrosByTurn[turn]!))
}

/** The rivals write an outbox row, so they are compared with requests that do the same. */
export function ratiosOf(rows: MeasuredRow[]): Ratios {
  const ratio = ratioIn(rows)
  return {
    echo64: ratio('request 64', 'echo 64'),
    postgresFunction1: ratio('request, outbox 1', 'postgresFunction 1'),
    postgresFunction64: ratio('request, outbox 64', 'postgresFunction 64'),
    postgresTransaction64: ratio('request, outbox 64', 'postgresTransaction 64'),
    redis64: ratio('request, outbox 64', 'redis 64'),
    million: ratio('request, million 64', 'request 64'),
  }
}

/** The row in the form that is published. */
export function plainRow(row: MeasuredRow): Row {
  const { name, connections, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest } = row
  return { name, connections, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest }
}

interface Aim {
  what: string
  reached: number | null
  least?: number
  most?: number
}

function aimsOf(rows: MeasuredRow[]): Aim[] {
  const ratios = ratiosOf(rows)
  const ratio = ratioIn(rows)
  const rival256 = (name: string): number | null => ratio('request, outbox 256', `${name} 256`)
  const request = rowIn(rows, 'request 64')
  return [
    { what: 'request of echo, 64', reached: ratios.echo64, least: 0.25 },
    { what: 'request, limits only, of echo, 64', reached: ratio('request, limits only 64', 'echo 64'), least: 0.12 },
    { what: 'of the PostgreSQL function, 1', reached: ratios.postgresFunction1, least: 1 },
    { what: 'of the PostgreSQL function, 64', reached: ratios.postgresFunction64, least: 3 },
    { what: 'of the PostgreSQL function, 256', reached: rival256('postgresFunction'), least: 3 },
    { what: 'of the PostgreSQL transaction, 64', reached: ratios.postgresTransaction64, least: 4 },
    { what: 'of the PostgreSQL transaction, 256', reached: rival256('postgresTransaction'), least: 4 },
    { what: 'of Redis, 64', reached: ratios.redis64, least: 1.3 },
    { what: 'of Redis, 256', reached: rival256('redis'), least: 1.3 },
    { what: 'p99 of p50, 64', reached: request ? request.p99Ms / request.p50Ms : null, most: 3 },
    { what: 'one agent of 1,000 agents, 64', reached: ratio('request 64', 'request, 1000 agents 64'), least: 0.8 },
    { what: 'a million stored payments of ten thousand, 64', reached: ratios.million, least: 0.9 },
    ...aimsOfEvents(rows, 'request, 1000 events/s'),
  ]
}

function aimsOfEvents(rows: MeasuredRow[], name: string): Aim[] {
  const [withEvents, without] = [rowIn(rows, `${name} 64`), rowIn(rows, 'request, no events 64')]
  if (!withEvents || !without) return []
  return [
    { what: `CPU, ${name}, of one without`, reached: cpuRatioByTurn(withEvents, without), most: 1.15 },
    { what: 'events a second then', reached: withEvents.deliveriesPerSecond, least: 1_000 },
  ]
}

/** One line for each target that could be measured. */
export function standingOf(rows: MeasuredRow[]): string {
  const measured = aimsOf(rows).filter(({ reached }) => reached !== null)
  return measured
    .map(({ what, reached, least, most }) => {
      const isReached = least === undefined ? reached! <= most! : reached! >= least
      const aim = least === undefined ? `at most ${most}` : `at least ${least}`
      return `${what.padEnd(46)} ${reached!.toFixed(3).padStart(9)}  ${aim}: ${isReached ? 'reached' : 'missed'}`
    })
    .join('\n')
}
