// The one source of chance in a randomized test: a stream of numbers that is determined by its seed (sfc32).

export class Random {
  #a = 0
  #b = 0
  #c = 0
  #counter = 0

  /** `seed`: any integer; equal seeds give equal streams. */
  constructor(seed: number) {
    this.restart(seed)
  }

  /** From now on it is the stream of this seed. */
  restart(seed: number): void {
    this.#a = seed | 0
    this.#b = Math.floor(seed / 2 ** 32) | 0
    this.#c = 0x9e3779b9
    this.#counter = 1
    // Near seeds give similar first numbers, which are dropped.
    for (let round = 0; round < 15; round += 1) this.#next()
  }

  /**
   * True with this probability. 0 draws no number, so that switching a chance off leaves the other draws as they were.
   */
  chance(probability: number): boolean {
    return probability > 0 && this.#next() < probability * 2 ** 32
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.#next() / 2 ** 32) * bound)
  }

  /** One of `choices`; throws RangeError when there is none. */
  pick<Choice>(choices: readonly Choice[]): Choice {
    if (choices.length === 0) throw new RangeError('There is nothing to pick from')
    return choices[this.below(choices.length)]!
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}
