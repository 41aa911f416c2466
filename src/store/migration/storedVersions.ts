// What versions the store has of each kind's actors and of audit entries, in rows of `meta`. A store that has a later
// version than this program knows is refused.
import { AUDIT_FORMAT } from '../../domain/audit/entry.js'
import type { ChartBook } from '../../actor/turn.js'
import { under } from '../records/keys.js'
import type { Table } from '../table.js'
import { LaterVersion } from './laterVersion.js'

interface VersionSpan {
  /** Nothing is of an earlier one. */
  lowest: number
  /** Nothing is, or ever was, of a later one. */
  highest: number
}

/** What has no chart, by name. */
const OTHERS = [['audit', AUDIT_FORMAT]] as const
const PREFIX = 'versions'
/** What lies in a store that has no row. */
const FIRST: VersionSpan = { lowest: 1, highest: 1 }

export class StoredVersions {
  /** The kinds that may have actors of an earlier version than their chart. */
  readonly earlier = new Set<string>()
  readonly #rows: Table<unknown>
  readonly #folder: string
  /** The present versions, by kind and by other name. */
  readonly #known: ReadonlyMap<string, number>

  constructor(meta: Table<unknown>, book: ChartBook, folder: string) {
    this.#rows = meta
    this.#folder = folder
    const charts = Object.entries(book).map(([kind, { version }]) => [kind, version] as const)
    this.#known = new Map([...charts, ...OTHERS])
    for (const [kind, version] of charts) if ((this.#span(kind) ?? FIRST).lowest < version) this.earlier.add(kind)
  }

  /** Throws LaterVersion where the store has, or had, a kind or a version that this program does not know. */
  refuseLater(): void {
    for (const key of this.#rows.keys(under(PREFIX))) {
      const name = key.slice(PREFIX.length + 1)
      const [{ highest }, known = 0] = [this.#span(name)!, this.#known.get(name)]
      const what = `The data folder ${this.#folder} has ${name} records of version`
      if (highest > known) throw new LaterVersion(what, highest, known)
    }
  }

  /** Queues that the present versions may be stored from now on. */
  noteKnown(): void {
    for (const [name, version] of this.#known) {
      const span = this.#span(name)
      if (span === undefined || span.highest < version) this.#put(name, { ...(span ?? FIRST), highest: version })
    }
  }

  /** Queues that no actor of the kind is of an earlier version any more. */
  noteRewritten(kind: string): void {
    const version = this.#known.get(kind)!
    this.earlier.delete(kind)
    this.#put(kind, { lowest: version, highest: version })
  }

  #span(name: string): VersionSpan | undefined {
    return this.#rows.get(`${PREFIX}/${name}`) as VersionSpan | undefined
  }

  #put(name: string, span: VersionSpan): void {
    this.#rows.put(`${PREFIX}/${name}`, span)
  }
}
