// Port for lists and look-ups: what the store can read beside single actors.
import type { Delivery, DeliveryStatus } from '../domain/outcomes/delivery.js'
import type { Ref } from '../domain/limits/gate.js'
import type { StatsQuery, StatsRead } from '../domain/payment/stats.js'
import type { List, LookUp } from '../domain/values/lists.js'
import type { NetworkRow } from '../domain/parties/networkTotals.js'
import type { PolicyVersion } from '../domain/parties/policy.js'
import type { Actor } from './actor.js'
import type { View } from './host.js'

export interface Paging {
  limit: number
  /** Ignored when a cursor is given. */
  offset: number
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface PageQuery<K extends string = string> extends Paging {
  list: List<K>
  /** Epoch ms bounds, both inclusive: of the execution time for transactions, else of the creation time. */
  from?: number | undefined
  to?: number | undefined
}

export interface Page<K extends string = string> {
  actors: Actor<K>[]
  total: number
  nextCursor?: string
}

/** A page of what was looked for. */
export interface Sought<K extends string = string> extends Omit<Page<K>, 'total'> {
  /** Undefined where counting would read too much. */
  total: number | undefined
}

export interface CounterpartySearch extends Paging {
  organization: string
  part: string
  /** State of the chart; undefined for every listed counterparty. */
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

export interface ListedPayment {
  id: string
  /** Epoch ms of its request. */
  at: number
}

export interface QueryPort {
  /** One page of a list, newest first; undefined when the cursor does not belong to this list. */
  page<K extends string>(query: PageQuery<K>): Promise<Page<K> | undefined>
  /**
   * One page of the actors of a list that `keep` accepts, newest first. Reads the whole list, in steps and one reader of
   * a list at a time.
   */
  filtered<K extends string>(query: PageQuery<K>, keep: (actor: Actor<K>) => boolean): Promise<Page<K> | undefined>
  /**
   * One page of the actors of a list that `keep` accepts, newest first, without their total. It ends when it is full or
   * has looked at `most` actors: it may be short, even empty, and goes on at its cursor. One reader of a list at a time.
   */
  sought<K extends string>(
    query: PageQuery<K>,
    keep: (actor: Actor<K>) => boolean,
    most: number,
  ): Promise<Sought<K> | undefined>
  /**
   * All actors of a list that `keep` accepts, newest first, in batches that may be empty, as fast as they are taken. Holds
   * one batch.
   */
  every<K extends string>(
    query: Pick<PageQuery<K>, 'list' | 'from' | 'to'>,
    keep: (actor: Actor<K>) => boolean,
  ): AsyncIterable<Actor<K>[]>
  /** One page of these actors, newest first, as a list of that name. Only for small sets. */
  among<K extends string>(list: string, refs: readonly Ref<K>[], paging: Paging): Promise<Page<K> | undefined>
  /**
   * One page of an organization's counterparties whose name or address contains `part`, ignoring case, newest first.
   */
  counterpartiesWith(query: CounterpartySearch): Promise<Page<'counterparty'> | undefined>
  /** What all organizations of this shard together paid to a canonical address, as committed. */
  network(address: string): Promise<NetworkRow>
  /** Every actor of a short list, newest first, as committed. */
  all<K extends string>(list: List<K>): Promise<Actor<K>[]>
  /**
   * The refs of a short list, newest first, without waiting for the disk. An unchanged list may return the same array,
   * a changed one never does: callers compare by identity.
   */
  refs<K extends string>(list: List<K>): readonly Ref<K>[]
  /** The number of actors in a list, pending writes included. */
  size(list: List): number
  /** The actor as it is on disk, without waiting: as old as what `refs` shows. */
  committed: View
  /** The actor filed under a name. */
  lookup<K extends string>(name: LookUp<K>): Ref<K> | undefined
  /** The payment that was made in this order, on disk. */
  paymentAt(order: number): Ref<'payment'> | undefined
  /** One version of a policy, as it was written. */
  version(policyId: string, version: number): Promise<PolicyVersion | undefined>
  /** One page of an organization's deliveries, newest first; undefined when the cursor does not belong to this list. */
  deliveries(query: DeliveryPageQuery): Promise<DeliveryPage | undefined>
  delivery(organization: string, id: string): Promise<Delivery | undefined>
  /** The latest delivery to a channel, as the store knows it now. */
  lastDelivery(organization: string, channelId: string): { at: number; status: DeliveryStatus } | undefined
  /** Sums of the organization's payments: all that were answered are counted. Undefined where they are too many for one answer. */
  stats(query: StatsQuery): Promise<{ rows: StatsRead; all: StatsRead } | undefined>
  /** Payments of a list that were made after `since` (epoch ms), newest first, at most `limit`. */
  madeSince(list: List<'payment'>, since: number, limit: number): ListedPayment[]
}
