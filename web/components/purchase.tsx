// What a payment buys, as its agent says: the invoice or order, the items with their sums, and the attempt at it.
import type { Payment } from '../records.js'
import { Money } from './amounts.js'
import type { Fact } from './facts.js'
import { Table, type Column } from './table.js'

type Item = NonNullable<Payment['lineItems']>[number]

/** For `Facts`: whole, because people compare them with an invoice. */
export function purchaseFacts({ paymentKey, attempt, reference, sessionId }: Payment): Fact[] {
  return [
    ['Purchase', paymentKey],
    ['Attempt', attempt !== undefined && attempt > 1 && attempt],
    ['Reference', reference],
    ['Session', sessionId],
  ]
}

/** The sum of an item may have more digits than an amount: its parts are shown instead. */
export function LineItems({ of: { lineItems, currency } }: { of: Payment }) {
  if (lineItems === null) return null
  const columns: Column<Item>[] = [
    { head: 'Item', cell: ({ description }) => description },
    { head: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
    { head: 'Unit price', align: 'end', cell: ({ unitAmount }) => <Money amount={unitAmount} currency={currency} /> },
  ]
  return (
    <div class="card">
      <h2>Line items</h2>
      <Table
        caption="Line items"
        columns={columns}
        rows={lineItems}
        keyOf={(item) => String(lineItems.indexOf(item))}
      />
    </div>
  )
}
