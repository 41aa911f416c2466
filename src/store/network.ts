// Keeps the totals of each address over all organizations, in the commit that changes one organization's share. An
// actor never sees another organization; only this table combines them.
import type { Actor } from '../actor/actor.js'
import { comparable } from '../domain/values/address.js'
import { NO_ROW, rowWith, shareOf, type NetworkRow } from '../domain/parties/networkTotals.js'
import type { Table } from './table.js'

/** A counterparty, and the status that it shows. */
interface Standing {
  actor: Actor<'counterparty'>
  status: string | undefined
}

const partOf = ({ actor, status }: Standing) => shareOf(status, actor.context)

/** Updates the totals of a counterparty's address after a write at `at` (epoch ms); most writes change nothing. */
export function noteInNetwork(
  table: Table<NetworkRow>,
  before: Standing | undefined,
  after: Standing,
  at: number,
): void {
  const key = comparable(after.actor.context.address)
  const known = table.get(key) ?? NO_ROW
  const row = rowWith(known, before && partOf(before), partOf(after), at)
  if (row !== known) table.put(key, row)
}
