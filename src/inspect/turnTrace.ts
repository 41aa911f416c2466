// Explains a turn: which choice of the state the message took, which it passed over, and the outcome. It takes no turn.
import type { Charts, Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message, type Turn } from '../actor/actor.js'
import { shapeOf } from '../actor/contextCopies.js'
import { initialState } from '../actor/transition.js'
import type { Code } from '../domain/outcomes/codes.js'
import type { Ref } from '../domain/limits/gate.js'
import { choicesFor, type Choice } from './outline.js'

export interface TurnTrace {
  /** The name of the choice taken; null when the state has none for the message, or no guard held. */
  choice: string | null
  /** The guard of the choice taken; null when it has none. */
  guard: string | null
  /** The guards that were tried before and did not hold. */
  passedOver: string[]
  actions: string[]
  /** Why the command was refused; null when it was not. */
  refusal: Code | null
  events: string[]
}

type Guards = { [name: string]: (given: { context: object; event: Message }, params: undefined) => boolean }

/** The choices tried for a message, up to the first one whose guard holds. */
function tried(
  charts: Charts,
  ref: Ref,
  before: Actor | undefined,
  message: Message,
): { passed: Choice[]; taken?: Choice } {
  const { machine } = charts[kindOf(ref) as Kind]
  const state = before?.state ?? initialState(machine)
  const shape = shapeOf(machine)
  const context = shape.begun(before?.context ?? shape.initial, null)
  const guards = machine.implementations.guards as unknown as Guards
  const choices = choicesFor(machine, state, message.type)
  const isOpen = ({ guard }: Choice): boolean =>
    guard === undefined || guards[guard]!({ context, event: message }, undefined)
  const place = choices.findIndex(isOpen)
  return place < 0 ? { passed: choices } : { passed: choices.slice(0, place), taken: choices[place]! }
}

export function traceTurn(
  charts: Charts,
  ref: Ref,
  before: Actor | undefined,
  message: Message,
  { refusal, events }: Turn,
): TurnTrace {
  const { passed, taken } = tried(charts, ref, before, message)
  return {
    choice: taken?.name ?? null,
    guard: taken?.guard ?? null,
    passedOver: passed.map(({ guard }) => guard!),
    actions: taken?.actions ?? [],
    refusal: refusal ?? null,
    events: events.map(({ event }) => event),
  }
}
