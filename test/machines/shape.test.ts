// What the kernel relies on in every chart: names only, assignments only, and nothing that happens by itself.
import test from 'ava'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { charts } from '../../machines/index.js'
import { metaOf } from '../../src/actor/chart.js'
import { statesOf } from './walk.js'

type Named = string | { type: string }
type Listed<T> = T | readonly T[] | undefined

const STATE_KEYS = new Set(['initial', 'states', 'on', 'meta'])
/** `schemas` is where setup() leaves the types. */
const ROOT_KEYS = new Set([...STATE_KEYS, 'id', 'context', 'schemas'])
const TRANSITION_KEYS = new Set(['guard', 'target', 'actions'])
const ASKS = new Set([undefined, 'RESERVE', 'CAPTURE', 'SETTLE', 'RECONCILE', 'RESTORE', 'RELEASE', 'ADMIT'])
const CALLS = new Set([undefined, 'sign', 'broadcast', 'lookup'])

function list<T>(some: Listed<T>): readonly T[] {
  return some === undefined ? [] : ([some].flat() as T[])
}

function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  return [machine.root, ...getStateNodes(machine)]
}

function transitionsOf(machine: AnyStateMachine): { [key: string]: unknown }[] {
  const perEvent = nodesOf(machine).flatMap((node) => Object.values(node.config.on ?? {}))
  return perEvent.flatMap((some) => list(some as Listed<never>))
}

for (const [kind, { machine }] of Object.entries(charts)) {
  test(`${kind}: a state has children, transitions and meta, and nothing that happens by itself`, (t) => {
    const strange = nodesOf(machine).flatMap((node) => {
      const allowed = node === machine.root ? ROOT_KEYS : STATE_KEYS
      return Object.keys(node.config).filter((key) => !allowed.has(key))
    })
    t.deepEqual(strange, [])
  })

  test(`${kind}: a transition has a named guard, one target and named actions`, (t) => {
    for (const transition of transitionsOf(machine)) {
      t.deepEqual(Object.keys(transition).filter((key) => !TRANSITION_KEYS.has(key)), [])
      t.true(['undefined', 'string'].includes(typeof transition['guard']))
      t.true(['undefined', 'string'].includes(typeof transition['target']))
      t.true(list(transition['actions']).every((action) => typeof action !== 'function'))
    }
  })

  test(`${kind}: every action is an assignment, and used`, (t) => {
    const used = transitionsOf(machine).flatMap(({ actions }) => list(actions as Listed<Named>))
    const names = new Set(used.map((action) => (typeof action === 'string' ? action : action.type)))
    const { actions } = machine.implementations
    t.deepEqual(Object.keys(actions).filter((name) => !names.has(name)), [])
    for (const action of Object.values(actions)) t.is((action as unknown as { type: string }).type, 'xstate.assign')
  })

  test(`${kind}: a state asks what gates know and wakes at a time that the context holds`, (t) => {
    for (const state of statesOf(machine)) {
      const { ask, wakeAt, call, ...others } = metaOf(machine, state)
      t.true(ASKS.has(ask))
      t.true(CALLS.has(call))
      t.true(wakeAt === undefined || wakeAt in (machine.config.context as object))
      t.deepEqual(others, {})
    }
  })
}
