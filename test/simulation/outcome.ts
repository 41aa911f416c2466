// What a run is asked for, and what came of it: the same for each simulation.
import { Violated, type Invariant } from './violated.js'

export interface Options {
  /** Steps of the storm. */
  steps?: number
  /** Only these of its steps. */
  only?: readonly number[]
  /** With a journal that several owners share, until one of them is stopped; of the kernel alone. */
  isShared?: boolean
}

export interface Outcome {
  seed: number
  /** Commands or requests that were sent, those of the set-up and of the end included. */
  commands: number
  violation?: { invariant: Invariant; message: string }
  /** One line each. */
  trace: readonly string[]
  /** The steps that were played. */
  steps: readonly number[]
}

export type Simulate = (seed: number, options?: Options) => Promise<Outcome>

/** A run that has begun. */
export interface Played {
  play(steps: readonly number[]): Promise<void>
  end(): Promise<void>
  commands(): number
  trace: readonly string[]
  /** The message of a violation, as people read it. */
  readable?(message: string): string
}

/** Plays these steps to the end; a violation ends the run, anything else that throws is a bug. */
export async function outcomeOf(seed: number, steps: readonly number[], run: Played): Promise<Outcome> {
  const { trace, readable = (message) => message } = run
  try {
    await run.play(steps)
    return { seed, commands: run.commands(), trace, steps }
  } catch (error) {
    if (!(error instanceof Violated)) throw error
    const violation = { invariant: error.invariant, message: readable(error.message) }
    return { seed, commands: run.commands(), violation, trace, steps }
  } finally {
    await run.end()
  }
}

/** Those that are asked for, or all of so many. */
export function stepsIn({ steps, only }: Options, usual: number): readonly number[] {
  return only ?? Array.from({ length: steps ?? usual }, (_, at) => at + 1)
}
