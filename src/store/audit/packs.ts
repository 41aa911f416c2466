// Packs: each has the entries of a whole group of an organization's audit log, as their rows had them, compressed in one
// row. Entries lie one by one first, and are packed behind the commit (packing.ts).
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import type { EntryRow } from '../records/entryForm.js'
import { auditKey, organizationIn, sequenceIn, under } from '../records/keys.js'
import { CHECKSUM_BYTES, DamagedRecord } from '../storedRows.js'
import type { Table } from '../table.js'

/** Entries of a group: a part of a tile. */
export const GROUP = 64
/** A group with more, uncompressed, stays as it is: an answer that needs one entry unpacks a whole pack. */
export const MOST_PACKED_BYTES = 2 ** 20
/** Packs that are kept uncompressed, at least the last half, for those who read entries one after the other. */
const KEPT_PACKS = 16
const LINE_END = 0x0a
/** The lowest takes a third of the time of the next, and the pack is as small. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const compress = promisify(brotliCompress)

/** The group of an entry, from 0 on. */
const groupOf = (sequence: number): number => Math.floor((sequence - 1) / GROUP)

/** The sequence of the first entry of a group. */
export const firstOf = (group: number): number => group * GROUP + 1

/** True for the rows of entries that a pack can give back as they are. */
export function canPack(texts: readonly Buffer[]): boolean {
  return texts.length === GROUP && !texts.some((text) => text.includes(LINE_END))
}

/** The pack of the rows of a group; they are compressed by a thread of libuv's. */
export async function packed(texts: readonly Buffer[]): Promise<Buffer> {
  const lines = texts.flatMap((text) => [text, Buffer.of(LINE_END)])
  return compress(Buffer.concat(lines), COMPRESSION)
}

/** The texts of the rows. Throws for bytes that are no pack. */
function unpacked(pack: Buffer): Buffer[] {
  const lines = brotliDecompressSync(pack, { maxOutputLength: MOST_PACKED_BYTES + GROUP })
  const texts: Buffer[] = []
  for (let from = 0, end = 0; from < lines.length; from = end + 1) {
    end = lines.indexOf(LINE_END, from)
    texts.push(lines.subarray(from, end))
  }
  if (texts.length !== GROUP) throw new RangeError(`A pack has ${texts.length} entries, not ${GROUP}`)
  return texts
}

/** The rows of its entries. */
export function rowsInPack(pack: Buffer): EntryRow[] {
  return unpacked(pack).map(rowIn)
}

const rowIn = (text: Buffer): EntryRow => JSON.parse(text.toString()) as EntryRow

export class AuditPacks {
  readonly #table: Table<Buffer>
  /** Texts by key; a pack never changes. */
  readonly #kept = new BoundedCache<string, Buffer[]>(KEPT_PACKS)

  constructor(table: Table<Buffer>) {
    this.#table = table
  }

  /** The row of a packed entry, and the size that it had; undefined for one that is not packed. */
  entry(organization: string, sequence: number): { value: EntryRow; bytes: number } | undefined {
    const group = groupOf(sequence)
    const text = this.#texts(auditKey(organization, group))?.[sequence - firstOf(group)]
    return text && { value: rowIn(text), bytes: text.length + CHECKSUM_BYTES }
  }

  /** The rows of all packed entries with their keys, in order. */
  *rows(): Generator<[key: string, row: EntryRow]> {
    for (const key of this.#table.keys({})) {
      const organization = organizationIn(key)
      const first = firstOf(sequenceIn(key))
      for (const [at, text] of this.#texts(key)!.entries()) {
        yield [auditKey(organization, first + at), rowIn(text)]
      }
    }
  }

  /** The last group that is packed; -1 where none is. */
  last(organization: string): number {
    const { start, end } = under(organization)
    for (const key of this.#table.keys({ start: end, end: start, reverse: true, limit: 1 })) return sequenceIn(key)
    return -1
  }

  /** Queues a pack. */
  put(organization: string, group: number, pack: Buffer): void {
    this.#table.put(auditKey(organization, group), pack)
  }

  #texts(key: string): Buffer[] | undefined {
    return this.#kept.getOrInsertComputed(key, () => {
      const pack = this.#table.committed(key)
      try {
        return pack && unpacked(pack)
      } catch (error) {
        throw new DamagedRecord(this.#table.name, key, { cause: error })
      }
    })
  }
}
