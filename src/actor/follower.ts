// The port through which audit logs are followed: who waits for the next entry, and is told when it is on disk.
/** Tells those who follow an organization's audit log when it has grown. It costs nothing while nobody does. */
export interface Follower {
  /** So many follow this organization that one more is not taken. */
  isFull(organization: string): boolean
  follow(organization: string): Following
}

export interface Following {
  /** The last sequence, as committed, once it is past `after`; else what it is after `waitMs`, or when all ends. */
  next(after: number, waitMs: number): Promise<number>
  /** The service stops, or the place was given to others. */
  isOver(): boolean
  close(): void
}
