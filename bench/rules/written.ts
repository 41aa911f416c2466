// The rules of the bench as users write them: every one is evaluated, and none objects to the requested payment.
import { WISH } from '../wish.js'

export interface WrittenRule {
  ruleType: string
  operator?: string
  value: unknown
}

/** More than all payments of a bench add up to. */
export const PLENTY = 900_000_000

type Make = (index: number) => WrittenRule

const address = (index: number): string => `0x${(index + 1).toString(16).padStart(40, '0')}`
const listed = (ruleType: string, value: string[]): WrittenRule => ({ ruleType, operator: 'IN_LIST', value })
const PERIODS = ['DAILY_LIMIT', 'WEEKLY_LIMIT', 'MONTHLY_LIMIT'] as const
const periodOf = (index: number): string => PERIODS[Math.floor(index / KINDS.length) % PERIODS.length]!

/** An amount, a category, a recipient, a time, a sum; then the same again with other values. */
const KINDS: Make[] = [
  (index) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 1_000 + index }),
  (index) => listed('ALLOWED_CATEGORIES', [`OTHER ${index}`, 'DATA', WISH.category]),
  (index) => listed('BLOCKED_COUNTERPARTIES', [address(2 * index), address(2 * index + 1)]),
  (index) => ({ ruleType: 'DATE_RANGE', value: { start: '2020-01-01', end: `${2100 + index}-01-01` } }),
  (index) => ({ ruleType: periodOf(index), operator: 'LTE', value: PLENTY - index }),
]

export function rulesOf(count: number): WrittenRule[] {
  return Array.from({ length: count }, (_, index) => KINDS[index % KINDS.length]!(index))
}
