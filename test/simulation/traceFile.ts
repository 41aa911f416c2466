// A run of the simulator as a file that the dashboard opens: every step, and a description of every turn.
import { writeFileSync } from 'node:fs'
import { charts } from '../../machines/index.js'
import type { Step } from '../../src/host/simulated.js'
import { traceTurn, type TurnTrace } from '../../src/inspect/turnTrace.js'
import type { Outcome } from './run.js'

export const TRACE_FORMAT = 'bursar-trace/1'

export interface TraceStep {
  /** ISO 8601, by the clock of the run. */
  at: string
  kind: Step['kind']
  /** A client's command, an ask, an answer or a timer; absent if nothing was delivered. */
  by?: string
  /** The addressee, if the message led to no turn. */
  to?: string
  message?: string
  turn?: TurnTrace
}

export interface TraceFile {
  format: typeof TRACE_FORMAT
  seed: number
  violation: Outcome['violation'] | null
  steps: TraceStep[]
}

export function traceFileOf({ seed, violation, past }: Outcome): TraceFile {
  return {
    format: TRACE_FORMAT,
    seed,
    violation: violation ?? null,
    steps: past.map(({ now, step }) => stepOf(now, step)),
  }
}

function stepOf(now: number, step: Step): TraceStep {
  const at = new Date(now).toISOString()
  if (!('message' in step)) return { at, kind: step.kind }
  const common = { at, kind: step.kind, by: step.by, message: step.message.type }
  if (step.kind !== 'turn') return { ...common, to: step.to }
  const { turn, before, row, message } = step
  return { ...common, turn: traceTurn(charts, turn.actor.ref, { actor: before, entry: row }, message, turn) }
}

export function writeTrace(path: string, outcome: Outcome): void {
  writeFileSync(path, `${JSON.stringify(traceFileOf(outcome))}\n`)
}
