// What a chart says, in words: the lines that stand in the box of a state and at an arrow. How they are drawn is no
// business of this file.
import type { Choice, State } from './outline.js'

/** What a state waits for. */
export function waitsFor({ meta: { ask, call, wakeAt } }: State): string[] {
  return [
    ...(ask === undefined ? [] : [`asks ${ask}`]),
    ...(call === undefined ? [] : [`calls ${call}`]),
    ...(wakeAt === undefined ? [] : [`wakes at ${wakeAt}`]),
  ]
}

/** `EXECUTE [nowDenied]`. */
export function condition({ event, guard, isElse }: Choice): string {
  if (guard !== undefined) return `${event} [${guard}]`
  return isElse ? `${event} [else]` : event
}

/** A choice that stays where it is, with what it does. */
export function staying(choice: Choice): string {
  const does = choice.actions.length === 0 ? 'nothing' : choice.actions.join(', ')
  return `${condition(choice)} / ${does}`
}

/** Choices that lead from one state to another, together one arrow. */
export interface Arrow {
  from: string
  to: string
  choices: Choice[]
}

/** The arrows out of a state. */
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
