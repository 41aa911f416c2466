// Checks that what payments hold is what their states say, adds up to what each gate counts, and that unique keys belong
// to whom the actors' states say. It reads every actor once, in any order, of one moment.
import { isCaptured, type Hold, type HoldLevel, type Ref } from '../domain/limits/gate.js'
import { gateSumsOf, type GateSums } from '../domain/limits/gateSums.js'
import { fieldsOf, kindOf, type Actor } from './actor.js'
import type { Holder } from './holds.js'
import type { KeyOwner } from './overlay.js'
import { keysOf, metaOfActor, type ChartBook } from './turn.js'

/** Exact, however large. */
interface Counted {
  held: bigint
  captured: bigint
  captures: number
  pending: bigint
  /** Captured from a simulated balance. */
  spent: bigint
  funded: bigint
  /** Payments that have a time, and the rows of times. */
  timed: number
  times: number
}

const nothing = (): Counted => ({
  held: 0n,
  captured: 0n,
  captures: 0,
  pending: 0n,
  spent: 0n,
  funded: 0n,
  timed: 0,
  times: 0,
})
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

export class HoldCheck {
  readonly #book: ChartBook
  /** What the gates say. */
  readonly #gates = new Map<Ref, GateSums>()
  /** What the payments hold there. */
  readonly #holds = new Map<Ref, Counted>()
  /** By key: the actor whose state says that it has it. */
  readonly #owners = new Map<string, Ref>()
  /** Kinds of payments: they may have keys forever, which follow from no state. */
  readonly #holders = new Set<string>()
  readonly #problems: string[] = []

  constructor(book: ChartBook) {
    this.#book = book
  }

  add(actor: Actor): void {
    const { ref } = actor
    const level = metaOfActor(this.#book, actor).hold
    if (level === undefined) this.#gates.set(ref, gateSumsOf(kindOf(ref), fieldsOf(actor)))
    else this.#count(actor, level)
    for (const key of keysOf(this.#book, actor).keys) {
      const other = this.#owners.get(key)
      if (other !== undefined) this.#problems.push(`${ref} and ${other} have the same unique key`)
      this.#owners.set(key, ref)
    }
  }

  /** An amount that was added to a simulated balance. */
  fund(wallet: Ref, amount: number): void {
    this.#at(wallet).funded += BigInt(amount)
  }

  /** A row that says when a payment was made that this gate counts. */
  time(gate: Ref): void {
    this.#at(gate).times += 1
  }

  /** A stored key; called after all actors. */
  key(key: string, { owner, isFormer }: KeyOwner): void {
    if (isFormer === true) return
    const said = this.#owners.get(key)
    this.#owners.delete(key)
    if (said !== undefined && said !== owner) this.#problems.push(`${owner} has the unique key of ${said}`)
    const kind = kindOf(owner as Ref)
    const isActor = Object.hasOwn(this.#book, kind) && !this.#holders.has(kind)
    if (said === undefined && isActor) this.#problems.push(`${owner} has a unique key that it has given up`)
  }

  /** Everything that is wrong; called last. */
  problems(): string[] {
    const unkept = [...this.#owners.values()].map((ref) => `${ref} lacks its unique key`)
    const unknown = [...this.#holds.keys()].filter((ref) => !this.#gates.has(ref)).map((ref) => `${ref} is missing`)
    const wrong = [...this.#gates].flatMap(([ref, sums]) => this.#wrong(ref, sums))
    return [...this.#problems, ...unkept, ...unknown, ...wrong]
  }

  #count({ ref, state, context }: Actor, level: HoldLevel): void {
    this.#holders.add(kindOf(ref))
    const { gates, holds } = context as Holder
    if (!isAt(level, holds, gates.length)) this.#problems.push(`${ref} is ${state} and does not hold what that demands`)
    for (const [place, hold] of holds.entries()) countHold(this.#at(gates[place]!.ref), hold)
  }

  #at(gate: Ref): Counted {
    let counted = this.#holds.get(gate)
    if (counted === undefined) {
      counted = nothing()
      this.#holds.set(gate, counted)
    }
    return counted
  }

  #wrong(ref: Ref, says: GateSums): string[] {
    const { held, captured, captures, pending, spent, funded, timed, times } = this.#holds.get(ref) ?? nothing()
    const least = (sum: bigint): bigint => (sum > MOST ? MOST : sum)
    const is = { held, captured: least(captured), captures: BigInt(captures), pending, balance: funded - spent }
    const wrong = Object.entries(says).flatMap(([name, said]) => {
      const sum = is[name as keyof GateSums]
      return BigInt(said as number) === sum ? [] : [`${ref} counts ${said} as ${name}, its payments ${sum}`]
    })
    return times === timed ? wrong : [...wrong, `${ref} has the times of ${times} payments, and ${timed} have one`]
  }
}

function isAt(level: HoldLevel, holds: readonly Hold[], gates: number): boolean {
  if (level === 'none') return holds.length === 0
  return holds.length === gates && holds.every((hold) => isCaptured(hold) === (level === 'captured'))
}

function countHold(counted: Counted, hold: Hold): void {
  const amount = BigInt(hold.amount)
  if (hold.at !== undefined) counted.timed += 1
  if (!isCaptured(hold)) {
    counted.held += amount
    return
  }
  counted.captured += amount
  counted.captures += 1
  if (hold.transfer === 'pending') counted.pending += amount
  if (hold.transfer === undefined) counted.spent += amount
}
