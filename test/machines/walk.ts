// Walks a chart with xstate/graph: from an actor that does not exist yet, through every world that a finite list of
// messages can make of it. Every turn is the kernel's own, so that rows and passing fields are set as it sets them.
import { fromTransition, type AnyStateMachine, type AnyStateNode, type AnyTransitionDefinition, type StateValue } from 'xstate'
import { getShortestPaths, getStateNodes } from 'xstate/graph'
import { charts, type Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message, type Turn } from '../../src/actor/actor.js'
import { pendingAsk } from '../../src/actor/drive.js'
import { createTake, wakeAtOf } from '../../src/actor/turn.js'
import type { Entry, Ref } from '../../src/domain/gate.js'

/** Everything that decides what a message does: the actor, and the row of each holder at it. */
export interface World {
  readonly actor: Actor | undefined
  readonly rows: { readonly [holder: string]: Entry }
}

export interface Scenario {
  ref: Ref
  /** What may come in this world; few enough values that there are few worlds. */
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
/** Charts have no effects, so that none is needed to see where they begin. */
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

/** The state that the world's actor is in; an actor that was never written is in the chart's first. */
export function stateIn(world: World, machine: AnyStateMachine): string {
  return world.actor?.state ?? statePath(machine.getInitialSnapshot(NO_SCOPE).value)
}

/** What a chart is given: the actor's snapshot, with the passing fields as they are when a turn begins. */
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

/** The world after a turn, kept as a host keeps it: an actor that did not change is not written. */
export function worldAfter(before: World, message: Message, turn: Turn): World {
  const rows = turn.entry ? { ...before.rows, [message.holder!]: turn.entry } : before.rows
  return { actor: turn.changed ? turn.actor : before.actor, rows }
}

/** Every message in every world that the scenario's messages reach. Throws where a turn throws, naming the message. */
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

/** A transition by its state, its event and its place among those of the event; the root's have no state. */
export function nameOf(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition
  const place = source.transitions.get(eventType)?.indexOf(transition)
  return `${[...source.path, eventType].join('.')}[${place}]`
}

/** Worlds that differ in nothing but the number of writes, or of edits, are the same. */
function keyOf({ actor, rows }: World): string {
  return JSON.stringify([actor?.state, { ...actor?.context, edits: 0 }, Object.entries(rows).sort()])
}

/** A turn must not change what it was given: frozen, it throws when it tries. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}

/** `registered.active` as XState wants it; charts here have no parallel regions. */
export function stateValue(state: string): StateValue {
  const dot = state.indexOf('.')
  return dot < 0 ? state : { [state.slice(0, dot)]: stateValue(state.slice(dot + 1)) }
}

/** A state value as a dotted path. */
export function statePath(value: StateValue): string {
  if (typeof value === 'string') return value
  const [name, inner] = Object.entries(value)[0] as [string, StateValue]
  return `${name}.${statePath(inner)}`
}
