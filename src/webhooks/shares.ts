// Bounds that several lanes share, by name: how many places are taken, and who stands in line for the next one.
interface Share<Waiting> {
  taken: number
  line: Waiting[]
}

export class Shares<Waiting> {
  readonly #bound: number
  readonly #shares = new Map<string, Share<Waiting>>()

  constructor(bound: number) {
    this.#bound = bound
  }

  isFull(name: string): boolean {
    return this.#of(name).taken >= this.#bound
  }

  take(name: string): void {
    const share = this.#of(name)
    share.taken += 1
    this.#shares.set(name, share)
  }

  release(name: string): void {
    this.#of(name).taken -= 1
    this.#drop(name)
  }

  /** Stands behind all others. */
  wait(name: string, one: Waiting): void {
    const share = this.#of(name)
    share.line.push(one)
    this.#shares.set(name, share)
  }

  /** Whose turn it is, when there is a place and somebody wants it. */
  next(name: string): Waiting | undefined {
    if (this.isFull(name)) return undefined
    const one = this.#of(name).line.shift()
    this.#drop(name)
    return one
  }

  names(): string[] {
    return [...this.#shares.keys()]
  }

  #of(name: string): Share<Waiting> {
    return this.#shares.get(name) ?? { taken: 0, line: [] }
  }

  #drop(name: string): void {
    const { taken, line } = this.#of(name)
    if (taken === 0 && line.length === 0) this.#shares.delete(name)
  }
}
