// Edge cases of the inspector's format: a chart is serialized once, however many actors have it, and a state that no
// entry has reported yet is omitted.
import test from 'ava'
import { charts, type Charts } from '../../machines/index.js'
import type { AuditEntry } from '../../src/domain/audit/entry.js'
import type { Json } from '../../src/domain/values/canonical.js'
import { Inspector } from '../../src/inspect/inspector.js'

function entryOf(sequence: number, resourceId: string, data: Json): AuditEntry {
  const actor = { type: 'ORGANIZATION_KEY', id: 'key' }
  const chained = { id: `e${sequence}`, previousHash: '', hash: '', at: '2031-07-09T12:00:00.000Z' }
  const turn = { command: 'FUND' }
  return { ...chained, sequence, action: 'wallet.fund', resource: 'wallet', resourceId, actor, turn, data }
}

const FUNDED = { balance: { from: 1, to: 2 } }

test('a chart is serialized once for all inspectors and actors', (t) => {
  let reads = 0
  const { machine, version } = charts.wallet
  const counted = Object.create(machine, { config: { get: () => ((reads += 1), machine.config) } }) as typeof machine
  const seen: Charts = { ...charts, wallet: { ...charts.wallet, machine: counted, version } }
  for (const inspector of [new Inspector(seen), new Inspector(seen)]) {
    for (let sequence = 1; sequence <= 50; sequence += 1) {
      const [introduced] = inspector.eventsOf(entryOf(sequence, `w${sequence}`, FUNDED))
      t.is((JSON.parse(introduced!['definition'] as string) as { id: string }).id, 'wallet')
    }
  }
  t.is(reads, 1)
})

test('a snapshot has the last reported state, or none if none was reported', (t) => {
  const inspector = new Inspector(charts)
  const valueAfter = (sequence: number, data: Json): unknown =>
    (inspector.eventsOf(entryOf(sequence, 'w1', data)).at(-1)!['snapshot'] as { value?: unknown }).value
  t.is(valueAfter(1, FUNDED), undefined)
  t.is(valueAfter(2, FUNDED), undefined)
  t.deepEqual(valueAfter(3, { state: { from: 'kept.active', to: 'kept.frozen' } }), { kept: 'frozen' })
  t.deepEqual(valueAfter(4, FUNDED), { kept: 'frozen' })
})
