// The port through which audit logs are followed: who waits for the next entries, and is told when they are on disk.
/** Tells those who follow an organization's audit log when it has grown. It costs nothing while nobody does. */
export interface Follower {
  /** A place among the followers, taken at once; undefined where no more may follow this organization, or any. */
  follow(organization: string): Following | undefined
}

export interface Following {
  /** Resolves with what may be told now; after `waitMs` with nothing, where nothing came; and when all ends. */
  next(after: number, waitMs: number): Promise<Share>
  /** The service stops, or the place was given back. */
  isOver(): boolean
  close(): void
}

export interface Share {
  /** The last sequence, as committed, or what it was asked after. */
  last: number
  /** So many entries may be told, so that followers take a bounded part of the processor; 0 where there are none. */
  most: number
}
