// Explains a turn: which choice of the state the message took, which it passed over, and the outcome. The kernel's own
// functions take the turns, and concealed fields are left out.
import type { Charts, Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message, type Turn } from '../actor/actor.js'
import { shapeOf } from '../actor/shape.js'
import { initialState } from '../actor/step.js'
import type { Code } from '../domain/codes.js'
import type { Hold, Ref } from '../domain/gate.js'
import type { Violation } from '../domain/violation.js'
import { choicesFor, type Choice } from './outline.js'
import { changedBetween, type Changed } from './shown.js'

export interface TurnTrace {
  ref: Ref
  message: string
  from: string
  to: string
  /** The name of the choice taken; null when the state has none for the message, or no guard held. */
  choice: string | null
  /** The guard of the choice taken; null when it has none. */
  guard: string | null
  /** The guards that were tried before and did not hold. */
  passedOver: string[]
  actions: string[]
  changed: Changed[]
  refusal: Code | null
  violations: Violation[]
  events: string[]
  /** The hold that a turn of a gate left. */
  hold: Hold | null
}

interface Given {
  actor: Actor | undefined
  hold?: Hold | undefined
}

type Guards = { [name: string]: (given: { context: object; event: Message }, params: undefined) => boolean }

/** The choices tried for a message, up to the first one whose guard holds. */
function tried(
  charts: Charts,
  ref: Ref,
  { actor, hold }: Given,
  message: Message,
): { passed: Choice[]; taken?: Choice } {
  const { machine } = charts[kindOf(ref) as Kind]
  const state = actor?.state ?? initialState(machine)
  const shape = shapeOf(machine)
  const context = shape.begun(actor?.context ?? shape.initial, hold ?? null)
  const guards = machine.implementations.guards as unknown as Guards
  const choices = choicesFor(machine, state, message.type)
  const isOpen = ({ guard }: Choice): boolean =>
    guard === undefined || guards[guard]!({ context, event: message }, undefined)
  const place = choices.findIndex(isOpen)
  return place < 0 ? { passed: choices } : { passed: choices.slice(0, place), taken: choices[place]! }
}

export function traceTurn(charts: Charts, ref: Ref, given: Given, message: Message, turn: Turn): TurnTrace {
  const { passed, taken } = tried(charts, ref, given, message)
  const kind = kindOf(ref)
  return {
    ref,
    message: message.type,
    from: given.actor?.state ?? initialState(charts[kind as Kind].machine),
    to: turn.actor.state,
    choice: taken?.name ?? null,
    guard: taken?.guard ?? null,
    passedOver: passed.map(({ guard }) => guard!),
    actions: taken?.actions ?? [],
    changed: turn.changed ? changedBetween(kind, given.actor?.context, turn.actor.context) : [],
    refusal: turn.refusal ?? null,
    violations: turn.violations,
    events: turn.events.map(({ event }) => event),
    hold: turn.hold,
  }
}

export interface Course {
  turns: TurnTrace[]
  actor: Actor
}
