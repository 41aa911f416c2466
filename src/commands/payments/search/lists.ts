// Lists of payments, newest first: each from the list of the store that holds the fewest others.
import { agentNamedPaymentsOf, agentPaymentsOf, namedPaymentsOf } from '../../../../machines/payment/lists.js'
import { paymentsOf } from '../../../domain/payment/lists.js'
import type { Actor } from '../../../actor/actor.js'
import type { Page, Paging, Sought } from '../../../actor/query.js'
import type { List } from '../../../domain/values/lists.js'
import { NAMED_BY, paymentName } from '../../../domain/payment/terms.js'
import { SLICES_OF_READ } from '../../overdue.js'
import type { Caller, Services } from '../../ports.js'
import { isOwn } from '../../send.js'
import { isCounterpartyId } from '../../counterparties/counterparties.js'
import { listOfStatus } from '../../status.js'
import { currentPage, findPayment } from '../payments.js'
import { paymentIdOf } from '../request.js'
import { isSought, passing, type ListedFilters, type PaymentFilters, type SoughtFilters } from './filters.js'

interface OwnPaymentList extends Paging, ListedFilters {
  idempotencyKey?: string | undefined
}

/** The agent's own payments. */
export async function listOwnPayments(
  services: Services,
  caller: Caller,
  query: OwnPaymentList,
): Promise<Page<'payment'> | undefined> {
  const { organization, agent } = caller.principal
  if (query.idempotencyKey !== undefined) return byKey(services, caller, agent!, query)
  const { list, isExact } = shortestList(organization, agent, query)
  return isExact
    ? currentPage(services, organization, { ...query, list })
    : counted(services, organization, list, query)
}

/** What people select payments by. */
export interface PaymentSelection extends ListedFilters, Omit<SoughtFilters, 'recipient'> {
  agentId?: string | undefined
  counterpartyId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Payments that a page looks at, where it has to look through them. */
const MOST_LOOKED_AT = 20_000

/** The organization's payments, or one agent's. Their total is unknown where they have to be looked for. */
export async function listPayments(
  services: Services,
  caller: Caller,
  query: PaymentSelection & Paging,
): Promise<Sought<'payment'> | undefined> {
  const found = selected(services, caller, query)
  if (found === undefined) return { actors: [], total: isSoughtBy(query) ? undefined : 0 }
  const { list, isExact, filters } = found
  const { organization } = caller.principal
  const { limit, offset, cursor, from, to } = query
  const wanted = { list, limit, offset, cursor, from, to }
  if (isExact) return currentPage(services, organization, wanted)
  if (!isSought(filters) && services.query.size(list) <= MOST_LOOKED_AT) {
    return counted(services, organization, list, query)
  }
  await services.overdue.end(organization, SLICES_OF_READ)
  return services.query.sought(wanted, passing(filters), MOST_LOOKED_AT)
}

/** All payments that are selected, newest first, in batches. */
export async function* everyPayment(
  services: Services,
  caller: Caller,
  { from, to, ...selection }: PaymentSelection,
): AsyncGenerator<Actor<'payment'>[]> {
  const found = selected(services, caller, selection)
  if (found === undefined) return
  await services.overdue.end(caller.principal.organization, SLICES_OF_READ)
  yield* services.query.every({ list: found.list, from, to }, passing(found.filters))
}

interface Selected {
  list: List<'payment'>
  /** Every payment of the list is selected. */
  isExact: boolean
  filters: PaymentFilters
}

/** Where to look, and for what; undefined where another organization's agent or counterparty is named, or none. */
function selected(services: Services, caller: Caller, selection: PaymentSelection): Selected | undefined {
  const { agentId, counterpartyId, ...rest } = selection
  if (agentId !== undefined && !isOwn(services, caller, agentId)) return undefined
  const recipient = counterpartyId === undefined ? undefined : addressOf(services, caller, counterpartyId)
  if (counterpartyId !== undefined && recipient === undefined) return undefined
  const filters = { ...rest, search: rest.search || undefined, recipient }
  const { list, isExact } = shortestList(caller.principal.organization, agentId, filters)
  return { list, isExact: isExact && !isSought(filters), filters }
}

function isSoughtBy({ counterpartyId, search, ...filters }: PaymentSelection): boolean {
  return isSought({ ...filters, search: search || undefined, recipient: counterpartyId })
}

/** Its record may be deleted: the address stays. */
function addressOf(services: Services, { principal }: Caller, counterpartyId: string): string | undefined {
  const counterparty = isCounterpartyId(counterpartyId) && services.host.peek(`counterparty/${counterpartyId}`)
  if (!counterparty || counterparty.context.organization !== principal.organization) return undefined
  return counterparty.context.address
}

/** The list with the fewest others, and whether it has none. */
function shortestList(organization: string, agentId: string | undefined, filters: ListedFilters) {
  // Transfers, which most payments are, have no list of their own.
  const by = NAMED_BY.find((field) => filters[field] !== undefined && filters[field] !== 'TRANSFER')
  const others = NAMED_BY.some((field) => field !== by && filters[field] !== undefined)
  if (by !== undefined) {
    const name = paymentName(by, filters[by]!)
    const list = agentId === undefined ? namedPaymentsOf(organization, name) : agentNamedPaymentsOf(agentId, name)
    return { list, isExact: filters.status === undefined && !others }
  }
  const state = filters.status && listOfStatus(filters.status)
  const list = agentId === undefined ? paymentsOf(organization, state) : agentPaymentsOf(agentId, state)
  return { list, isExact: !others }
}

/** The payments of a list that pass the filters, counted: it reads the whole list. */
async function counted(
  services: Services,
  organization: string,
  list: List<'payment'>,
  query: Paging & ListedFilters & Pick<PaymentSelection, 'from' | 'to'>,
): Promise<Page<'payment'> | undefined> {
  await services.overdue.end(organization, SLICES_OF_READ)
  const { from = 0, to = Infinity, limit, offset, cursor, status, paymentKey, reference, sessionId, rail } = query
  const passes = passing({ status, paymentKey, reference, sessionId, rail })
  return services.query.filtered({ limit, offset, cursor, list }, (payment) => {
    const { createdAt } = payment.context
    return createdAt >= from && createdAt <= to && passes(payment)
  })
}

/** A key of the agent names at most three payments, one of each way to ask. */
async function byKey(
  services: Services,
  caller: Caller,
  agent: string,
  { idempotencyKey, limit, offset, cursor, ...filters }: OwnPaymentList,
): Promise<Page<'payment'> | undefined> {
  const ids = (['request', 'approve', 'card'] as const).map((through) => paymentIdOf(agent, idempotencyKey!, through))
  const found = await Promise.all(ids.map((id) => findPayment(services, caller, id)))
  const actors = found.flatMap((one) => (one.ok ? [one.value] : []))
  const passes = passing(filters)
  const refs = actors.filter((actor) => passes(actor)).map(({ ref }) => ref)
  return services.query.among(`payments-by-key/${agent}/${idempotencyKey!}`, refs, { limit, offset, cursor })
}
