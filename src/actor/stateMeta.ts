// Reads what a chart declares beside its transitions: the `meta` of its states, which is all that is true of a state.
import type { AnyStateMachine } from 'xstate'
import type { HoldLevel } from '../domain/limits/gate.js'
import type { OutsideCall } from '../domain/payment/settlement.js'

/** What an actor in this state shows, holds and waits for. A crash loses nothing: it is part of the state, no effect. */
export interface Meta {
  /** The status that the interface shows. */
  status?: string
  /** What must be true at every gate of the actor while it is in this state. */
  hold?: HoldLevel
  /** By the kind of the gate: the message that it gets on every change in this state. */
  tell?: { [kind: string]: 'RECONCILE' }
  /** The context field with the time (epoch ms) of the actor's WAKE. */
  wakeAt?: string
  /** The call to the outside world, made once the state is on disk. */
  call?: OutsideCall
}

interface Node {
  meta?: Meta
  states: { [name: string]: Node }
}

const metas = new WeakMap<AnyStateMachine, Map<string, Meta>>()

function collect(node: Node, path: string, inherited: Meta, into: Map<string, Meta>): void {
  for (const [name, child] of Object.entries(node.states)) {
    const own = { ...inherited, ...child.meta }
    const childPath = path === '' ? name : `${path}.${name}`
    into.set(childPath, own)
    collect(child, childPath, own, into)
  }
}

/** The meta of a state, inherited from its parents; throws when the chart has no such state. */
export function metaOf(machine: AnyStateMachine, state: string): Meta {
  let known = metas.get(machine)
  if (!known) {
    known = new Map()
    collect(machine.root as unknown as Node, '', {}, known)
    metas.set(machine, known)
  }
  const meta = known.get(state)
  if (!meta) throw new Error(`Chart ${machine.id} has no state ${state}`)
  return meta
}
