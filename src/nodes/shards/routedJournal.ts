// The journal of a shard among others: whatever an entry brings that requests are found by is in the directory before the
// entry is durable, so that a new key works at any node as soon as anybody is told of it.
import { BoundedCache } from '../../domain/values/boundedCache.js'
import type { Log } from '../../domain/values/log.js'
import type { Journal } from '../../store/journal/journal.js'
import type { ShardDirectory } from '../../store/journal/postgres/directory.js'
import { changedNames, type HashKey } from './names.js'

/** Names that are known to be there: rows of organizations are written again and again. */
const KNOWN = 10_000

interface RoutedParts {
  journal: Journal
  directory: Pick<ShardDirectory, 'add' | 'remove'>
  hashKey: HashKey
  /** Takes every entry that is durable. */
  onDurable: (entry: Buffer) => void
  log: Log
}

export class RoutedJournal implements Journal {
  readonly #parts: RoutedParts
  readonly #known = new BoundedCache<string, true>(KNOWN)

  constructor(parts: RoutedParts) {
    this.#parts = parts
  }

  async append(sequence: number, entry: Buffer): Promise<void> {
    const { journal, directory, hashKey, onDurable } = this.#parts
    const { added, removed } = changedNames(entry, hashKey)
    const unknown = added.filter((name) => this.#known.get(name) === undefined)
    if (unknown.length > 0) await directory.add(unknown)
    await journal.append(sequence, entry)
    onDurable(entry)
    for (const name of unknown) this.#known.set(name, true)
    if (removed.length > 0) this.#forget(removed)
  }

  confirm(sequence: number): void {
    this.#parts.journal.confirm(sequence)
  }

  trim(sequence: number): Promise<void> {
    return this.#parts.journal.trim(sequence)
  }

  remove(): Promise<void> {
    return this.#parts.journal.remove()
  }

  /** Behind the entry, and nobody waits for it: a name that stays leads to a shard that refuses it. */
  #forget(names: string[]): void {
    const { directory, log } = this.#parts
    for (const name of names) this.#known.delete(name)
    directory.remove(names).catch((error: Error) => log('names stay in the directory', { error }))
  }
}
