// The writes of a table on their way: queued, then in an entry of the journal, then in LMDB. For each key the newest one,
// and behind it the earlier one that still counts for who asks for what is durable.

import type { EntryWriter } from './journal/entry.js'

export interface Write<Value> {
  readonly key: string
  /** A value to be written, or what gives its JSON text, while it is queued; a removal has neither. */
  value: Value | undefined
  json: (() => string) | undefined
  isRemoval: boolean
  /** Undefined while it is queued. */
  entry: EntryWriter | undefined
  /** Where its value lies in the entry. */
  from: number
  to: number
  older: Write<Value> | undefined
  /** A later write of the key is durable, too. */
  isOver: boolean
}

/** The bytes of a write that is in an entry and no removal. */
export const bytesOf = ({ entry, from, to }: Write<unknown>): Buffer => entry!.bytes.subarray(from, to)

const sequenceOf = ({ entry }: Write<unknown>): number => entry?.sequence ?? Infinity

export class Writes<Value> {
  readonly #newest = new Map<string, Write<Value>>()
  #queued: Write<Value>[] = []

  newest(key: string): Write<Value> | undefined {
    return this.#newest.get(key)
  }

  /** The newest among the entries up to `sequence`. */
  durable(key: string, sequence: number): Write<Value> | undefined {
    return durableOf(this.#newest.get(key), sequence)
  }

  queue(key: string, value: Value | undefined, json: (() => string) | undefined): void {
    const newest = this.#newest.get(key)
    const isRemoval = value === undefined && json === undefined
    if (newest && newest.entry === undefined) {
      newest.value = value
      newest.json = json
      newest.isRemoval = isRemoval
      return
    }
    const write = { key, value, json, isRemoval, entry: undefined, from: 0, to: 0, older: newest, isOver: false }
    this.#newest.set(key, write)
    this.#queued.push(write)
  }

  /** Those that the next entry holds. */
  take(): Write<Value>[] {
    const taken = this.#queued
    if (taken.length > 0) this.#queued = []
    return taken
  }

  /** True while a write of the key is not among the entries up to `sequence`. */
  isPending(key: string, sequence: number): boolean {
    const newest = this.#newest.get(key)
    return newest !== undefined && sequenceOf(newest) > sequence
  }

  /** They are durable: what they replace does not count any more. */
  landed(writes: readonly Write<Value>[]): void {
    for (const write of writes) {
      if (write.older) write.older.isOver = true
      write.older = undefined
    }
  }

  /** LMDB shows them: their entries are not in memory any more. */
  stored(writes: readonly Write<Value>[]): void {
    for (const write of writes) {
      let newer = this.#newest.get(write.key)
      if (newer === write) this.#newest.delete(write.key)
      while (newer && newer.older !== write) newer = newer.older
      if (newer) newer.older = undefined
    }
  }

  /** The newest of each key between `start` and `end` that are not among the entries up to `sequence`; true if kept. */
  between(start: string, end: string, sequence = -1): Map<string, boolean> {
    const found = new Map<string, boolean>()
    for (const write of this.#newest.values()) {
      const { key, isRemoval } = write
      if (key > start && key < end && sequenceOf(write) > sequence) found.set(key, !isRemoval)
    }
    return found
  }

  /** Those up to `sequence` that LMDB may not show yet, whose key is in the range, in its order. */
  durableIn(range: KeyRange, sequence: number): Write<Value>[] {
    const found: Write<Value>[] = []
    for (const newest of this.#newest.values()) {
      const write = isIn(newest.key, range) ? durableOf(newest, sequence) : undefined
      if (write) found.push(write)
    }
    const step = range.reverse ? -1 : 1
    return found.sort((a, b) => (a.key < b.key ? -step : step))
  }
}

/** From `start`, with it, to `end`, without it; downwards when reversed. */
export interface KeyRange {
  start?: string
  end?: string
  reverse?: boolean
}

function durableOf<Value>(newest: Write<Value> | undefined, sequence: number): Write<Value> | undefined {
  let write = newest
  while (write && sequenceOf(write) > sequence) write = write.older
  return write
}

function isIn(key: string, { start, end, reverse }: KeyRange): boolean {
  if (reverse) return (start === undefined || key <= start) && (end === undefined || key > end)
  return (start === undefined || key >= start) && (end === undefined || key < end)
}
