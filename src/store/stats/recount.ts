// Counts what a process that ended without warning had counted in memory alone: the quarters of an hour that it had marked.
// Payments change meanwhile: each counts here as it was at the start, and its changes count by themselves.
import { Pace } from '../../async/pace.js'
import type { Ref } from '../../domain/limits/gate.js'
import { paymentsOf, transactionsOf } from '../../domain/payment/lists.js'
import { QUARTER_MS, quarterOf, type CountedPayment } from '../../domain/payment/stats.js'
import { base36, fromBase36 } from '../../domain/values/base36.js'
import type { List } from '../../domain/values/lists.js'
import type { Table } from '../table.js'
import { Cells } from './cells.js'
import { ORDERS_PER_MS } from '../../domain/values/ids.js'

export interface StoredPayments {
  /** Payments of a list, in [from, to) of its order. */
  between: (list: List<'payment'>, from: number, to: number) => Iterable<Ref<'payment'>>
  /** What a payment counts as it is now. */
  counted: (ref: Ref<'payment'>) => CountedPayment | undefined
}

export class Recount {
  readonly #payments: StoredPayments
  /** What payments that have changed since counted at the start, by organization. */
  readonly #changed = new Map<string, Map<Ref<'payment'>, CountedPayment | undefined>>()

  constructor(payments: StoredPayments) {
    this.#payments = payments
  }

  changes(organization: string, ref: Ref<'payment'>, before: CountedPayment | undefined): void {
    const changed = this.#changed.get(organization) ?? new Map<Ref<'payment'>, CountedPayment | undefined>()
    this.#changed.set(organization, changed)
    if (!changed.has(ref)) changed.set(ref, before)
  }

  /** What the payments of a quarter counted in it at the start. */
  async quarter(organization: string, quarter: number): Promise<Cells> {
    const cells = new Cells()
    const pace = new Pace()
    const found = new Set<Ref<'payment'>>()
    const [from, to] = [quarter * QUARTER_MS * ORDERS_PER_MS, (quarter + 1) * QUARTER_MS * ORDERS_PER_MS]
    for (const list of [paymentsOf(organization), transactionsOf(organization)]) {
      for (const ref of this.#payments.between(list, from, to)) {
        if (!found.has(ref)) this.#count(cells, organization, ref, quarter)
        found.add(ref)
        await pace.after(0)
      }
    }
    // Those that have left the lists since.
    for (const ref of this.#changed.get(organization)?.keys() ?? []) {
      if (!found.has(ref)) this.#count(cells, organization, ref, quarter)
    }
    return cells
  }

  #count(cells: Cells, organization: string, ref: Ref<'payment'>, quarter: number): void {
    const changed = this.#changed.get(organization)
    const counted = changed?.has(ref) ? changed.get(ref) : this.#payments.counted(ref)
    if (counted) cells.count(counted, quarter, 1)
  }
}

/** The organizations and quarters, as `organization/digits`, in which payments were made or executed. */
export function quartersIn(lists: Table<null>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const all of [paymentsOf(''), transactionsOf('')]) {
    for (const key of lists.keys({ start: all, end: `${all}~` })) {
      const [organization, digits] = key.slice(all.length).split('/') as [string, string]
      // Others are lists of the payments in one state.
      if (!organization.includes('.'))
        found.add(quarterKey(organization, quarterOf(fromBase36(digits) / ORDERS_PER_MS)))
    }
  }
  return found
}

export function quarterKey(organization: string, quarter: number): string {
  return `${organization}/${base36(quarter)}`
}
