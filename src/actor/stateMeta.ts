// Reads what a chart declares beside its transitions: the `meta` of its states, which is all that is true of a state.
import type { AnyStateMachine } from 'xstate'
import type { Meta } from '../domain/values/meta.js'
import { rootNode, type ChartNode } from './chartNode.js'

const metas = new WeakMap<AnyStateMachine, Map<string, Meta>>()

function collect(node: ChartNode, path: string, inherited: Meta, into: Map<string, Meta>): void {
  for (const [name, child] of Object.entries(node.states)) {
    const own = { ...inherited, ...child.meta }
    const childPath = path === '' ? name : `${path}.${name}`
    into.set(childPath, own)
    collect(child, childPath, own, into)
  }
}

function metasByState(machine: AnyStateMachine): ReadonlyMap<string, Meta> {
  let known = metas.get(machine)
  if (!known) {
    known = new Map()
    collect(rootNode(machine), '', {}, known)
    metas.set(machine, known)
  }
  return known
}

/** The meta of a state, inherited from its parents; throws when the chart has no such state. */
export function metaOf(machine: AnyStateMachine, state: string): Meta {
  const meta = metasByState(machine).get(state)
  if (!meta) throw new Error(`Chart ${machine.id} has no state ${state}`)
  return meta
}

/** All states that an actor which is there shows a status in, parents too. */
export function metasOf(machine: AnyStateMachine): (Meta & { state: string; status: string })[] {
  return [...metasByState(machine)].flatMap(([state, { status, ...meta }]) =>
    status === undefined || meta.gone ? [] : [{ ...meta, state, status }],
  )
}
