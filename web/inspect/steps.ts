// The steps of a time line: turns, from the service's history of an actor or from the file of a simulated run. A
// command that could not be replayed is one step, with what the log has of it.
import type { Answer } from '../api.js'

export type HistoryEntry = Answer<'GET /api/machines/{machine}/actors/{actorId}/history'>['entries'][number]
export type TurnTrace = HistoryEntry['turns'][number]
export type Changed = TurnTrace['changed'][number]

export interface Step {
  key: string
  /** ISO 8601. */
  at: string
  message: string
  /** Null if there was no actor before. */
  from: string | null
  to: string
  /** The transition that was taken; several if it is ambiguous. */
  choices: string[]
  guard: string | null
  passedOver: string[]
  actions: string[]
  changed: Changed[]
  asks: TurnTrace['asks']
  refusal: string | null
  violations: unknown[]
  events: string[]
  /** The command that started it; absent on the turns that followed. */
  command?: { by: string; sequence?: number; basis: HistoryEntry['basis'] | 'simulated' }
}

/** From the oldest to the newest. */
export function stepsOf(history: readonly HistoryEntry[]): Step[] {
  return history.flatMap((entry) => {
    const { sequence, at, by, basis, turns } = entry
    const command = { by: `${by.type.toLowerCase().replaceAll('_', ' ')} ${by.id}`, sequence, basis }
    if (turns.length === 0) return [{ ...untold(entry), command }]
    return turns.map((turn, place) => {
      const isFirst = place === 0
      const step = stepOf(turn, `${sequence}.${place}`, at)
      return isFirst ? { ...step, from: entry.from, command } : step
    })
  })
}

export function stepOf(turn: TurnTrace, key: string, at: string): Step {
  const { choice, ...told } = turn
  return { ...told, key, at, choices: choice === null ? [] : [choice] }
}

function untold({ sequence, at, message, action, from, to, choices, guard, changed }: HistoryEntry): Step {
  return {
    key: `${sequence}`,
    at,
    message: message ?? action,
    from,
    to,
    choices,
    guard,
    passedOver: [],
    actions: [],
    changed,
    asks: null,
    refusal: null,
    violations: [],
    events: [],
  }
}

/** The context after these steps, as far as they show it. */
export function contextAfter(steps: readonly Step[]): Record<string, unknown> {
  return Object.fromEntries(steps.flatMap(({ changed }) => changed.map(({ field, to }) => [field, to])))
}
