// Looks through a list for what a filter accepts, newest first, in turns of two milliseconds: one of them in a round of
// the event loop, however many look. What it has read it forgets, so that a long list takes no memory.
import type { Actor } from '../actor/actor.js'
import type { PageQuery, Sought } from '../actor/query.js'
import { yielder } from '../async/yield.js'
import type { List } from '../domain/values/lists.js'
import type { Lists } from './lists.js'
import { boundsOf, cursorOf, skipIn, type ListRange } from './places.js'
import { beforeRow } from './records/keys.js'
import type { Store } from './store.js'

type Keep<K extends string> = (actor: Actor<K>) => boolean

const BATCH = 256

/** A request takes several rounds of the event loop, and each waits for a turn. */
const TURN_MS = 2

/** The keys of a list's rows in batches, newest first: no range stays open while other work comes between. */
export function* keyBatches(lists: Lists, list: string, { start, end }: ListRange): Generator<string[]> {
  for (let from = start; ;) {
    const keys = [...lists.rows.keys({ start: from, end, reverse: true, limit: BATCH })]
    yield keys
    if (keys.length < BATCH) return
    from = beforeRow(list, keys.at(-1)!)
  }
}

export class Scan {
  readonly #store: Store
  readonly #isGone: (actor: Actor) => boolean
  readonly #step = yielder(undefined, TURN_MS)

  constructor(store: Store, isGone: (actor: Actor) => boolean) {
    this.#store = store
    this.#isGone = isGone
  }

  /** One page, from the key `after` on where there is one; it ends when it is full or has looked at `most` rows. */
  async page<K extends string>(
    query: PageQuery<K>,
    after: string | undefined,
    keep: Keep<K>,
    most: number,
  ): Promise<Sought<K>> {
    const { list, limit, offset, cursor } = query
    const bounds = boundsOf(query)
    if (after !== undefined && after < bounds.start) bounds.start = after
    const actors: Actor<K>[] = []
    let skip = cursor === undefined ? offset : skipIn(cursor)
    let looked = 0
    for await (const [key, actor] of this.#rows(list, bounds, keep)) {
      looked += 1
      if (actor !== undefined && skip > 0) skip -= 1
      else if (actor !== undefined) actors.push(actor)
      if (actors.length < limit && looked < most) continue
      const isLast = !this.#hasRow({ start: beforeRow(list, key), end: bounds.end })
      return { actors, total: undefined, ...(!isLast && { nextCursor: cursorOf(list, key, skip) }) }
    }
    return { actors, total: undefined }
  }

  /** All that `keep` accepts within the bounds of time, in batches, which may be empty. */
  async *batches<K extends string>(
    query: Pick<PageQuery<K>, 'list' | 'from' | 'to'>,
    keep: Keep<K>,
  ): AsyncGenerator<Actor<K>[]> {
    for (const keys of keyBatches(this.#store.lists, query.list, boundsOf(query))) {
      const kept: Actor<K>[] = []
      for (const key of keys) {
        await this.#step()
        const actor = this.#accepted(query.list, key, keep)
        if (actor !== undefined) kept.push(actor)
      }
      // What was read may be newer than the disk.
      await this.#store.flushed()
      yield kept
    }
  }

  /** Every row's key, with its actor where `keep` accepts it. */
  async *#rows<K extends string>(
    list: List<K>,
    bounds: ListRange,
    keep: Keep<K>,
  ): AsyncGenerator<[key: string, accepted: Actor<K> | undefined]> {
    for (const keys of keyBatches(this.#store.lists, list, bounds)) {
      for (const key of keys) {
        await this.#step()
        yield [key, this.#accepted(list, key, keep)]
      }
    }
  }

  #accepted<K extends string>(list: List<K>, key: string, keep: Keep<K>): Actor<K> | undefined {
    const actor = this.#store.committed(this.#store.lists.refIn(list, key) as Actor<K>['ref'])
    // Others work meanwhile, and may have removed what the keys named.
    return actor !== undefined && !this.#isGone(actor) && keep(actor) ? actor : undefined
  }

  #hasRow(bounds: ListRange): boolean {
    return [...this.#store.lists.rows.keys({ ...bounds, reverse: true, limit: 1 })].length > 0
  }
}
