// The verifier of a cluster finds what it is for: an answer that is not in the journal any more, whoever lost it.
import test from 'ava'
import { DatabaseConnection } from '../../../src/store/journal/postgres/connection.js'
import { rowsIn } from '../../../src/store/journal/entry.js'
import { startByHand } from '../../cluster/failingDatabase.js'
import { runPlan } from '../../cluster/plan.js'
import { lent } from '../../support/postgres/lent.js'

const PATIENCE_MS = 10_000
const PAYMENTS = new Set(['payments'])
const ENTRIES = { name: 'all', text: 'select seq, bytes from bursar_journal order by seq' }
const REMOVE = { name: 'remove', text: 'delete from bursar_journal where seq >= $1 returning seq' }

/** Removes the last entry that has a new payment, and what is behind it. */
async function loseLastPayment(urls: readonly string[]): Promise<void> {
  const connection = new DatabaseConnection(urls)
  const rows = await connection.query<{ seq: string; bytes: Buffer }>(ENTRIES, [], PATIENCE_MS)
  await connection.query(REMOVE, [lastNew(rows)], PATIENCE_MS)
  connection.close()
}

/** The number of the last entry with the row of a payment that no earlier entry has. */
function lastNew(entries: { seq: string; bytes: Buffer }[]): string {
  const known = new Set<string>()
  let last = ''
  for (const { seq, bytes } of entries) {
    for (const { key } of rowsIn(bytes, PAYMENTS)) {
      if (!known.has(key)) last = seq
      known.add(key)
    }
  }
  return last
}

test.serial('an acknowledged payment that the journal has lost is found, and the folders that differ', async (t) => {
  t.timeout(120_000)
  const database = await lent(t, startByHand)
  if (database === undefined) return
  const faults = { 'nothing fails': { times: 1, happens: async () => {} } }
  const plan = { timesOf: () => 1, seed: 47, say: (line: string) => t.log(line), faults, harm: loseLastPayment }
  const { findings, acknowledged } = await runPlan(t, database, plan)
  t.true(acknowledged > 0)
  const { lost, broken } = findings
  t.true(
    lost.some((problem) => /^payment \S+ was answered as \w+ and is undefined$/.test(problem)),
    lost.join('\n'),
  )
  t.true(
    lost.some((problem) => problem.startsWith('/api/sdk/payments/request was answered 200 ')),
    lost.join('\n'),
  )
  t.is(broken.filter((problem) => problem.includes(' differs from ')).length, 2, broken.join('\n'))
})
