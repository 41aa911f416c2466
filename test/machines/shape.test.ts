// What the kernel requires of every chart: guards and actions by name, no actions but assignments, and no automatic
// transitions.
import test from 'ava'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { charts } from '../../machines/index.js'
import { metaOf } from '../../src/actor/chart.js'
import { statesOf } from './walk.js'

type Named = string | { type: string }
type Listed<T> = T | readonly T[] | undefined

const STATE_KEYS = new Set(['initial', 'states', 'on', 'meta'])
/** setup() puts the types into `schemas`. */
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
  test(`${kind}: states define only children, transitions and meta: no entry actions, timers or invocations`, (t) => {
    const strange = nodesOf(machine).flatMap((node) => {
      const allowed = node === machine.root ? ROOT_KEYS : STATE_KEYS
      return Object.keys(node.config).filter((key) => !allowed.has(key))
    })
    t.deepEqual(strange, [])
  })

  test(`${kind}: transitions have at most a named guard, one target and named actions`, (t) => {
    for (const transition of transitionsOf(machine)) {
      t.deepEqual(
        Object.keys(transition).filter((key) => !TRANSITION_KEYS.has(key)),
        [],
      )
      t.true(['undefined', 'string'].includes(typeof transition['guard']))
      t.true(['undefined', 'string'].includes(typeof transition['target']))
      t.true(list(transition['actions']).every((action) => typeof action !== 'function'))
    }
  })

  test(`${kind}: every action is an assignment and used by a transition`, (t) => {
    const used = transitionsOf(machine).flatMap(({ actions }) => list(actions as Listed<Named>))
    const names = new Set(used.map((action) => (typeof action === 'string' ? action : action.type)))
    const { actions } = machine.implementations
    t.deepEqual(
      Object.keys(actions).filter((name) => !names.has(name)),
      [],
    )
    for (const action of Object.values(actions)) t.is((action as unknown as { type: string }).type, 'xstate.assign')
  })

  test(`${kind}: the meta of a state names a known ask, a known call and a context field to wake at`, (t) => {
    for (const state of statesOf(machine)) {
      const { ask, wakeAt, call, ...others } = metaOf(machine, state)
      t.true(ASKS.has(ask))
      t.true(CALLS.has(call))
      t.true(wakeAt === undefined || wakeAt in (machine.config.context as object))
      t.deepEqual(others, {})
    }
  })
}
