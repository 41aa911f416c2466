// A wallet's funds against a chain that mines its transfers in any order and is read at any block: captured amounts are
// never available again, and in the end the balance equals the chain's.
import test from 'ava'
import fc from 'fast-check'
import { afterCapture, afterReading, afterSettled, afterTransfer, type Funds } from '../../src/domain/limits/funds.js'
import { runs } from '../support/depth.js'

const INITIAL = 1_000
const FIRST_BLOCK = 100
const MAX_BLOCKS = 5

const seen = (balance: number, block: number): Funds =>
  afterReading({ balance: 0, unsettled: 0, observed: null }, { balance, block })

test('Transfers of the same block, or reported out of block order, are each subtracted once', (t) => {
  const orders: [blocks: number[], amounts: number[]][] = [
    [
      [105, 105],
      [40, 30],
    ],
    [
      [107, 105],
      [30, 40],
    ],
    [
      [105, 107],
      [40, 30],
    ],
  ]
  for (const [blocks, amounts] of orders) {
    const captured = amounts.reduce((funds, amount) => afterCapture(funds, amount, 'pending'), seen(100, 104))
    const told = amounts.reduce((funds, amount, index) => afterTransfer(funds, amount, blocks[index]!), captured)
    t.like(told, { balance: 30, unsettled: 0 }, String(blocks))
    t.like(afterReading(told, { balance: 30, block: 107 }), { balance: 30, unsettled: 0 })
  }
})

test('An external transfer is subtracted only if the last reading was before its block', (t) => {
  for (const [readAt, balance] of [
    [104, 100],
    [105, 60],
    [107, 60],
  ] as const) {
    const told = afterSettled(seen(balance, readAt), 40, 105)
    t.like(told, { balance: 60, unsettled: 0 }, String(readAt))
    t.like(afterReading(told, { balance: 60, block: 108 }), { balance: 60, unsettled: 0 })
  }
})

interface Sent {
  amount: number
  block: number
}

/** The wallet's balance at this block, given these transfers. */
function balanceAt(transfers: readonly Sent[], block: number): number {
  return transfers.reduce((left, sent) => (sent.block <= block ? left - sent.amount : left), INITIAL)
}

const transfer = fc.record({
  amount: fc.integer({ min: 1, max: 50 }),
  block: fc.integer({ min: 1, max: MAX_BLOCKS }).map((after) => FIRST_BLOCK + after),
})
/** Transfers, the order in which they are reported, and the block that is read before each report, if any. */
const scene = fc.record({
  transfers: fc.array(transfer, { minLength: 1, maxLength: 8 }),
  order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  looks: fc.array(fc.option(fc.integer({ min: 0, max: MAX_BLOCKS }), { nil: undefined }), {
    minLength: 8,
    maxLength: 8,
  }),
})

test('The balance never exceeds what the chain will leave, and in the end equals it', (t) => {
  fc.assert(
    fc.property(scene, ({ transfers, order, looks }) => {
      const left = balanceAt(transfers, FIRST_BLOCK + MAX_BLOCKS)
      let funds = transfers.reduce(
        (before, { amount }) => afterCapture(before, amount, 'pending'),
        seen(INITIAL, FIRST_BLOCK),
      )
      const told = transfers.map((sent, index) => ({ ...sent, place: order[index]! })).sort((a, b) => a.place - b.place)
      for (const [index, { amount, block }] of told.entries()) {
        const look = looks[index]
        if (look !== undefined)
          funds = afterReading(funds, { balance: balanceAt(transfers, FIRST_BLOCK + look), block: FIRST_BLOCK + look })
        if (funds.balance > left) return false
        funds = afterTransfer(funds, amount, block)
        if (funds.balance > left) return false
      }
      const last = FIRST_BLOCK + MAX_BLOCKS
      return afterReading(funds, { balance: balanceAt(transfers, last), block: last }).balance === left
    }),
    { numRuns: runs(2_000) },
  )
  t.pass()
})
