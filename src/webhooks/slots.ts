// Slots shared between parties, by name, with a waiting queue. A party never holds more than its own limit, and free
// slots go to the waiting parties in round-robin order, however many waiters each of them has.
interface Party<Waiting> {
  taken: number
  line: Waiting[]
}

interface Share<Waiting> {
  taken: number
  /** In round-robin order: the next party is first. */
  parties: Map<string, Party<Waiting>>
}

export class DeliverySlots<Waiting> {
  readonly #bound: number
  readonly #boundOfOne: number
  readonly #shares = new Map<string, Share<Waiting>>()

  /** The slots of each name, and how many of them one party may hold. */
  constructor(bound: number, boundOfOne: number) {
    this.#bound = bound
    this.#boundOfOne = boundOfOne
  }

  /** True when no slot is free for this party. */
  isFull(name: string, party: string): boolean {
    const share = this.#shares.get(name)
    if (share === undefined) return false
    return share.taken >= this.#bound || (share.parties.get(party)?.taken ?? 0) >= this.#boundOfOne
  }

  /** True while less than half of the slots of the name are taken. */
  isHalfFree(name: string): boolean {
    return (this.#shares.get(name)?.taken ?? 0) * 2 < this.#bound
  }

  take(name: string, party: string): void {
    this.#share(name).taken += 1
    this.#party(name, party).taken += 1
  }

  release(name: string, party: string): void {
    this.#share(name).taken -= 1
    this.#party(name, party).taken -= 1
    this.#drop(name, party)
  }

  /** Queues behind the other waiters of the party. */
  wait(name: string, party: string, one: Waiting): void {
    this.#party(name, party).line.push(one)
  }

  /** Takes the next waiter out of the queue if a slot is free for it; its party then goes behind all other parties. */
  next(name: string): Waiting | undefined {
    const { taken, parties } = this.#shares.get(name) ?? { taken: this.#bound, parties: new Map<string, never>() }
    if (taken >= this.#bound) return undefined
    for (const [party, share] of parties) {
      if (share.line.length === 0 || share.taken >= this.#boundOfOne) continue
      const one = share.line.shift()
      parties.delete(party)
      parties.set(party, share)
      this.#drop(name, party)
      return one
    }
    return undefined
  }

  #share(name: string): Share<Waiting> {
    const known = this.#shares.get(name)
    if (known) return known
    const share = { taken: 0, parties: new Map() }
    this.#shares.set(name, share)
    return share
  }

  #party(name: string, party: string): Party<Waiting> {
    const { parties } = this.#share(name)
    const known = parties.get(party)
    if (known) return known
    const own = { taken: 0, line: [] }
    parties.set(party, own)
    return own
  }

  #drop(name: string, party: string): void {
    const { parties } = this.#share(name)
    const { taken, line } = this.#party(name, party)
    if (taken === 0 && line.length === 0) parties.delete(party)
    if (parties.size === 0) this.#shares.delete(name)
  }
}
