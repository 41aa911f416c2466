// How deeply random tests search: DEPTH multiplies their runs (1 in CI, 0.1 for `npm test`), SEED repeats a run. A
// property that fails names the command that repeats it. Whatever draws at random takes its numbers from here.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import fc, { type RunDetails } from 'fast-check'
import { DEPTH, isFull } from './depthGiven.js'
import { projectRoot } from './root.js'

export { isFull }

/** The runs of a property for which nothing else is said. */
const USUAL = 100

/** The number of runs, rounds or seeds in place of `full`; at least `least`. */
export function runs(full: number, least = 1): number {
  return Math.max(least, Math.round(full * DEPTH))
}

/** An evenly spread share of what is tried one by one. */
export function share<Item>(all: readonly Item[]): Item[] {
  const step = Math.max(1, Math.round(1 / DEPTH))
  return all.filter((_, index) => index % step === 0)
}

/**
 * What of `all` is tried with the case of this number, at least one: as cases follow one another, everything in turn. For
 * tests that try everything with every case.
 */
export function turnsOf<Item>(all: readonly Item[], number: number): Item[] {
  const count = Math.min(all.length, runs(all.length, 1))
  return Array.from({ length: count }, (_, at) => all[(number * count + at) % all.length]!)
}

/** The seed of a test that draws its own numbers. */
export function seedOr(usual: number): number {
  const given = process.env['SEED']
  if (given === undefined) return usual
  if (!/^-?\d+$/.test(given)) throw new Error(`SEED must be a whole number, not "${given}"`)
  return Number(given)
}

/** The command that runs the tests of the present file again with this seed. */
export function again(seed: number): string {
  const { file } = test.meta
  const path = relative(projectRoot, file.startsWith('file:') ? fileURLToPath(file) : file)
  return `SEED=${seed} DEPTH=${DEPTH} npm test -- ${path}`
}

function report<Values>(details: RunDetails<Values>): void {
  if (!details.failed) return
  const { seed, errorInstance: cause } = details
  throw new Error(`${fc.defaultReportMessage(details)}\n\nRepeat it: ${again(seed)}`, { cause })
}

const given = process.env['SEED'] === undefined ? {} : { seed: seedOr(0) }
fc.configureGlobal({ numRuns: runs(USUAL), reporter: report, ...given })
