// One message to one actor: pure, synchronous, on one snapshot and at most one entry row. It is XState's
// `transition()` without the actor that XState builds for each call; a test holds the two equal.
import { createActor, createMachine, type AnyStateMachine, type EventObject } from 'xstate'
import type { Entry, Passing, Ref } from '../domain/gate.js'
import { kindOf, type Actor, type Message, type Turn } from './actor.js'
import { metaOf, statePath, stateValue } from './chart.js'

/** The charts by kind; machines/index.ts is the shipped registry. */
export interface ChartBook {
  [kind: string]: { machine: AnyStateMachine; version: number }
}

export type Take = (ref: Ref, actor: Actor | undefined, entry: Entry | undefined, message: Message) => Turn

type Context = Passing & { [field: string]: unknown }
type Snapshot = ReturnType<AnyStateMachine['resolveState']>
type Scope = Parameters<AnyStateMachine['transition']>[2]

const self = createActor(createMachine({}))
/** INVARIANT: charts hold only guards and `assign`, so that nothing ever reaches this scope. */
const inertScope = {
  self,
  id: '',
  sessionId: '',
  system: self.system,
  logger: () => {},
  defer: () => {},
  emit: () => {},
  stopChild: () => {},
  actionExecutor: () => {},
} as unknown as Scope

const initials = new WeakMap<AnyStateMachine, { state: string; context: Context }>()

function initial(machine: AnyStateMachine): { state: string; context: Context } {
  let known = initials.get(machine)
  if (!known) {
    const snapshot = machine.getInitialSnapshot(inertScope)
    known = { state: statePath(snapshot.value), context: snapshot.context as Context }
    initials.set(machine, known)
  }
  return known
}

function chartOf(book: ChartBook, ref: Ref, actor: Actor | undefined): { machine: AnyStateMachine; version: number } {
  const chart = book[kindOf(ref)]
  if (!chart) throw new Error(`No chart for ${ref}`)
  if (actor && actor.version !== chart.version) {
    throw new Error(`${ref} was written by version ${actor.version} of its chart; this is version ${chart.version}`)
  }
  return chart
}

/** The row a turn leaves. A reservation that the chart did not hold is refused: gates fail closed. */
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
    const from = actor ?? initial(machine)
    if (actor && actor.context['organization'] !== message.organization) {
      throw new Error(`${ref} was addressed from outside its organization`)
    }
    const before = { ...from.context, entry: entry ?? null, violations: [], refusal: null, events: [] }
    const snapshot: Snapshot = machine.resolveState({ value: stateValue(from.state), context: before })
    const after = machine.transition(snapshot, message as EventObject, inertScope)
    const context = after.context as Context
    const state = statePath(after.value)
    const written = entryAfter(entry, context, message)
    const { entry: _entry, violations, refusal, events, ...kept } = context
    const changed = state !== from.state || Object.keys(kept).some((field) => kept[field] !== from.context[field])
    const revision = (actor?.revision ?? 0) + (changed ? 1 : 0)
    return {
      actor: actor && !changed ? actor : { ref, version, revision, state, context: kept as Actor['context'] },
      changed,
      taken: changed || refusal !== null || machine.getTransitionData(snapshot, message as EventObject).length > 0,
      ...(written && { entry: written }),
      violations,
      ...(refusal && { refusal }),
      events: events.map((event) => ({ event, ref, organization: message.organization, at: message.now })),
    }
  }
}

/** When the actor wants its WAKE (epoch ms); undefined when it waits for no time. */
export function wakeAtOf(book: ChartBook, actor: Actor): number | undefined {
  const field = metaOf(chartOf(book, actor.ref, actor).machine, actor.state).wakeAt
  const at = field === undefined ? undefined : actor.context[field]
  return typeof at === 'number' ? at : undefined
}

/** The ask that the actor's state implies; undefined when it is at rest. */
export function askOf(book: ChartBook, actor: Actor): string | undefined {
  return metaOf(chartOf(book, actor.ref, actor).machine, actor.state).ask
}
