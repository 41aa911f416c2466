// Rows of statistics: any text can be a value, and sums have any size, before and after they are written.
import test from 'ava'
import type { ActorChange } from '../../src/store/change.js'
import { MEASURES, sumOf, type StatsSums } from '../../src/domain/payment/stats.js'
import { ORDERS_PER_MS } from '../../src/domain/values/ids.js'
import { withStore } from '../support/openStore.js'
import { newFolder } from '../support/process.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const DAY_MS = 24 * 60 * 60_000
/** Members of every object, among them. */
const VALUES = ['__proto__', 'constructor', 'toString', 'agent']
const LARGEST = 999_999_999_999_999

function denied(agentId: string, amount: number): ActorChange {
  const terms = { agentId, walletId: null, category: null, amount }
  const context = { terms, order: NOON * ORDERS_PER_MS, executedAt: null, gates: [], decision: null, review: null }
  return {
    before: undefined,
    after: { ref: `payment/${agentId}`, version: 1, revision: 1, state: 'denied', context },
    metaBefore: undefined,
    metaAfter: { status: 'DENIED' },
  } as unknown as ActorChange
}

test('values that every object has, and sums beyond 2^53, are as they were counted, written once or twice', async (t) => {
  await withStore(newFolder(t), async ({ stats }) => {
    for (let round = 1; round <= 2; round += 1) {
      for (const value of VALUES) {
        for (let time = 0; time < 10; time += 1) stats.note('o', NOON, denied(value, LARGEST))
        stats.note('o', NOON, denied(value, 1))
      }
      for (const isWritten of [false, true]) {
        if (isWritten) await stats.flushIfDue(NOON + round * DAY_MS)
        const query = { organization: 'o', from: NOON - DAY_MS, to: NOON + DAY_MS, dimension: 'agent' as const }
        const rows = (await stats.read(query))!.rows.get('')!
        t.deepEqual([...rows.keys()].sort(), [...VALUES].sort())
        for (const sums of rows.values()) t.deepEqual(shown(sums), expected(round), `round ${round}`)
      }
    }
  })
})

const shown = (sums: StatsSums) => MEASURES.map((measure) => sumOf(sums, measure))

function expected(rounds: number) {
  const all = { count: 11 * rounds, amount: (10n * BigInt(LARGEST) + 1n) * BigInt(rounds) }
  const none = { count: 0, amount: 0n }
  return MEASURES.map((measure) => (['requested', 'denied'].includes(measure) ? all : none))
}
