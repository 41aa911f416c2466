// Port for following audit logs: a follower waits for the next entries and hears when they are on disk.
/** Notifies followers when an organization's audit log has grown. Costs nothing without followers. */
export interface Follower {
  /** Takes a place at once; undefined when this organization, or the service, has no place left. */
  follow(organization: string): Following | undefined
}

export interface Following {
  /** Resolves when there are entries after `after`, after `waitMs` without any, and when following ends. */
  next(after: number, waitMs: number): Promise<FollowerShare>
  /** True once the service stops or the place was given back. */
  isOver(): boolean
  close(): void
}

export interface FollowerShare {
  /** The last committed sequence; `after` when there are no new entries. */
  last: number
  /** Entries that the follower may send now; 0 when there are none. Bounds the processor time that followers take. */
  most: number
}
