// The invariant of the statistics: after any storm, and after an owner was stopped, they are the sums of a scan.
import { statusOf } from '../../../src/actor/turn.js'
import { charts } from '../../../machines/index.js'
import { isOf } from '../../../src/actor/actor.js'
import { MEASURES, sumOf } from '../../../src/domain/payment/stats.js'
import { amountOf } from '../../../src/domain/payment/terms.js'
import type { Store } from '../../../src/store/store.js'
import { demand } from '../violated.js'

/** Orders of simulated payments are those in which they are made, from 1 on. */
const FROM = 0
const TO = Date.parse('2027-01-01T00:00:00Z')

export async function demandStats(store: Store): Promise<void> {
  await store.stats.recount()
  const scanned = scan(store)
  for (const organization of new Set([...scanned.keys()].map((key) => key.split(' ')[0]!))) {
    const read = await store.stats.read({ organization, from: FROM, to: TO, dimension: 'agent' })
    for (const [agent, sums] of read!.rows.get('') ?? []) {
      for (const measure of MEASURES) {
        const key = `${organization} ${agent} ${measure}`
        const [count, amount] = scanned.get(key) ?? [0, 0]
        const { count: shownCount, amount: shownAmount } = sumOf(sums, measure)
        const shown = `${shownCount} of ${shownAmount}`
        demand(
          'stats',
          shown === `${count} of ${amount}`,
          () => `${key}: ${shown}, and a scan has ${count} of ${amount}`,
        )
        scanned.delete(key)
      }
    }
  }
  demand('stats', scanned.size === 0, () => `the statistics lack ${[...scanned.keys()].join(', ')}`)
}

/** By organization, agent and measure. */
function scan(store: Store): Map<string, [count: number, amount: number]> {
  const sums = new Map<string, [number, number]>()
  for (const actor of store.everyActor()) {
    if (!isOf('payment', actor) || actor.context.terms === null) continue
    const { organization, terms } = actor.context
    const status = statusOf(charts, actor)
    const isApproved = ['APPROVED', 'EXECUTING', 'EXECUTED', 'FAILED'].includes(status)
    const named = { DENIED: 'denied', REQUIRES_APPROVAL: 'pendingApproval', EXECUTED: 'executed', FAILED: 'failed' }
    const measures = [
      'requested',
      ...(isApproved ? ['approved'] : []),
      named[status as keyof typeof named] ?? [],
    ].flat()
    for (const measure of measures) {
      const key = `${organization} ${terms.agentId} ${measure}`
      const [count, amount] = sums.get(key) ?? [0, 0]
      const one = measure === 'executed' ? amountOf(actor.context) : terms.amount
      sums.set(key, [count + 1, amount + one])
    }
  }
  return sums
}
