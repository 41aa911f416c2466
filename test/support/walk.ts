// Walks a chart with xstate/graph: from an actor that does not exist yet through every world that a finite list of
// messages can lead to. The kernel computes each step: a gate is asked only what a payment with its hold can ask it, and
// a payment has gates that agree to everything but what its message's `refuses` names.
import {
  fromTransition,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type StateValue,
} from 'xstate'
import { getShortestPaths, getStateNodes } from 'xstate/graph'
import { charts, type Kind } from '../../machines/index.js'
import { fieldsOf, kindOf, type Actor, type Message, type Turn } from '../../src/actor/actor.js'
import { Attempt } from '../../src/actor/attempt.js'
import { createTurns, wakeAtOf, type RunTurn } from '../../src/actor/turn.js'
import { isCaptured, type Ask, type Hold, type Ref } from '../../src/domain/limits/gate.js'
import type { Violation } from '../../src/domain/outcomes/violation.js'

/** Everything that determines the effect of a message: the actor and, of a gate, what it holds by payment. */
export interface World {
  readonly actor: Actor | undefined
  /** Null once it was released. */
  readonly holds: { readonly [holder: string]: Hold | null }
}

/** In a payment's message: the ask that one gate refuses. */
export interface Refusing {
  ask: Ask
  by: Ref
  violations: Violation[]
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
  /** The transitions taken, by name: `approved.EXECUTE[3]`. */
  taken: string[]
  /** What a payment's gates were asked: `CAPTURE wallet/w1`. */
  asked: string[]
}

const take = createTurns(charts)
/** Charts have no effects, so their initial snapshot needs no actor scope. */
const NO_SCOPE = {} as never
const initial = new WeakMap<AnyStateMachine, ReturnType<AnyStateMachine['getInitialSnapshot']>>()

function initialOf(machine: AnyStateMachine): ReturnType<AnyStateMachine['getInitialSnapshot']> {
  const snapshot = initial.get(machine) ?? machine.getInitialSnapshot(NO_SCOPE)
  initial.set(machine, snapshot)
  return snapshot
}

/** The names of all transitions that a chart defines, those of its root included. */
export function transitionsOf(machine: AnyStateMachine): string[] {
  const nodes: AnyStateNode[] = [machine.root, ...getStateNodes(machine)]
  return nodes.flatMap((node) => [...node.transitions.values()].flat().map(nameOf))
}

/** The context of an actor as data; empty while there is none. */
export function fieldsIn(actor: Actor | undefined): ReturnType<typeof fieldsOf> {
  return actor ? fieldsOf(actor) : {}
}

/** The dotted paths of the states that an actor can rest in: those without children. */
export function statesOf(machine: AnyStateMachine): string[] {
  const leaves = getStateNodes(machine).filter((node) => Object.keys(node.states).length === 0)
  return leaves.map((node) => node.path.join('.'))
}

/** The state of the world's actor; the chart's initial state if the actor was never written. */
export function stateIn(world: World, machine: AnyStateMachine): string {
  return world.actor?.state ?? statePath(initialOf(machine).value)
}

/** The snapshot that a chart receives: the actor's, with the transient fields as they are when a turn begins. */
export function snapshotOf(world: World, ref: Ref, message: Message): ReturnType<AnyStateMachine['resolveState']> {
  const machine: AnyStateMachine = charts[kindOf(ref) as Kind].machine
  const { value, context } = initialOf(machine)
  const from = world.actor ?? { state: statePath(value), context }
  const passing = { hold: holdIn(world, message) ?? null, violations: [], refusal: null, events: [] }
  return machine.resolveState({ value: stateValue(from.state), context: { ...from.context, ...passing } })
}

function holdIn({ holds }: World, { holder }: Message): Hold | undefined {
  return (holder === undefined ? undefined : holds[holder]) ?? undefined
}

/** What a hold has to be for its payment to send the ask. */
const ASKABLE: Readonly<Record<string, (hold: Hold | null | undefined) => boolean>> = {
  RESERVE: (hold) => hold === undefined,
  CAPTURE: (hold) => hold !== undefined && hold !== null && !isCaptured(hold),
  SETTLE: (hold) => hold !== undefined && hold !== null && !isCaptured(hold),
  // A transfer in a block may fail later, but it is not given up.
  RESTORE: (hold) => isCaptured(hold) && hold?.transfer !== 'settled',
  RECONCILE: isCaptured,
  RELEASE: (hold) => hold !== undefined && hold !== null,
}

export const canBeSent = ({ holds }: World, { type, holder }: Message): boolean =>
  holder === undefined || ASKABLE[type]!(holds[holder])

/** The turns of the walked actor, in order, and what its gates were asked. */
export type Seen = (turn: Turn, world: World, message: Message) => void

/** Sends one message in one world; `seen` is called with each turn of the actor. */
export function stepIn(ref: Ref, before: World, message: Message, seen: Seen = () => {}): Omit<Step, 'path'> {
  const step = { before, message, taken: [] as string[], asked: [] as string[] }
  const noted: Seen = (turn, world, sent) => {
    step.taken.push(...transitionsTaken(ref, world, sent))
    seen(turn, world, sent)
  }
  const turn = kindOf(ref) === 'payment' ? paymentTurn(ref, step, noted) : ownTurn(ref, before, message, noted)
  wakeAtOf(charts, turn.actor)
  // What a gate refuses leaves it as it was.
  if (turn.violations.length > 0) return { ...step, turn, after: before }
  const given = message.holder !== undefined && turn.taken ? { [message.holder]: turn.hold } : {}
  const holds = { ...before.holds, ...given }
  return { ...step, turn, after: deepFrozen({ actor: turn.changed ? turn.actor : before.actor, holds }) }
}

function ownTurn(ref: Ref, before: World, message: Message, seen: Seen): Turn {
  const turn = take(ref, before.actor, holdIn(before, message), message)
  seen(turn, before, message)
  return turn
}

/** The last turn of the payment that is left of an attempt whose gates do as they are told. */
function paymentTurn(ref: Ref, { before, message, asked }: Pick<Step, 'before' | 'message' | 'asked'>, seen: Seen) {
  let last: Turn | undefined
  const spy: RunTurn = (to, actor, hold, sent) => {
    if (to !== ref) {
      asked.push(`${sent.type} ${to}`)
      return gateTurn(to, hold, sent, message['refuses'] as unknown as Refusing | undefined)
    }
    last = take(to, actor, hold, sent)
    seen(last, { actor, holds: {} }, sent)
    return last
  }
  const counts = { revision: () => 0, lastSequence: () => 0 }
  const unwritten = { keyOwner: () => undefined, timesHeld: () => [] }
  const nobody = { ...counts, ...unwritten, commit: async () => {}, flushed: async () => {} }
  const ledger = { ...nobody, actor: (to: Ref) => (to === ref ? before.actor : undefined) as never }
  new Attempt(charts, spy, ledger, { type: 'test', id: 'walk' }).send(ref, message)
  return last!
}

function gateTurn(ref: Ref, hold: Hold | undefined, sent: Message, refusing: Refusing | undefined): Turn {
  const { type, amount, now } = sent as unknown as { type: Ask; amount: number; now: number }
  const refuses = refusing?.ask === type && refusing.by === ref
  const actor: Actor = { ref, version: 1, revision: 1, state: 'kept', context: { organization: '' } }
  const left: Partial<Record<Ask, Hold | null>> = {
    RESERVE: { amount },
    RESTORE: { amount },
    CAPTURE: { amount, capturedAt: now },
    SETTLE: { amount, capturedAt: now },
    RELEASE: null,
  }
  const turn = { actor, changed: false, taken: true, guard: undefined, violations: [], refusal: undefined, events: [] }
  if (refuses) return { ...turn, hold: hold ?? null, violations: refusing.violations }
  return { ...turn, hold: left[type] ?? hold ?? null }
}

/** Sends every message in every reachable world. If a turn throws, the error names the message. */
export function walk({ ref, messages }: Scenario): Step[] {
  const nowhere = deepFrozen<World>({ actor: undefined, holds: {} })
  // Every message is sent once in each world, while the paths are found.
  const steps = new Map<string, Omit<Step, 'path'>[]>()
  const logic = fromTransition((world: World, message: Message) => {
    const step = trying(ref, world, message)
    const taken = steps.get(keyOf(world)) ?? []
    steps.set(keyOf(world), taken)
    taken.push(step)
    return step.after
  }, nowhere)
  const sendable = (world: World): Message[] => messages(world).filter((message) => canBeSent(world, message))
  const paths = getShortestPaths(logic, {
    events: (snapshot) => sendable(snapshot.context),
    serializeState: (snapshot) => keyOf(snapshot.context) as never,
    limit: 1_000_000,
  })
  return paths.flatMap((path) => {
    const trail = path.steps.map((step) => step.event.type).slice(1)
    const taken = steps.get(keyOf(path.state.context)) ?? []
    return taken.map((step) => ({ path: [...trail, step.message.type].join(', '), ...step }))
  })
}

function trying(ref: Ref, before: World, message: Message): Omit<Step, 'path'> {
  try {
    return stepIn(ref, before, message)
  } catch (cause) {
    throw new Error(`${message.type} breaks ${ref} in ${JSON.stringify(before)}`, { cause })
  }
}

function transitionsTaken(ref: Ref, before: World, message: Message): string[] {
  const machine: AnyStateMachine = charts[kindOf(ref) as Kind].machine
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
function keyOf(world: World): string {
  const { actor, holds } = world
  const key =
    keys.get(world) ?? JSON.stringify([actor?.state, { ...actor?.context, edits: 0 }, Object.entries(holds).sort()])
  keys.set(world, key)
  return key
}

const keys = new WeakMap<World, string>()

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
