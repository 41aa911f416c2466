// What a payment buys, in the bodies and records of payments: the sum of its items is the payment's amount, exactly.
import { refuse, succeed } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import { parseAmount, toNumber, type Micros } from '../../../domain/values/money.js'
import type { LineItem } from '../../../domain/payment/terms.js'
import { amountSchema, listSchema, recordSchema, titled, readAs, text } from '../../input/schemas.js'

const MOST = 50
const MILLION = 1_000_000n

/** A number above 0; decimal text is taken, too. */
function quantity() {
  const message = 'must be a number above 0, below 1000000000 and with at most 6 decimals'
  return readAs<number>({ description: 'A quantity above 0, with at most 6 decimals.', ...AS_AMOUNT }, (value) => {
    const millionths = parseAmount(value)
    return millionths === undefined ? refuse('VALIDATION_ERROR', message) : succeed(toNumber(millionths))
  })
}

const AS_AMOUNT = {
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000_000 },
    { type: 'string', pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,6})?$' },
  ],
} as const

export const lineItems = () =>
  v.optional(
    listSchema(
      titled(
        'GivenItem',
        v.strictObject({ description: text(1, 200), quantity: quantity(), unitAmount: amountSchema() }),
      ),
      {
        min: 1,
        max: MOST,
      },
    ),
  )

export const lineItemsSchema = v.nullable(
  v.array(recordSchema('LineItem', { description: v.string(), quantity: v.number(), unitAmount: v.number() })),
)

/** Exact: quantities have millionths as amounts do. */
function sumsUp(items: readonly LineItem[], total: Micros): boolean {
  let sum = 0n
  for (const { quantity, unitAmount } of items) sum += BigInt(parseAmount(quantity)!) * BigInt(unitAmount)
  return sum === BigInt(total) * MILLION
}

interface Itemized {
  amount: Micros
  lineItems?: LineItem[] | undefined
}

/** For the body of a payment. */
export const itemsSumUp = <Body extends Itemized>() =>
  v.rawCheck<Body>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { amount: total, lineItems: items } = dataset.value
    if (items === undefined || sumsUp(items, total)) return
    const place = { type: 'object', origin: 'value', input: dataset.value, key: 'lineItems', value: items } as const
    addIssue({ message: `must add up to the amount, ${toNumber(total)}`, path: [place as never] })
  })
