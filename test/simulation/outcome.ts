// What a run is asked for, and what came of it: the same for the kernel and for the whole service.
import type { Invariant } from './violated.js'

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
