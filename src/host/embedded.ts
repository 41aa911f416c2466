// The host of actors: one process, LMDB. It begins attempts on what it knows of the actors, and writes every actor that
// one has touched once, in one commit.
import { Attempt, type Ledger, type AttemptChanges, type MessageRun, type Sender } from '../actor/attempt.js'
import { kindOf, type Actor } from '../actor/actor.js'
import type { FollowUps } from '../actor/followUps.js'
import type { ActorHost, ActorsOf, Unchanged } from '../actor/host.js'
import type { KeyOwner } from '../actor/overlay.js'
import { createTurns, listingMoved, metaOfActor, wakeAtOf, type ChartBook, type RunTurn } from '../actor/turn.js'
import { actionOf } from '../domain/audit/entry.js'
import type { Delivery } from '../domain/outcomes/delivery.js'
import type { Ref } from '../domain/limits/gate.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import type { ActorChange } from '../store/change.js'
import type { Store } from '../store/store.js'
import type { Outbox } from '../webhooks/outbox.js'

const NONE: readonly Delivery[] = []

export interface EmbeddedOptions {
  hotActors: number
  /** Turns events into deliveries; left out, there are none. */
  outbox?: Outbox
  /** What follows from changes, in their commit; left out, nothing does. */
  followUps?: FollowUps
}

export class EmbeddedHost implements ActorHost {
  readonly #book: ChartBook
  readonly #take: RunTurn
  readonly #store: Store
  /** Recently used ones; the store keeps everything that is not yet on disk. */
  readonly #hot: BoundedCache<Ref, Actor>
  readonly #outbox: Outbox | undefined
  readonly #ledger: Ledger
  #commits = 0

  constructor(book: ChartBook, store: Store, { hotActors, outbox, followUps }: EmbeddedOptions) {
    this.#book = book
    this.#take = createTurns(book)
    this.#store = store
    this.#hot = new BoundedCache(hotActors)
    this.#outbox = outbox
    this.#ledger = {
      revision: () => this.#commits,
      actor: (ref) => this.peek(ref),
      keyOwner: (key) => this.keyOwner(key),
      timesHeld: (...asked) => this.timesHeld(...asked),
      lastSequence: (organization) => store.lastSequence(organization),
      commit: (made, attempt) => this.#commit(made, attempt),
      flushed: () => this.flushed(),
      ...(followUps && { followUps }),
    }
  }

  async read<const Refs extends readonly Ref[]>(refs: Refs): Promise<ActorsOf<Refs>> {
    const actors = refs.map((ref) => this.peek(ref))
    await this.flushed()
    return actors as ActorsOf<Refs>
  }

  peek<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    const hot = this.#hot.get(ref) as Actor<K> | undefined
    if (hot) return hot
    const stored = this.#store.actor(ref)
    if (stored) this.#hot.set(ref, stored)
    return stored
  }

  keyOwner(key: string): KeyOwner | undefined {
    return this.#store.keyOwner(key)
  }

  timesHeld(gate: Ref, since: number, most: number): readonly number[] {
    return this.#store.timesHeld(gate, since, most)
  }

  flushed(): Promise<void> {
    return this.#store.flushed()
  }

  attempt(sender: Sender, unchanged?: Unchanged): Attempt | undefined {
    if (this.#store.failure) throw this.#store.failure
    if (unchanged && !unchanged((ref) => this.peek(ref))) return undefined
    return new Attempt(this.#book, this.#take, this.#ledger, sender)
  }

  /** Actors in memory. */
  get hotActors(): number {
    return this.#hot.size
  }

  async #commit(made: AttemptChanges, attempt: Attempt): Promise<void> {
    // Memory must not be ahead of a store that takes nothing any more.
    if (this.#store.failure) throw this.#store.failure
    this.#commits += 1
    const { organization, sender, at, keys, audited, record, events, sentTo } = made
    const deliveries = this.#deliveriesOf(events, attempt)
    for (const { after } of made.actors) this.#hot.set(after.ref, after)
    const actors = made.actors.map(({ before, after }) => actorChange(this.#book, before, after))
    await this.#store.commit({
      organization,
      by: sender,
      at,
      actors,
      keys: [...keys],
      audited: audited.map((run) => ({ ...run, action: this.#actionOf(run) })),
      record: record,
      deliveries,
    })
    this.#outbox?.committed(sentTo, organization, deliveries)
  }

  #actionOf({ before, after, turn }: MessageRun): string {
    const meta = metaOfActor(this.#book, after)
    return actionOf(kindOf(after.ref), turn.command, before?.state === after.state, meta)
  }

  #deliveriesOf(events: AttemptChanges['events'], attempt: Attempt): readonly Delivery[] {
    if (!this.#outbox || events.length === 0) return NONE
    return this.#outbox.deliveriesOf(events, {
      actor: (ref) => attempt.actor(ref),
      before: (ref) => attempt.before(ref),
    })
  }
}

/** What the store is told of a changed actor. */
export function actorChange(book: ChartBook, before: Actor | undefined, after: Actor): ActorChange {
  return {
    before,
    after,
    wakeBefore: before && wakeAtOf(book, before),
    wakeAfter: wakeAtOf(book, after),
    metaBefore: before && metaOfActor(book, before),
    metaAfter: metaOfActor(book, after),
    moved: listingMoved(book, before, after),
  }
}
