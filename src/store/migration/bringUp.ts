// Brings a data folder to the present schema before anything else opens it: a bounded number of rows in each commit,
// which says how far it is, so that a start that was interrupted goes on where it ended.
import { open, type RootDatabase } from 'lmdb'
import type { Json } from '../../domain/values/canonical.js'
import { Fence } from '../folder/fence.js'
import { noJournal } from '../journal/journal.js'
import { ENVIRONMENT } from '../open.js'
import { Table } from '../table.js'
import { Writer } from '../writer.js'
import { refuseSchema, SCHEMA, SCHEMA_STEPS, type SchemaStep, type SchemaSteps } from './schema.js'

/** Rows of a commit. */
const READ = 500
/** Of `meta`: how far the step is that is under way. */
const PROGRESS = 'schemaProgress'

interface Progress {
  table: string
  /** All rows up to this key are done. */
  key: string
}

/** Throws as refuseSchema does. The folder's lock must be held. */
export async function bringUp(folder: string, steps: SchemaSteps = SCHEMA_STEPS): Promise<void> {
  const root = open({ path: folder, ...ENVIRONMENT, eventTurnBatching: false })
  try {
    await new SchemaMigration(root).run(folder, steps)
  } finally {
    await root.close()
  }
}

class SchemaMigration {
  readonly #root: RootDatabase
  readonly #fence: Fence
  readonly #writer = new Writer(() => {})
  readonly #tables = new Map<string, Table<Json>>()

  constructor(root: RootDatabase) {
    this.#root = root
    this.#fence = new Fence(root)
  }

  async run(folder: string, steps: SchemaSteps): Promise<void> {
    const found = this.#table('meta').get('schema') as number | undefined
    refuseSchema(folder, found, steps)
    if (found === undefined || found === SCHEMA) return
    const place = this.#fence.raise()
    // Nobody is told of a row before LMDB has it.
    this.#writer.begin({
      journal: noJournal,
      width: 1,
      sequence: place.sequence,
      store: (_, write) => this.#fence.commit(place, write),
      isHeld: () => this.#fence.isHeld,
    })
    try {
      for (let from = found; from < SCHEMA; from += 1) await this.#take(from, steps[from]!)
    } finally {
      await this.#writer.stored()
    }
  }

  async #take(from: number, step: SchemaStep): Promise<void> {
    const meta = this.#table('meta')
    const names = Object.keys(step)
    const progress = meta.get(PROGRESS) as Progress | undefined
    const first = progress ? names.indexOf(progress.table) : 0
    for (const [index, name] of names.slice(first).entries()) {
      await this.#renew(name, step[name]!, index === 0 ? progress?.key : undefined)
    }
    meta.remove(PROGRESS)
    meta.put('schema', from + 1)
    await this.#writer.flushed()
  }

  async #renew(name: string, rowsFor: SchemaStep[string], after: string | undefined): Promise<void> {
    const table = this.#table(name)
    for (let last = after; ;) {
      const rows = [...table.range({ ...(last !== undefined && { start: `${last}\0` }), limit: READ })]
      if (rows.length === 0) return
      // A row that throws must leave nothing queued: its commit would not say how far it is.
      const written = rows.flatMap(([key, value]) => rowsFor(key, value))
      for (const [key] of rows) table.remove(key)
      for (const row of written) this.#table(row.table).put(row.key, row.value)
      last = rows.at(-1)![0]
      this.#table('meta').put(PROGRESS, { table: name, key: last })
      await this.#writer.flushed()
    }
  }

  #table(name: string): Table<Json> {
    const table = this.#tables.get(name) ?? new Table<Json>(this.#root, name, this.#writer)
    this.#tables.set(name, table)
    return table
  }
}
