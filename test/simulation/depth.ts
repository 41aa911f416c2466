// How many seeds a test plays: DEPTH multiplies them. To be replaced by test/depth.ts.

/** The number of seeds in place of `full`; at least one. */
export function seeds(full: number): number {
  return Math.max(1, Math.round(full * Number(process.env['DEPTH'] ?? 0.1)))
}
