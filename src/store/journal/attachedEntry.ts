// The first entry of a journal that begins with the content of a folder: it says which folder that was, so that an
// attaching that was interrupted is finished with the same one alone.
import { CHECKSUM_BYTES } from '../storedRows.js'
import { EntryWriter, rowsIn } from './entry.js'

const TABLE = 'meta'
const KEY = 'attached'
const ROOM_BYTES = 1_024

/** `folder` tells it from all others. */
export function attachedEntry(sequence: number, folder: string): Buffer {
  const entry = new EntryWriter(sequence, Buffer.alloc(ROOM_BYTES))
  entry.table(TABLE, 1)
  entry.value(KEY, CHECKSUM_BYTES, JSON.stringify(folder))
  return entry.bytes.subarray(0, entry.end)
}

/** The folder of such an entry; undefined in others. */
export function attachedFolder(entry: Buffer): string | undefined {
  const [row, ...more] = rowsIn(entry)
  if (row?.table !== TABLE || row.key !== KEY || !row.value || more.length > 0) return undefined
  return JSON.parse(row.value.toString('utf8', CHECKSUM_BYTES)) as string
}
