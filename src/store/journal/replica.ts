// A data folder that follows a journal which another process writes: it gets the entries by the bytes, each with its place.
import { open, type RootDatabase } from 'lmdb'
import { Fence, type JournalPlace } from '../folder/fence.js'
import { bringUp } from '../migration/bringUp.js'
import { LaterVersion } from '../migration/laterVersion.js'
import { SCHEMA } from '../migration/schema.js'
import { ENVIRONMENT, MAPPED } from '../open.js'
import { under } from '../records/keys.js'
import { CHECKSUM_BYTES } from '../storedRows.js'
import { EntriesInLmdb } from './entriesInLmdb.js'
import { rowsIn, type JournalEntry } from './entry.js'

const COPY = 'begin with the backup of another node'
const META = 'meta'
const SCHEMA_KEY = 'schema'
const META_ALONE = new Set([META])

export interface FollowedEntry extends JournalEntry {
  epoch: number
}

export class Replica {
  readonly #folder: string
  /** Of the journal that it follows. */
  readonly #journal: string
  #root!: RootDatabase
  #fence!: Fence
  #rows!: EntriesInLmdb

  /** Opens the folder, or makes its database; nobody else may use it. */
  constructor(folder: string, journal: string) {
    this.#folder = folder
    this.#journal = journal
    this.#open()
  }

  get place(): JournalPlace {
    return this.#fence.place
  }

  /** The keys of a table below this one. */
  *keys(table: string, prefix: string): Generator<string> {
    for (const { key } of this.#rows.table(table).range(under(prefix))) yield key
  }

  /** All rows of a table. */
  *rows(table: string): Generator<{ key: string; value: unknown }> {
    for (const { key, value } of this.#rows.table(table).range({})) yield { key, value: valueIn(value) }
  }

  /** The values of a table of bytes. */
  *binary(table: string): Generator<Buffer> {
    for (const { value } of this.#rows.table(table).range({})) yield value.subarray(CHECKSUM_BYTES)
  }

  /**
   * Stores entries that continue the folder's place. Where the layout of the tables changes with one of them, the folder
   * is brought up first, as its writer was. Throws LaterVersion before an entry of a layout that this version does not
   * know.
   */
  async store(entries: readonly FollowedEntry[]): Promise<void> {
    let waiting: FollowedEntry[] = []
    for (const entry of entries) {
      const schema = schemaIn(entry)
      if (schema !== undefined && schema !== this.#schema) {
        await this.#put(waiting)
        waiting = []
        await this.#changeSchema(schema)
      }
      waiting.push(entry)
    }
    await this.#put(waiting)
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #open(): void {
    this.#root = open({ path: this.#folder, maxReaders: 64, ...ENVIRONMENT, ...MAPPED, eventTurnBatching: false })
    this.#fence = new Fence(this.#root)
    this.#fence.raise()
    this.#rows = new EntriesInLmdb(this.#root, this.#fence)
  }

  async #put(entries: readonly FollowedEntry[]): Promise<void> {
    const last = entries.at(-1)
    if (!last) return
    const { sequence, epoch } = last
    await this.#rows.store(entries, { sequence, shared: { journal: this.#journal, epoch } })
  }

  get #schema(): number | undefined {
    const bytes = this.#rows.table(META).get(SCHEMA_KEY)
    return bytes && (valueIn(bytes) as number)
  }

  async #changeSchema(schema: number): Promise<void> {
    if (schema > SCHEMA) throw new LaterVersion('The journal goes on with schema', schema, SCHEMA)
    if (this.#schema === undefined) return
    if (schema < SCHEMA)
      throw new Error(`The journal goes on with schema ${schema}, this version has ${SCHEMA}: ${COPY}`)
    await this.close()
    await bringUp(this.#folder)
    this.#open()
  }
}

/** The schema that the entry's writer had from then on; undefined in those that do not say so. */
function schemaIn({ bytes }: JournalEntry): number | undefined {
  for (const { key, value } of rowsIn(bytes, META_ALONE)) {
    if (key === SCHEMA_KEY && value) return valueIn(value) as number
  }
  return undefined
}

/** Of a row as an entry has it. */
export const valueIn = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8', CHECKSUM_BYTES))
