// The mistakes that show in fewer than one of some dozens of seeds: `npm run mutants` finds them, a sample has no time for
// them.
export const RARE: ReadonlySet<string> = new Set([
  'one transfer confirms two payments',
  'what was captured yesterday is taken from today',
  'a token confirms whatever payment',
  'workflows count from above their amount',
  'a transfer that is signed is given up',
  'a key outlives its time',
  'a removed member goes on',
  'a key may more than its person',
  'a block is lifted without approval',
  'who may decide no more counts on',
  'a payment to a blocked address is captured',
])
