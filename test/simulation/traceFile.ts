// A run of the simulator as a file that the dashboard opens: every step, and for a turn what the machines tell of it.
import { writeFileSync } from 'node:fs'
import { charts } from '../../machines/index.js'
import type { Step } from '../../src/host/simulated.js'
import { traceTurn, type TurnTrace } from '../../src/inspect/turnTrace.js'
import type { Outcome } from './run.js'

export const TRACE_FORMAT = 'bursar-trace/1'

export interface TraceStep {
  /** ISO 8601, of the run's own clock. */
  at: string
  kind: Step['kind']
  /** A client's command, an ask, an answer, a timer; absent where nothing was delivered. */
  by?: string
  /** Whom it was for, where no turn came of it. */
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
  return { format: TRACE_FORMAT, seed, violation: violation ?? null, steps: past.map(({ now, step }) => stepOf(now, step)) }
}

function stepOf(now: number, step: Step): TraceStep {
  const at = new Date(now).toISOString()
  if (!('message' in step)) return { at, kind: step.kind }
  const told = { at, kind: step.kind, by: step.by, message: step.message.type }
  if (step.kind !== 'turn') return { ...told, to: step.to }
  const { turn, before, row, message } = step
  return { ...told, turn: traceTurn(charts, turn.actor.ref, { actor: before, entry: row }, message, turn) }
}

export function writeTrace(path: string, outcome: Outcome): void {
  writeFileSync(path, `${JSON.stringify(traceFileOf(outcome))}\n`)
}
