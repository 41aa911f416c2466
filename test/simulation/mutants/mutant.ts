// A mistake that is made on purpose: the exact change in the built sources, and what the simulation must say of it.
import type { Invariant } from '../violated.js'
import type { Name } from '../simulations.js'

export interface Change {
  /** The built file, from `dist/` on. */
  file: string
  /** A piece of it, in one line, and what stands there instead. */
  from: string
  to: string
  /** Which of several such pieces, from 1; left out, there is one. */
  nth?: number
}

export interface Mutant {
  /** The mistake, in words. */
  mistake: string
  changes: readonly Change[]
  /** One of these must be the first to break. */
  breaks: readonly Invariant[]
  /** The simulation that finds it. */
  in: Name
}

/** A mutant with a single change. */
export function mutant(
  mistake: string,
  file: string,
  [from, to, nth]: readonly [from: string, to: string, nth?: number],
  where: Name,
  ...breaks: readonly Invariant[]
): Mutant {
  return { mistake, changes: [{ file, from, to, ...(nth !== undefined && { nth }) }], breaks, in: where }
}

/** The text with the change made; throws where the piece is not there as the change says. */
export function changed(text: string, { file, from, to, nth }: Change): string {
  const parts = text.split(from)
  const found = parts.length - 1
  if (nth === undefined && found !== 1) throw new Error(`${file} has ${found} times: ${from}`)
  if (nth !== undefined && found < nth) throw new Error(`${file} has only ${found} times: ${from}`)
  const place = nth ?? 1
  return [parts.slice(0, place).join(from), parts.slice(place).join(from)].join(to)
}
