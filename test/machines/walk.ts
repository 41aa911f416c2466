// Walks a chart with xstate/graph: from an actor that does not exist yet through every world that a finite list of
// messages can lead to. The kernel computes each turn, so rows and transient fields are set as in production.
import {
  fromTransition,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type StateValue,
} from 'xstate'
import { getShortestPaths, getStateNodes } from 'xstate/graph'
import { charts, type Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message, type Turn } from '../../src/actor/actor.js'
import { pendingAsk } from '../../src/actor/drive.js'
import { createTake, wakeAtOf } from '../../src/actor/turn.js'
import type { Entry, Ref } from '../../src/domain/gate.js'

/** Everything that determines the effect of a message: the actor, and its row for each holder. */
export interface World {
  readonly actor: Actor | undefined
  readonly rows: { readonly [holder: string]: Entry }
}

export interface Scenario {
  ref: Ref
  /** The messages to send in this world. They use few distinct values, which limits the number of worlds. */
  messages: (world: World) => Message[]
}

/** One message in one world. */
export interface Step {
  /** The messages that lead to the world, and this one. */
  path: string
  before: World
  message: Message
  turn: Turn
  after: World
  /** The transition taken, by name: `capturing.REFUSED[0]`. */
  taken: string[]
}

const take = createTake(charts)
/** Charts have no effects, so their initial snapshot needs no actor scope. */
const NO_SCOPE = {} as never

/** The names of all transitions that a chart defines, those of its root included. */
export function transitionsOf(machine: AnyStateMachine): string[] {
  const nodes: AnyStateNode[] = [machine.root, ...getStateNodes(machine)]
  return nodes.flatMap((node) => [...node.transitions.values()].flat().map(nameOf))
}

/** The dotted paths of the states that an actor can rest in: those without children. */
export function statesOf(machine: AnyStateMachine): string[] {
  const leaves = getStateNodes(machine).filter((node) => Object.keys(node.states).length === 0)
  return leaves.map((node) => node.path.join('.'))
}

/** The state of the world's actor; the chart's initial state if the actor was never written. */
export function stateIn(world: World, machine: AnyStateMachine): string {
  return world.actor?.state ?? statePath(machine.getInitialSnapshot(NO_SCOPE).value)
}

/** The snapshot that a chart receives: the actor's, with the transient fields as they are when a turn begins. */
export function snapshotOf(world: World, ref: Ref, message: Message): ReturnType<AnyStateMachine['resolveState']> {
  const { machine } = charts[kindOf(ref) as Kind]
  const { value, context } = machine.getInitialSnapshot(NO_SCOPE)
  const from = world.actor ?? { state: statePath(value), context }
  const passing = { entry: rowOf(world, message) ?? null, violations: [], refusal: null, events: [] }
  return machine.resolveState({ value: stateValue(from.state), context: { ...from.context, ...passing } })
}

export function rowOf(world: World, message: Message): Entry | undefined {
  return message.holder === undefined ? undefined : world.rows[message.holder]
}

/** The world after a turn, stored as a host stores it: an actor that did not change is not written. */
export function worldAfter(before: World, message: Message, turn: Turn): World {
  const rows = turn.entry ? { ...before.rows, [message.holder!]: turn.entry } : before.rows
  return { actor: turn.changed ? turn.actor : before.actor, rows }
}

/** Sends every message in every reachable world. If a turn throws, the error names the message. */
export function walk({ ref, messages }: Scenario): Step[] {
  const nowhere = deepFrozen<World>({ actor: undefined, rows: {} })
  const logic = fromTransition((world: World, message: Message) => turnIn(ref, world, message).after, nowhere)
  const paths = getShortestPaths(logic, {
    events: (snapshot) => messages(snapshot.context),
    serializeState: (snapshot) => keyOf(snapshot.context) as never,
    limit: 1_000_000,
  })
  return paths.flatMap((path) => {
    const before = path.state.context
    const trail = path.steps.map((step) => step.event.type).slice(1)
    return messages(before).map((message) => ({
      path: [...trail, message.type].join(', '),
      before,
      message,
      ...turnIn(ref, before, message),
      taken: transitionsTaken(ref, before, message),
    }))
  })
}

function turnIn(ref: Ref, before: World, message: Message): { turn: Turn; after: World } {
  try {
    const turn = take(ref, before.actor, rowOf(before, message), message)
    wakeAtOf(charts, turn.actor)
    pendingAsk(charts, turn.actor, message.now)
    return { turn, after: deepFrozen(worldAfter(before, message, turn)) }
  } catch (cause) {
    throw new Error(`${message.type} breaks ${ref} in ${JSON.stringify(before)}`, { cause })
  }
}

function transitionsTaken(ref: Ref, before: World, message: Message): string[] {
  const { machine } = charts[kindOf(ref) as Kind]
  return machine.getTransitionData(snapshotOf(before, ref, message), message).map(nameOf)
}

/**
 * Names a transition by its state, its event and its index among those of the event; those of the root have no state.
 */
export function nameOf(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition
  const place = source.transitions.get(eventType)?.indexOf(transition)
  return `${[...source.path, eventType].join('.')}[${place}]`
}

/** Worlds that differ only in the number of writes or edits are the same. */
function keyOf({ actor, rows }: World): string {
  return JSON.stringify([actor?.state, { ...actor?.context, edits: 0 }, Object.entries(rows).sort()])
}

/** Freezes the input of a turn, so that a turn that tries to change it throws. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}

/** `registered.active` as XState represents it; charts here have no parallel regions. */
function stateValue(state: string): StateValue {
  const dot = state.indexOf('.')
  return dot < 0 ? state : { [state.slice(0, dot)]: stateValue(state.slice(dot + 1)) }
}

/** A state value as a dotted path. */
export function statePath(value: StateValue): string {
  if (typeof value === 'string') return value
  const [name, inner] = Object.entries(value)[0] as [string, StateValue]
  return `${name}.${statePath(inner)}`
}
