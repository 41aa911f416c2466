// The percentiles of a list of latencies.

/** Sorts the list in place. */
export function latenciesOf(latencies: Float64Array): { p50Ms: number; p99Ms: number } {
  latencies.sort()
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
