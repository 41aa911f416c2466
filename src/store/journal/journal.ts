// Where a commit becomes durable before LMDB has it.

export interface Journal {
  /** Resolves when the entry is durable. The journal writes into the first bytes of it, which are the header's. */
  append(sequence: number, entry: Buffer): Promise<void>
  /** All entries up to this one are durable: the service answers them from now on. */
  confirm(sequence: number): void
  /** LMDB has all entries up to this one: their room may be used again. Rejects when LMDB's file is not safe. */
  trim(sequence: number): Promise<void>
  /** LMDB has all entries, and says so: nothing of the journal is needed any more. Rejects as `trim` does. */
  remove(): Promise<void>
}

/** For rows that nobody is told of before LMDB has them. */
export const noJournal: Journal = {
  append: () => Promise.resolve(),
  confirm: () => {},
  trim: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}
