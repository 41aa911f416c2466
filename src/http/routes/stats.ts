// The route for sums of payments. Requests count when they were made, by what has become of them; executions count when
// they were executed. A payment counts under every policy that decided it.
import * as v from 'valibot'
import { readStats, type StatsRowRead, type WantedStats } from '../../commands/stats.js'
import { DIMENSIONS, MEASURES, sumOf, type Dimension, type StatsSums } from '../../domain/payment/stats.js'
import { refuse, refuseField, succeed, type Result } from '../../domain/outcomes/result.js'
import { PAYMENT_STATUSES } from '../../domain/payment/terms.js'
import { toNumber } from '../../domain/values/money.js'
import type { Period } from '../../domain/time/windows.js'
import { dayOrTime, enumOf, id, readAs, recordSchema, text } from '../input/schemas.js'
import { cursorQuery } from '../input/querySchemas.js'
import { iso, ok } from '../server/respond.js'
import { route } from '../server/route.js'

const sumSchema = recordSchema('StatsSum', { count: v.number(), amount: v.number() })
/** Networks are paid their fees in their own coins, which are not counted: the fees of a currency are 0. */
const executedSchema = recordSchema('StatsExecuted', { ...sumSchema.entries, fees: v.number() })
const sumsSchema = {
  requested: sumSchema,
  approved: sumSchema,
  denied: sumSchema,
  pendingApproval: sumSchema,
  executed: executedSchema,
  failed: sumSchema,
}

const totalsSchema = recordSchema('StatsTotals', sumsSchema)
const rowSchema = recordSchema('StatsRow', {
  day: v.optional(v.string()),
  /** Its Monday. */
  week: v.optional(v.string()),
  /** YYYY-MM */
  month: v.optional(v.string()),
  agentId: v.optional(v.string()),
  walletId: v.optional(v.string()),
  policyId: v.optional(v.string()),
  category: v.optional(v.string()),
  counterpartyId: v.optional(v.string()),
  status: v.optional(v.string()),
  name: v.optional(v.string()),
  ...sumsSchema,
})

const FIELDS = {
  agent: 'agentId',
  wallet: 'walletId',
  policy: 'policyId',
  category: 'category',
  counterparty: 'counterpartyId',
  status: 'status',
} as const satisfies Record<Dimension, string>
const PERIODS: readonly Period[] = ['day', 'week', 'month']

interface By {
  dimension?: Dimension | undefined
  period?: Period | undefined
}

/** One dimension, one period, or both with a comma between them. */
function by() {
  const choices = `one of ${DIMENSIONS.join(', ')}, one of ${PERIODS.join(', ')}, or both, such as agent,day`
  const description = `Rows by ${choices}.`
  return readAs<By>({ type: 'string', pattern: '^[a-z]+(,[a-z]+)?$', description }, (value) => {
    const words = typeof value === 'string' ? value.split(',') : []
    const dimension = DIMENSIONS.find((one) => words.includes(one))
    const period = PERIODS.find((one) => words.includes(one))
    const known = [dimension, period].filter((one) => one !== undefined)
    const isKnown = known.length > 0 && known.length === words.length
    return isKnown ? succeed({ dimension, period }) : refuse('VALIDATION_ERROR', `must be ${choices}`)
  })
}

const query = v.strictObject({
  from: v.optional(dayOrTime()),
  to: v.optional(dayOrTime()),
  by: v.optional(by()),
  agentId: v.optional(id()),
  walletId: v.optional(id()),
  policyId: v.optional(id()),
  category: v.optional(text(1, 100)),
  counterpartyId: v.optional(id()),
  status: v.optional(enumOf(PAYMENT_STATUSES)),
  cursor: v.optional(cursorQuery),
})
type Query = v.InferOutput<typeof query>

export const statsRoutes = [
  route({
    operationId: 'getStats',
    method: 'GET',
    path: '/api/stats',
    access: { key: 'organization', scope: 'transactions:read' },
    summary: 'Sums of payments over a time',
    query,
    answers: {
      200: recordSchema('Stats', {
        from: v.string(),
        to: v.string(),
        timezone: v.string(),
        rows: v.array(rowSchema),
        totals: totalsSchema,
        nextCursor: v.optional(v.string()),
      }),
    },
    handler: async (call) => {
      const wanted = wantedBy(call.query)
      if (!wanted.ok) return wanted
      const stats = await readStats(call.services, call.caller, wanted.value)
      if (!stats.ok) return stats
      const { from, to, timezone, rows, totals, next } = stats.value
      const { dimension, period } = wanted.value
      return ok({
        from: iso(from),
        to: iso(to),
        timezone,
        rows: rows.map((row) => rowRecord(row, dimension, period)),
        totals: sumsRecord(totals),
        ...(next && { nextCursor: Buffer.from(JSON.stringify(next)).toString('base64url') }),
      })
    },
  }),
]

/** A filter is on the dimension that the rows are by, or is one by itself. */
function wantedBy({ from, to, by: named = {}, cursor, ...filters }: Query): Result<WantedStats, 'VALIDATION_ERROR'> {
  const [filter, other] = DIMENSIONS.filter((one) => filters[FIELDS[one]] !== undefined)
  const dimension = named.dimension ?? filter
  const wrong = other ?? (filter !== dimension ? filter : undefined)
  if (wrong !== undefined) return refuseField(FIELDS[wrong], `must be left out: the rows are by ${dimension}`)
  const after = cursor === undefined ? undefined : afterIn(cursor)
  if (cursor !== undefined && after === undefined)
    return refuseField('cursor', 'must be the nextCursor of the answer before')
  return succeed({ from, to, dimension, period: named.period, value: filter && filters[FIELDS[filter]], after })
}

function afterIn(cursor: string): [string, string] | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return v.is(v.tuple([v.string(), v.string()]), read) ? read : undefined
  } catch {
    return undefined
  }
}

function rowRecord(
  { period, value, name, sums }: StatsRowRead,
  dimension: Dimension | undefined,
  by: Period | undefined,
): v.InferOutput<typeof rowSchema> {
  return {
    ...(by !== undefined && { [by]: period }),
    ...(dimension !== undefined && { [FIELDS[dimension]]: value }),
    ...(name !== undefined && { name }),
    ...sumsRecord(sums),
  }
}

function sumsRecord(sums: StatsSums): v.InferOutput<typeof totalsSchema> {
  const [requested, approved, denied, pendingApproval, executed, failed] = MEASURES.map((measure) => {
    const { count, amount } = sumOf(sums, measure)
    return { count, amount: toNumber(Number(amount)) }
  }) as [Sum, Sum, Sum, Sum, Sum, Sum]
  return { requested, approved, denied, pendingApproval, executed: { ...executed, fees: 0 }, failed }
}

type Sum = v.InferOutput<typeof sumSchema>
