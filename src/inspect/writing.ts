// The text of a chart's picture: the lines in a state's box and at an arrow. It does not draw them.
import type { HoldLevel } from '../domain/limits/gate.js'
import type { Choice, State } from './outline.js'

const HOLDS: Record<HoldLevel, string> = {
  none: 'no holds',
  held: 'held at every gate',
  permitted: 'held at every gate, capture permitted',
  captured: 'captured at every gate',
}

/** A state's status, its holds, what gates it tells, its external call and its wake time, as lines. */
export function stateLines({ meta: { status, hold, tell = {}, call, wakeAt } }: State): string[] {
  return [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(hold === undefined ? [] : [HOLDS[hold]]),
    ...Object.entries(tell).map(([gate, message]) => `tells ${gate} ${message}`),
    ...(call === undefined ? [] : [`calls ${call}`]),
    ...(wakeAt === undefined ? [] : [`wakes at ${wakeAt}`]),
  ]
}

/** `EXECUTE [nowDenied]`. */
export function condition({ event, guard, isElse }: Choice): string {
  if (guard !== undefined) return `${event} [${guard}]`
  return isElse ? `${event} [else]` : event
}

/** A choice that stays in its state, with its actions. */
export function staying(choice: Choice): string {
  const does = choice.actions.length === 0 ? 'nothing' : choice.actions.join(', ')
  return `${condition(choice)} / ${does}`
}

/** All choices that lead from one state to another, combined to one arrow. */
export interface Arrow {
  from: string
  to: string
  choices: Choice[]
}

export function arrowsOf({ path, choices }: State): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const choice of choices) {
    if (choice.target === undefined) continue
    const arrow = arrows.get(choice.target) ?? { from: path, to: choice.target, choices: [] }
    arrow.choices.push(choice)
    arrows.set(choice.target, arrow)
  }
  return [...arrows.values()]
}

export function stays({ choices }: State): Choice[] {
  return choices.filter(({ target }) => target === undefined)
}
