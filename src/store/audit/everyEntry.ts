// All audit entries in the order of their keys, the packed ones and those that lie one by one.
import type { StoredEntry } from '../../domain/audit/forms.js'
import { entryFrom, type EntryRow } from '../records/entryForm.js'
import { organizationIn, sequenceIn } from '../records/keys.js'

type Rows = Generator<[key: string, row: EntryRow]>

/** Each with its organization. Of an entry that is in both, as after a repair, the one that lies by itself counts. */
export function* everyEntry(packed: Rows, single: Rows): Generator<[organization: string, entry: StoredEntry]> {
  for (const [key, row] of inOrder(packed, single)) {
    const entry = entryFrom(row, sequenceIn(key))
    if (entry) yield [organizationIn(key), entry]
  }
}

function* inOrder(packed: Rows, single: Rows): Rows {
  let old = packed.next()
  for (const row of single) {
    for (; !old.done && old.value[0] < row[0]; old = packed.next()) yield old.value
    if (!old.done && old.value[0] === row[0]) old = packed.next()
    yield row
  }
  for (; !old.done; old = packed.next()) yield old.value
}
