// Whole numbers as 11 digits of base 36, which sort like the numbers. Keys and ids are made of them by the dozen for each
// request, and `toString(36)` takes ten times as long.

const PAIR = 36 ** 2
const HALF = PAIR ** 3
const PAIRS = Array.from({ length: PAIR }, (_, value) => value.toString(36).padStart(2, '0'))
const FIRST = Array.from({ length: 36 }, (_, value) => value.toString(36))

/** A number below 2^53. */
export function base36(value: number): string {
  const high = Math.floor(value / HALF)
  const low = value - high * HALF
  return FIRST[Math.floor(high / PAIR ** 2)]! + pairs(high) + PAIRS[Math.floor(low / PAIR ** 2)]! + pairs(low)
}

/** The last four digits of a number below 36^6. */
function pairs(value: number): string {
  return PAIRS[Math.floor(value / PAIR) % PAIR]! + PAIRS[value % PAIR]!
}

export function fromBase36(digits: string): number {
  return Number.parseInt(digits, 36)
}
