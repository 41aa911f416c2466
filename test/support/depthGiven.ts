// The depth that DEPTH gives, for what also runs outside of ava; tests take it from depth.ts.

export const DEPTH = Number(process.env['DEPTH'] ?? '1')
if (!(DEPTH > 0)) throw new Error(`DEPTH must be a number above 0, not "${process.env['DEPTH']}"`)

/** Whether what is only probable can be expected: that enough random cases were of every sort. */
export const isFull = DEPTH >= 1
