// The port that commands list and look up through: what the store knows beside single actors.
import type { Delivery, DeliveryStatus } from '../domain/delivery.js'
import type { Entry, Ref } from '../domain/gate.js'
import type { Network } from '../domain/network.js'
import type { PolicyVersion } from '../domain/policy.js'
import type { Recent } from '../domain/tally.js'
import type { Actor } from './actor.js'

/** Which page of a list is wanted. */
export interface Paging {
  limit: number
  /** Ignored when a cursor is given. */
  offset: number
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined
}

export interface PageQuery extends Paging {
  list: string
  /** Epoch ms bounds of the time that the list goes by, both inclusive: execution for transactions, else creation. */
  from?: number | undefined
  to?: number | undefined
}

export interface Page {
  actors: Actor[]
  total: number
  nextCursor?: string
}

export interface CounterpartySearch extends Paging {
  organization: string
  part: string
  /** Of the chart; undefined for all that are listed. */
  state: string | undefined
}

export interface DeliveryPageQuery extends Paging {
  organization: string
  status?: DeliveryStatus | undefined
}

export interface DeliveryPage {
  deliveries: Delivery[]
  total: number
  nextCursor?: string
}

export interface QueryPort {
  /** One page of a list, newest first; undefined when the cursor is none of this list's. */
  page(query: PageQuery): Promise<Page | undefined>
  /**
   * One page of those actors of a list that `keep` lets through, newest first. It reads the whole list: for lists that
   * stay in the thousands.
   */
  filtered(query: PageQuery, keep: (actor: Actor) => boolean): Promise<Page | undefined>
  /** One page of those actors, newest first. For the few that stand in some short lists together. */
  among(refs: readonly Ref[], paging: Paging): Promise<Page | undefined>
  /** One page of an organization's counterparties whose name or address has `part`, letter case ignored, newest first. */
  counterpartiesWith(query: CounterpartySearch): Promise<Page | undefined>
  /** What all organizations together paid to an address (canonical), as committed. */
  network(address: string): Promise<Network>
  /** Every actor of a short list, newest first, as committed. */
  all(list: string): Promise<Actor[]>
  /**
   * The refs of a short list, newest first, without waiting for the disk. While nothing in it changes it may be the
   * very same list, and it is never that where something has: callers compare.
   */
  refs(list: string): readonly Ref[]
  /** The actor filed under a name. */
  lookup(name: string): Ref | undefined
  /** The row that a gate keeps for a holder, as committed. */
  entry(gate: Ref, holder: string): Promise<Entry | undefined>
  /** One version of a policy, as it was written. */
  version(policyId: string, version: number): Promise<PolicyVersion | undefined>
  /** Up to `limit` actors whose WAKE is due at `now` (epoch ms), the longest overdue first. */
  due(now: number, limit: number): Ref[]
  /** One page of an organization's deliveries, newest first; undefined when the cursor is none of this list's. */
  deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | undefined>
  delivery(organization: string, id: string): Promise<Delivery | undefined>
  /** Those payments of a list that were made after `since` (epoch ms), newest first, at most `limit`. */
  madeSince(list: string, since: number, limit: number): Recent[]
}
