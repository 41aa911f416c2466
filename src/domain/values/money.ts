// Amounts of money as whole micro-units, read from and written to JSON. It never rounds or computes with fractions;
// inexact amounts are refused.

/** Millionths of a currency unit, a safe integer. */
export type Micros = number

const MICROS = 1_000_000
// Below 1,000,000,000 and at most 6 decimals; no sign, exponent, leading zero or bare point.
const AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/

/**
 * Parses a JSON number or a decimal string: above 0 (with `zero`, for limits, also 0), below 1,000,000,000, at most 6
 * decimals. Undefined for anything else, including numbers that JavaScript writes with an exponent.
 */
export function parseAmount(value: unknown, options: { zero?: boolean } = {}): Micros | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // String(-0) is '0'.
  const [, units, decimals = ''] = AMOUNT.exec(Object.is(value, -0) ? '-0' : String(value)) ?? []
  if (units === undefined) return undefined
  const micros = Number(units) * MICROS + Number(decimals.padEnd(6, '0'))
  return micros > 0 || options.zero === true ? micros : undefined
}

/** The JSON number to show: the double nearest to `micros` / 1,000,000 (700000 gives 0.7). Negatives are allowed. */
export function toNumber(micros: Micros): number {
  // Both operands are exact, so IEEE division rounds correctly.
  return micros / MICROS
}

/** `a` + `b`, at most 2^53-1. */
export function addCapped(a: Micros, b: Micros): Micros {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER)
}

/** `a` + `b`; throws RangeError when the sum is beyond 2^53-1 in either direction. */
export function addMicros(a: Micros, b: Micros): Micros {
  const sum = a + b
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${a} + ${b} micro-units is no safe integer`)
  return sum
}
