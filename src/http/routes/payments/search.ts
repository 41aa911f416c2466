// Routes by which people find payments: the list with its filters, and its export as CSV.
import * as v from 'valibot'
import { concurrencyLimit } from '../../../async/concurrencyLimit.js'
import { everyPayment, listPayments, type PaymentSelection } from '../../../commands/payments/search/lists.js'
import { refuse, succeed } from '../../../domain/outcomes/result.js'
import { VIOLATION_TYPES } from '../../../domain/outcomes/violation.js'
import { amountSchema, enumOf, id, recordSchema, text, textSchema, timestamp } from '../../input/schemas.js'
import { page } from '../../input/querySchemas.js'
import { ok, paginationOf, paginationSchema, wrongCursor } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { csvOf } from './csv.js'
import { foundRecord, foundSchema } from './foundRecords.js'
import { listedFilters, viewOf } from './payments.js'

const SEARCH = "A part of the recipient's address or name, the purpose, the reference or the id, in any letter case."

const filters = {
  ...listedFilters,
  agentId: v.optional(id()),
  from: v.optional(timestamp()),
  to: v.optional(timestamp()),
  search: v.optional(text(0, 200, { description: SEARCH })),
  amountMin: v.optional(amountSchema({ zero: true })),
  amountMax: v.optional(amountSchema({ zero: true })),
  walletId: v.optional(id()),
  counterpartyId: v.optional(id()),
  category: v.optional(text(1, 100)),
  /** Of a policy that decided. */
  policyId: v.optional(id()),
  /** Among the reasons for a denial. */
  violation: v.optional(enumOf(VIOLATION_TYPES)),
} satisfies { [Field in keyof PaymentSelection]-?: unknown }

const TOTAL = 'Absent where payments have to be looked through: a page may then be short and have a nextCursor.'

const listSchema = recordSchema('FoundPayments', {
  payments: v.array(foundSchema),
  pagination: v.object({
    ...paginationSchema.entries,
    total: v.optional(v.pipe(v.number(), v.description(TOTAL))),
  }),
})

const read = { key: 'organization', scope: 'transactions:read' } as const

/** Exports of an organization at a time: each reads all of its payments. */
const oneExport = concurrencyLimit(1)

const AS_FILE = { 'Content-Disposition': 'attachment; filename="payments.csv"' }

export const paymentSearchRoutes = [
  route({
    operationId: 'listPayments',
    method: 'GET',
    path: '/api/payments',
    access: read,
    summary: 'List payments, or look for some of them',
    query: v.strictObject({ ...page, ...filters }),
    answers: { 200: listSchema },
    handler: async ({ services, caller, query }) => {
      const found = await listPayments(services, caller, query)
      if (found === undefined) return wrongCursor()
      const view = await viewOf(services, found.actors)
      const payments = found.actors.map((payment) => foundRecord(payment, view))
      return ok({ payments, pagination: paginationOf(found, query) })
    },
  }),
  route({
    operationId: 'exportPayments',
    method: 'GET',
    path: '/api/payments/export',
    access: read,
    summary: 'Payments as CSV, newest first; one export of an organization at a time',
    query: v.strictObject(filters),
    answers: { 200: textSchema('PaymentRows', 'text/csv') },
    refuses: ['LIMIT_REACHED'],
    handler: async ({ services, caller, principal, query }) => {
      let onEnd = (): void => {}
      const ended = new Promise<void>((resolve) => (onEnd = resolve))
      if (!oneExport(principal.organization, () => ended)) {
        return refuse('LIMIT_REACHED', 'An export of payments of this organization is in progress: try again later')
      }
      const parts = csvOf(everyPayment(services, caller, query))
      const contentType = 'text/csv; charset=utf-8'
      return succeed({ status: 200, body: null, parts, onEnd, contentType, headers: AS_FILE })
    },
  }),
]
