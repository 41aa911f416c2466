// Applies one message to one actor: pure and synchronous, on one snapshot and at most one entry row. The result equals
// that of XState's `transition()`; a test holds the two equal.
import type { AnyStateMachine } from 'xstate'
import type { Entry, Ref } from '../domain/gate.js'
import { kindOf, type Actor, type Message, type Turn } from './actor.js'
import { metaOf, type Meta } from './chart.js'
import { shapeOf, type Context } from './shape.js'
import { initialState, step } from './step.js'

/** The charts by kind; machines/index.ts is the shipped registry. */
export interface ChartBook {
  [kind: string]: { machine: AnyStateMachine; version: number }
}

export type Take = (ref: Ref, actor: Actor | undefined, entry: Entry | undefined, message: Message) => Turn

function chartOf(book: ChartBook, ref: Ref, actor: Actor | undefined): { machine: AnyStateMachine; version: number } {
  const chart = book[kindOf(ref)]
  if (!chart) throw new Error(`No chart for ${ref}`)
  if (actor && actor.version !== chart.version) {
    throw new Error(`${ref} was written by version ${actor.version} of its chart; this is version ${chart.version}`)
  }
  return chart
}

/** The row that a turn writes. Gates fail closed: a reservation that the chart did not hold is refused. */
function entryAfter(entry: Entry | undefined, context: Context, message: Message): Entry | undefined {
  if (context.entry !== null) return context.entry === entry ? undefined : context.entry
  if (message.type !== 'RESERVE') return undefined
  const { amount, attempt } = message as unknown as Entry
  return { state: 'refused', amount, attempt, violations: context.violations }
}

/** Builds the turn function over a book of charts. It throws on bugs only: a refusal is part of the turn. */
export function createTake(book: ChartBook): Take {
  return (ref, actor, entry, message) => {
    const { machine, version } = chartOf(book, ref, actor)
    if (actor && actor.context['organization'] !== message.organization) {
      throw new Error(`${ref} was addressed from outside its organization`)
    }
    const shape = shapeOf(machine)
    const before = actor?.context ?? shape.initial
    const from = actor?.state ?? initialState(machine)
    const context = shape.begun(before, entry ?? null)
    const reached = step(machine, from, context, message)
    const state = reached ?? from
    const changed = state !== from || shape.differ(context, before)
    const { violations, refusal, events } = context
    const revision = (actor?.revision ?? 0) + (changed ? 1 : 0)
    return {
      actor: actor && !changed ? actor : { ref, version, revision, state, context: shape.ended(context) },
      changed,
      taken: reached !== undefined,
      entry: entryAfter(entry, context, message),
      violations,
      refusal: refusal ?? undefined,
      events: events.map((event) => ({ event, ref, organization: message.organization, at: message.now })),
    }
  }
}

/** The time of the actor's WAKE (epoch ms); undefined when it has none. */
export function wakeAtOf(book: ChartBook, actor: Actor): number | undefined {
  const field = metaOf(chartOf(book, actor.ref, actor).machine, actor.state).wakeAt
  const at = field === undefined ? undefined : actor.context[field]
  return typeof at === 'number' ? at : undefined
}

/** The call of the actor's state to the outside world; undefined when it makes none. */
export function callOf(book: ChartBook, actor: Actor): Meta['call'] {
  return metaOf(chartOf(book, actor.ref, actor).machine, actor.state).call
}

/** The ask that the actor's state implies; undefined when it is at rest. */
export function askOf(book: ChartBook, actor: Actor): string | undefined {
  return metaOf(chartOf(book, actor.ref, actor).machine, actor.state).ask
}
