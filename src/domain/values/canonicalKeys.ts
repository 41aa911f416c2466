// The canonical order of the members of objects. Nearly all objects have the same members in the same order as an earlier
// one, so orders are kept. INVARIANT: whatever objects a client sends, those that are kept take at most some 20 MB, and
// looking for one takes at most a few times as long as sorting it.

/** A member's name as text, after the brace or the comma that precedes it. */
export interface Member {
  key: string
  first: string
  next: string
}

interface Order {
  /** As the object has them. */
  keys: readonly string[]
  /** Sorted by UTF-16 code units. */
  members: readonly Member[]
}

const MAX_ORDERS = 500
/** Of one first key, because they are compared one by one. */
const MAX_ALIKE = 32
const MAX_MEMBERS = 64
const MAX_KEY = 32
/** All are forgotten after this many objects for whose order there was no room: those that are kept may not recur. */
const MAX_MISSES = 50_000

export class CanonicalKeys {
  readonly #textOf: (key: string) => string
  /** By first key. */
  readonly #orders = new Map<string, Order[]>()
  #kept = 0
  #misses = 0

  /** `textOf` writes a key as JSON. */
  constructor(textOf: (key: string) => string) {
    this.#textOf = textOf
  }

  /** The members of an object with these keys, in canonical order. */
  of(keys: readonly string[]): readonly Member[] {
    const first = keys[0]
    if (first === undefined) return []
    const alike = this.#orders.get(first)
    if (alike) for (const order of alike) if (areSame(order.keys, keys)) return order.members
    const members = keys.toSorted().map((key) => this.#memberOf(key))
    this.#keep(first, { keys, members })
    return members
  }

  #memberOf(key: string): Member {
    const text = `${this.#textOf(key)}:`
    return { key, first: `{${text}`, next: `,${text}` }
  }

  #keep(first: string, order: Order): void {
    const { keys } = order
    if (keys.length > MAX_MEMBERS || keys.some((key) => key.length > MAX_KEY)) return
    const alike = this.#orders.get(first) ?? []
    if (this.#kept === MAX_ORDERS || alike.length === MAX_ALIKE) return this.#miss()
    this.#orders.set(first, [...alike, order])
    this.#kept += 1
  }

  #miss(): void {
    this.#misses += 1
    if (this.#misses < MAX_MISSES) return
    this.#orders.clear()
    this.#kept = this.#misses = 0
  }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false
  return true
}
