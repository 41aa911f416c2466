// Short builders of rules as users write them, valid and invalid.
export type Written = { [field: string]: unknown }

export const CAP = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 }
export const NIGHT = { start: '22:00', end: '06:00' }
export const WINDOWS = { windows: [{ start: '2026-01-01', end: '2026-01-02' }] }

/** A rule without operator and action. */
export const pick = (ruleType: string, value: unknown): Written => ({ ruleType, value })

export const hours = (value: Written): Written => ({ ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value })

export const dates = (start: unknown, end: unknown): Written => ({ ruleType: 'DATE_RANGE', value: { start, end } })

export function repeat<Entry>(count: number, entry: (at: number) => Entry): Entry[] {
  return Array.from({ length: count }, (_, at) => entry(at))
}

/** A rule inside this many composites. */
export function nested(levels: number): Written {
  return levels === 0 ? CAP : { ruleType: 'ALL_OF', value: [nested(levels - 1)] }
}
