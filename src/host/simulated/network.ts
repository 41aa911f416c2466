// What is on its way, and what of it comes next. It may hold things back and mix them up, but loses nothing by itself.
import type { Random } from './random.js'
import type { Weather } from './weather.js'

/** Deliveries that a message may be held back for. */
const LATEST = 200

export class Network<Letter> {
  readonly #random: Random
  readonly #weather: () => Weather
  #inFlight: { letter: Letter; notBefore: number }[] = []
  #looks = 0

  constructor(random: Random, weather: () => Weather) {
    this.#random = random
    this.#weather = weather
  }

  send(letter: Letter): void {
    const isLate = this.#random.chance(this.#weather().delay)
    this.#inFlight.push({ letter, notBefore: isLate ? this.#looks + this.#random.below(LATEST) : 0 })
  }

  /** Puts back what cannot be delivered yet; it comes first again where nothing is mixed up. */
  putBack(letter: Letter): void {
    this.#inFlight.unshift({ letter, notBefore: 0 })
  }

  /** Takes out what comes next of all that can arrive; what is late comes when there is nothing else. */
  next(canArrive: (letter: Letter) => boolean): Letter | undefined {
    this.#looks += 1
    return this.#take(canArrive, this.#looks) ?? this.#take(canArrive, Infinity)
  }

  /** Takes everything out. */
  clear(): Letter[] {
    return this.#inFlight.splice(0).map(({ letter }) => letter)
  }

  #take(canArrive: (letter: Letter) => boolean, until: number): Letter | undefined {
    const { length } = this.#inFlight
    const first = this.#weather().reorders && length > 0 ? this.#random.below(length) : 0
    for (let tried = 0; tried < length; tried += 1) {
      const at = (first + tried) % length
      const { letter, notBefore } = this.#inFlight[at]!
      if (notBefore <= until && canArrive(letter)) return this.#inFlight.splice(at, 1)[0]!.letter
    }
    return undefined
  }
}
