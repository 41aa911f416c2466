// Formats amounts from their digits: the service's numbers have at most 6 decimals and are shown exactly. Sums are in
// whole micro-units.
const SCALE = 6

/** `1234.5` → `1,234.50`; at least two decimals, and all that there are. */
export function decimal(amount: number | string): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? []
  return `${sign}${grouped(whole)}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** `1234` → `1,234`. */
export const grouped = (whole: number | string): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1234.5` → `1,234.50 USDC`. */
export function money(amount: number | string, currency = 'USDC'): string {
  return `${decimal(amount)} ${currency}`
}

export function micros(amount: number | string): bigint {
  const [whole = '0', fraction = ''] = String(amount).split('.')
  return BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE))
}

/** A sum of micro-units as decimal text. */
export function fromMicros(sum: bigint): string {
  const digits = String(sum).padStart(SCALE + 1, '0')
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}

/** With two decimals, for averages and other figures that are not exact amounts. */
export const about = (amount: number): string => decimal(amount.toFixed(2))

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** The share of `limit` in percent, 0 to 100; `amount` is in micro-units. */
export function share(amount: bigint, limit: number): number {
  if (limit <= 0) return 100
  return Math.min(100, Math.max(0, Number((amount * 1000n) / micros(limit)) / 10))
}

/** A limit as text; null is none. */
export const limitText = (limit: number | null): string => (limit === null ? 'no limit' : decimal(limit))
