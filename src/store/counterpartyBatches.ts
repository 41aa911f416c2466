// The counterparties of an organization on disk, in batches small enough not to block the event loop.
import type { Actor } from '../actor/actor.js'
import { counterpartiesOf } from '../domain/parties/counterparty.js'
import type { Lists } from './lists.js'
import type { Actors } from './records/actors.js'
import { under } from './records/keys.js'

const BATCH = 100

export function* counterpartyBatches(
  organization: string,
  { lists, actors }: { lists: Lists; actors: Actors },
): Generator<Actor<'counterparty'>[]> {
  const list = counterpartiesOf(organization)
  let { start, end } = under(list)
  for (;;) {
    const keys = [...lists.rows.keys({ start, end, limit: BATCH })]
    yield keys.map((key) => actors.committed(lists.refIn(list, key)) as Actor<'counterparty'>)
    if (keys.length < BATCH) return
    start = `${keys.at(-1)!} `
  }
}
