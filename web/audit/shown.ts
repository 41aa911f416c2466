// What a reader sees of the data of an audit entry: without fields that only operate the service, without what is empty,
// with amounts, times and statuses in readable form. The download has everything.
import { AS_WRITTEN, isFields, type Fields } from '../components/anyValue.js'
import { differencesWithin, type Difference } from '../components/difference.js'
import { fromMicros, money } from '../format/money.js'
import { isMoment, utc } from '../format/time.js'
import { statusOfState } from '../format/words.js'

/** Counters, hashes of parts, and switches of the charts; the time of a creation is the entry's own. */
const INTERNAL: ReadonlySet<string> = new Set([
  'approvedForMs',
  'asksPerson',
  'barred',
  'block',
  'chainType',
  'change',
  'contentHash',
  'countsAs',
  'createdAt',
  'facts',
  'formerApprovals',
  'generation',
  'join',
  'joins',
  'keepsKey',
  'nonce',
  'password',
  'policySetHash',
  'preapproval',
  'review',
  'reviews',
  'setUp',
  'step',
  'steps',
  'sums',
  'tally',
  'updatedAt',
  'waitsForMs',
])
const AMOUNTS =
  /^(amount|unitAmount|amountAtLeast|maxAmountNow|balance|total|(day|week|month)Total|totalVolume|averageAmount|lowBalanceBelow|highValueAbove|spendLimit\w+)$/
/** Of a violation, unless its unit says that they are counts. */
const BOUNDS = /^(limit|current)$/
const TIMES = /(At|^at|^now)$/

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0)

/** A value as it is shown; undefined if nothing of it is. */
function shown(name: string, value: unknown): unknown {
  if (AS_WRITTEN.has(name)) return isEmpty(value) ? undefined : value
  if (Array.isArray(value)) {
    const all = value.map((one) => shown(name, one)).filter((one) => !isEmpty(one))
    return all.length === 0 ? undefined : all
  }
  if (isFields(value)) return shownFields(name, value)
  if (isEmpty(value)) return undefined
  if (name === 'state') return statusOfState(String(value))
  if (AMOUNTS.test(name) && Number.isSafeInteger(value)) return money(fromMicros(BigInt(value as number)))
  return TIMES.test(name) && isMoment(value) ? (value === 0 ? undefined : utc(value)) : value
}

function shownFields(name: string, value: Fields): unknown {
  const isOfAmounts = 'message' in value && value['unit'] !== 'COUNT'
  const isPolicy = name === 'policies' && 'version' in value
  const fields = Object.entries(value).flatMap(([key, one]) => {
    if (INTERNAL.has(key)) return []
    const inner = shown(isOfAmounts && BOUNDS.test(key) ? 'amount' : key, one)
    return inner === undefined ? [] : [[isPolicy && key === 'id' ? 'policyId' : key, inner] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const isChange = (value: unknown): value is { from?: unknown; to?: unknown } =>
  isFields(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => key === 'from' || key === 'to')

/** What the entry set, as fields; none where it changed a record. */
export function fieldsOf(data: unknown): [field: string, value: unknown][] {
  return Object.entries(isFields(data) ? data : {}).flatMap(([field, value]) => {
    if (INTERNAL.has(field) || isChange(value)) return []
    const seen = shown(field, value)
    return seen === undefined ? [] : [[field, seen] as [string, unknown]]
  })
}

/** What the entry changed, down to the fields that differ. */
export function changesOf(data: unknown): Difference[] {
  return Object.entries(isFields(data) ? data : {}).flatMap(([field, value]) => {
    if (INTERNAL.has(field) || !isChange(value)) return []
    return differencesWithin([field], shown(field, value.from) ?? null, shown(field, value.to) ?? null)
  })
}
