// Takes one transition of a chart: selects it by message and guards and applies its assignments. It equals XState's
// `transition()` for charts that have only named guards and `assign`, read from the machine that XState built; a test
// holds the two equal. A chart with anything else is refused on its first use.
import type { AnyStateMachine } from 'xstate'
import type { Message } from './actor.js'
import { rootNode, type ChartNode, type NodeReference } from './chartNode.js'

export type ContextFields = { [field: string]: unknown }
interface Given {
  context: ContextFields
  event: Message
}
type Guard = (given: Given, params: unknown) => boolean
type Assign = (given: Given, params: unknown) => ContextFields

interface Named<Run> {
  name: string
  run: Run
  params: unknown
}

/** One candidate transition of a state for a message. */
interface Choice {
  guard: Named<Guard> | undefined
  assigns: Named<Assign>[]
  /** Dotted path of the state that it leads to, which may be the same. */
  target: string
}

/** Choices by state and message type, in order of precedence: the state's own, then its parents'. */
type Choices = Map<string, Map<string, Choice[]>>

const compiled = new WeakMap<AnyStateMachine, Choices>()

function choicesOf(machine: AnyStateMachine): Choices {
  let choices = compiled.get(machine)
  if (!choices) {
    if (typeof machine.config.context === 'function')
      throw new Error(`Chart ${machine.id} makes its context with a function`)
    choices = new Map()
    collect(machine, rootNode(machine), choices)
    compiled.set(machine, choices)
  }
  return choices
}

function collect(machine: AnyStateMachine, node: ChartNode, into: Choices): void {
  requirePlain(machine, node)
  for (const child of Object.values(node.states)) collect(machine, child, into)
  if (node.type !== 'atomic') return
  const path = node.path.join('.')
  const ofState = new Map<string, Choice[]>()
  for (let from: ChartNode | undefined = node; from; from = from.parent) {
    for (const [type, transitions] of from.transitions) {
      const found = transitions.map(({ guard, actions, target }) => ({
        guard: guard === undefined ? undefined : guardOf(machine, guard),
        assigns: actions.map((action) => assignOf(machine, action)),
        target: target ? leafOf(target[0]!) : path,
      }))
      ofState.set(type, [...(ofState.get(type) ?? []), ...found])
    }
  }
  into.set(path, ofState)
}

/** Throws on anything with an effect and on transitions without a message: a turn supports neither. */
function requirePlain(machine: AnyStateMachine, node: ChartNode): void {
  const more =
    !['atomic', 'compound'].includes(node.type) ||
    [node.entry, node.exit, node.invoke, node.always ?? [], node.initial?.actions ?? []].some(
      (list) => list.length > 0,
    ) ||
    [...node.transitions.keys()].some((type) => type === '' || type.includes('*'))
  if (more)
    throw new Error(`Chart ${machine.id} has more than guards and assignments in ${node.path.join('.') || 'its root'}`)
}

function leafOf(node: ChartNode): string {
  return node.type === 'compound' ? leafOf(node.initial!.target[0]!) : node.path.join('.')
}

const nameOf = (reference: NodeReference): string => (typeof reference === 'string' ? reference : reference.type)

/** Static params only: XState would call params that are a function. */
function paramsOf({ id }: AnyStateMachine, reference: NodeReference): unknown {
  const params = typeof reference === 'string' ? undefined : reference.params
  if (typeof params === 'function') throw new Error(`Chart ${id} makes params of ${nameOf(reference)} with a function`)
  return params
}

function guardOf(machine: AnyStateMachine, reference: NodeReference): Named<Guard> {
  const run: unknown = machine.implementations.guards[nameOf(reference)]
  // XState never calls the functions that not(), and() and or() return: it uses their `check`.
  if (typeof run !== 'function' || 'check' in run)
    throw new Error(`Chart ${machine.id} has no plain guard ${nameOf(reference)}`)
  return { name: nameOf(reference), run: run as Guard, params: paramsOf(machine, reference) }
}

function assignOf(machine: AnyStateMachine, reference: NodeReference): Named<Assign> {
  const { id, implementations } = machine
  const action = implementations.actions[nameOf(reference)] as { assignment?: Assign | ContextFields } | undefined
  if (!action?.assignment) throw new Error(`Chart ${id} has no assignment ${nameOf(reference)}`)
  const { assignment } = action
  return {
    name: nameOf(reference),
    run: typeof assignment === 'function' ? (assignment as Assign) : fieldwise(assignment),
    params: paramsOf(machine, reference),
  }
}

/** Converts an assignment object, with a value or a function for each field, to one function. */
function fieldwise(fields: ContextFields): Assign {
  const entries = Object.entries(fields)
  return (given, params) =>
    Object.fromEntries(
      entries.map(([field, value]) => [field, typeof value === 'function' ? value(given, params) : value]),
    )
}

export function initialState(machine: AnyStateMachine): string {
  return leafOf(rootNode(machine))
}

/**
 * Takes `event` in `state`: writes the results of the assignments into `context` and returns the choice taken; undefined
 * when the state has none for the event.
 */
export function transition(
  machine: AnyStateMachine,
  state: string,
  context: ContextFields,
  event: Message,
): Choice | undefined {
  const ofState = choicesOf(machine).get(state)
  if (!ofState) throw new Error(`Chart ${machine.id} has no state ${state}`)
  const given = { context, event }
  const taken = ofState.get(event.type)?.find(({ guard }) => !guard || guard.run(given, guard.params))
  if (!taken) return undefined
  for (const { run, params } of taken.assigns) {
    const fields = run(given, params)
    for (const field in fields) context[field] = fields[field]
  }
  return taken
}
