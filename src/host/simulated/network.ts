// The messages in flight, and the one that arrives next. It may delay and reorder messages but loses none by itself.
import type { Random } from './random.js'
import type { FaultRates } from './faultRates.js'

/** Maximum delay of a message, in deliveries. */
const MAX_DELAY = 200

export class Network<Letter> {
  readonly #random: Random
  readonly #faultRates: () => FaultRates
  #inFlight: { letter: Letter; notBefore: number }[] = []
  #deliveries = 0

  constructor(random: Random, faultRates: () => FaultRates) {
    this.#random = random
    this.#faultRates = faultRates
  }

  send(letter: Letter): void {
    const isLate = this.#random.chance(this.#faultRates().delay)
    this.#inFlight.push({ letter, notBefore: isLate ? this.#deliveries + this.#random.below(MAX_DELAY) : 0 })
  }

  /** Returns a message that cannot be delivered yet; without reordering it comes first again. */
  putBack(letter: Letter): void {
    this.#inFlight.unshift({ letter, notBefore: 0 })
  }

  /** Removes the next message that can arrive; a delayed one comes early when there is nothing else. */
  next(canArrive: (letter: Letter) => boolean): Letter | undefined {
    this.#deliveries += 1
    return this.#take(canArrive, this.#deliveries) ?? this.#take(canArrive, Infinity)
  }

  /** Removes and returns all messages. */
  clear(): Letter[] {
    return this.#inFlight.splice(0).map(({ letter }) => letter)
  }

  #take(canArrive: (letter: Letter) => boolean, until: number): Letter | undefined {
    const { length } = this.#inFlight
    const first = this.#faultRates().reorders && length > 0 ? this.#random.below(length) : 0
    for (let tried = 0; tried < length; tried += 1) {
      const at = (first + tried) % length
      const { letter, notBefore } = this.#inFlight[at]!
      if (notBefore <= until && canArrive(letter)) return this.#inFlight.splice(at, 1)[0]!.letter
    }
    return undefined
  }
}
