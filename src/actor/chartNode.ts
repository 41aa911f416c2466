// The fields of XState's state nodes that are read here; XState's own types leave most of them open.
import type { AnyStateMachine } from 'xstate'
import type { Meta } from '../domain/values/meta.js'

/** A guard or an action by its name. */
export type NodeReference = string | { type: string; params?: object }

export interface NodeTransition {
  guard?: NodeReference
  actions: NodeReference[]
  target?: ChartNode[]
  reenter: boolean
}

export interface ChartNode {
  type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  key: string
  path: string[]
  parent?: ChartNode
  meta?: Meta
  states: { [name: string]: ChartNode }
  initial: { target: ChartNode[]; actions: unknown[] } | undefined
  transitions: Map<string, NodeTransition[]>
  entry: unknown[]
  exit: unknown[]
  always?: unknown[]
  invoke: unknown[]
}

/** The root of a chart; its states are below it. */
export function rootNode(machine: AnyStateMachine): ChartNode {
  return machine.root as unknown as ChartNode
}
