// The steps of a time line: the commands of an actor's history, and what a record and its gates are after them.
import type { Answer } from '../api.js'

export type Step = Answer<'GET /api/machines/{machine}/actors/{actorId}/history'>['entries'][number]
export type Changed = Step['changed'][number]

/** The logged fields of the record after these steps. */
export function recordAfter(steps: readonly Step[]): Record<string, unknown> {
  return Object.fromEntries(steps.flatMap(({ changed }) => changed.map(({ field, to }) => [field, to])))
}

/** What a state demands of every gate, in words. */
export const LEVELS: Record<NonNullable<Step['holds']>, string> = {
  none: 'none',
  held: 'held at every gate',
  permitted: 'held at every gate, capture permitted',
  captured: 'captured at every gate',
}
