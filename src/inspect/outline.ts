// The static outline of a chart: its nested states, with what is true of each and its choices for each message.
// Pictures, diagrams and explanations are made from it. It takes no turn.
import type { Chart } from '../../machines/index.js'
import { rootNode, type ChartNode, type NodeReference, type NodeTransition } from '../actor/chartNode.js'
import type { Meta } from '../domain/values/meta.js'

type Machine = Chart['machine']

/** One transition candidate of a state for a message. */
export interface Choice {
  /** `approved.REFUSED[1]`: the state, the message, and the index among its choices. */
  name: string
  event: string
  /** Absent for a choice without a condition. */
  guard?: string
  /** True for an unguarded choice after guarded ones. */
  isElse: boolean
  /** As written in the chart, with their params. */
  actions: string[]
  /** Dotted path of the target state; absent for a choice that stays in its state. */
  target?: string
}

export interface State {
  /** Dotted; empty for the chart itself. */
  path: string
  name: string
  meta: Meta
  choices: Choice[]
  /** The initial child state; absent without children. */
  initial?: string
  children: State[]
}

const outlines = new WeakMap<Machine, State>()

export function outlineOf(machine: Machine): State {
  let outline = outlines.get(machine)
  if (!outline) {
    outline = stateOf(rootNode(machine))
    outlines.set(machine, outline)
  }
  return outline
}

/** The state and all below it, parents first. */
export function statesWithin(state: State): State[] {
  return [state, ...state.children.flatMap(statesWithin)]
}

/** The states from the chart down to the one at `path`, which is the last; throws when there is none. */
function statesTo(machine: Machine, path: string): State[] {
  const found = statesWithin(outlineOf(machine)).filter((state) => isWithin(path, state.path))
  if (found.at(-1)?.path !== path) throw new Error(`Chart ${machine.id} has no state ${path}`)
  return found
}

function isWithin(path: string, parent: string): boolean {
  return parent === '' || path === parent || path.startsWith(`${parent}.`)
}

/** The choices for a message in a state, in the order in which they are tried: its own, then its parents'. */
export function choicesFor(machine: Machine, path: string, event: string): Choice[] {
  return statesTo(machine, path)
    .reverse()
    .flatMap(({ choices }) => choices.filter((choice) => choice.event === event))
}

/** The messages that a state has a choice for. */
export function messagesFor(machine: Machine, path: string): string[] {
  return [
    ...new Set(
      statesTo(machine, path)
        .reverse()
        .flatMap(({ choices }) => choices.map(({ event }) => event)),
    ),
  ]
}

/** Every message that some state has a choice for, sorted. */
export function messagesIn(machine: Machine): string[] {
  return [
    ...new Set(statesWithin(outlineOf(machine)).flatMap(({ choices }) => choices.map(({ event }) => event))),
  ].sort()
}

function stateOf(node: ChartNode): State {
  const initial = node.initial?.target[0]
  return {
    path: node.path.join('.'),
    name: node.key,
    meta: node.meta ?? {},
    choices: [...node.transitions].flatMap(([event, transitions]) =>
      transitions.map((transition, place) => choiceOf(node, event, transition, place)),
    ),
    ...(initial && { initial: initial.path.join('.') }),
    children: Object.values(node.states).map(stateOf),
  }
}

function choiceOf(node: ChartNode, event: string, { guard, actions, target }: NodeTransition, place: number): Choice {
  return {
    name: `${[...node.path, event].join('.')}[${place}]`,
    event,
    ...(guard !== undefined && { guard: nameOf(guard) }),
    isElse: guard === undefined && place > 0,
    actions: actions.map(nameOf),
    ...(target && { target: leafOf(target[0]!) }),
  }
}

/** Entering a state with children enters its initial child. */
function leafOf(node: ChartNode): string {
  const initial = node.initial?.target[0]
  return initial ? leafOf(initial) : node.path.join('.')
}

function nameOf(reference: NodeReference): string {
  if (typeof reference === 'string') return reference
  const params = Object.values((reference.params ?? {}) as object)
  return params.length === 0 ? reference.type : `${reference.type}(${params.join(', ')})`
}
