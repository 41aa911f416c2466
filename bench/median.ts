// The few statistics that the bench needs.

/** The middle value, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2
}

/** The difference of the largest and the smallest value, as a share of the median. */
export function spreadOf(values: number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

/** To three decimals: more would be noise. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
