// What the kernel requires of every chart: guards and actions by name, no actions but assignments, no automatic
// transitions, few enough states for a reader, and gates that can always be undone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { charts } from '../../machines/index.js'
import { metaOf } from '../../src/actor/stateMeta.js'
import { initialState } from '../../src/actor/transition.js'
import { PAYMENT_STATUSES, TRANSACTION_STATUSES } from '../../src/domain/payment/terms.js'
import { projectRoot } from '../support/root.js'
import { chartFile } from '../support/chartFile.js'
import { statesOf } from '../support/walk.js'

type Named = string | { type: string }
type Listed<T> = T | readonly T[] | undefined

const STATE_KEYS = new Set(['initial', 'states', 'on', 'meta'])
/** setup() puts the types into `schemas`. */
const ROOT_KEYS = new Set([...STATE_KEYS, 'id', 'context', 'schemas'])
const TRANSITION_KEYS = new Set(['guard', 'target', 'actions'])
const HOLDS = new Set([undefined, 'none', 'held', 'permitted', 'captured'])
/** Kinds that their first message finds in their first state. */
const KEPT_FROM_THE_START = new Set(['account', 'budget'])
/** Values that a literal may name. */
const LITERALS = new Set(['true', 'false', 'null'])
const CALLS = new Set([undefined, 'sign', 'broadcast', 'lookup', 'lookupAuthorization'])

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

  test(`${kind}: the meta of a state names a known hold, a known call and a context field to wake at`, (t) => {
    for (const state of statesOf(machine)) {
      const { hold, isPaid, tell, status, wakeAt, call, gone, list, transaction, ...others } = metaOf(machine, state)
      t.true(HOLDS.has(hold))
      t.true(isPaid === undefined || hold === 'captured')
      t.true(CALLS.has(call))
      t.true(wakeAt === undefined || wakeAt in (machine.config.context as object))
      t.true(tell === undefined || (kind === 'payment' && Object.values(tell).every((one) => one === 'RECONCILE')))
      t.true(status === undefined || /^[A-Z_]+$/.test(status))
      t.true(gone === undefined || gone)
      t.true(list === undefined || /^[A-Za-z-]+$/.test(list))
      t.true(transaction === undefined || (kind === 'payment' && TRANSACTION_STATUSES.includes(transaction)))
      t.deepEqual(others, {})
    }
  })
}

/** The most states, parents included, and the most messages that a reader takes in. */
const LIMITS = { payment: [21, 25], agent: [7, 17], wallet: [6, 15], delegation: [3, 8] } as const

for (const [kind, [states, messages]] of Object.entries(LIMITS)) {
  test(`${kind} has at most ${states} states and ${messages} messages`, (t) => {
    const { machine } = charts[kind as keyof typeof LIMITS]
    const [count, types] = [getStateNodes(machine).length, new Set(machine.events)]
    t.true(count <= states, `${count} states`)
    t.true(types.size <= messages, `${types.size} messages`)
  })
}

test('every state of a payment says what it holds and, where there is one, its status and the list of that', (t) => {
  const { machine } = charts.payment
  const listOfStatus = new Map<string | undefined, string | undefined>()
  for (const state of statesOf(machine)) {
    const { hold, status, list, gone } = metaOf(machine, state)
    t.not(hold, undefined, state)
    if (gone) continue
    t.true(PAYMENT_STATUSES.includes(status as never), `${state} shows no status`)
    t.not(list, undefined, `${state} is in no list`)
    t.is(listOfStatus.get(status) ?? list, list, `${state} is in another list than what shows alike`)
    listOfStatus.set(status, list)
  }
  t.deepEqual([...listOfStatus.keys()].toSorted(), [...PAYMENT_STATUSES].toSorted())
  t.is(new Set(listOfStatus.values()).size, PAYMENT_STATUSES.length)
})

test('a transfer in a captured payment that calls the outside world has a status, once it is signed', (t) => {
  const { machine } = charts.payment
  for (const state of statesOf(machine)) {
    const { call, transaction } = metaOf(machine, state)
    if (call !== undefined && call !== 'sign') t.not(transaction, undefined, state)
  }
})

for (const [kind, { machine }] of Object.entries(charts)) {
  test(`${kind}: where nothing has happened yet, there is no actor`, (t) => {
    const isMade = KEPT_FROM_THE_START.has(kind)
    t.is(metaOf(machine, initialState(machine)).gone === true, !isMade)
  })
}

const GATES = ['agent', 'budget', 'counterparty', 'delegation', 'wallet'] as const

/** The messages that some transition of a state, or of its parents, takes without a condition. */
function alwaysTakenIn(machine: AnyStateMachine, state: string): string[] {
  const { nodes } = { nodes: [machine.root, ...getStateNodes(machine)] as AnyStateNode[] }
  const own = nodes.filter(
    ({ path }) => state === path.join('.') || path.length === 0 || state.startsWith(`${path.join('.')}.`),
  )
  const definitions = own.flatMap((node) => [...node.transitions.values()].flat())
  return definitions.filter(({ guard }) => guard === undefined).map(({ eventType }) => eventType)
}

for (const kind of GATES) {
  test(`${kind}: every state releases, settles and answers a restore, whatever else is true`, (t) => {
    const { machine } = charts[kind]
    for (const state of statesOf(machine)) {
      const taken = alwaysTakenIn(machine, state)
      for (const ask of ['RELEASE', 'SETTLE', 'RESTORE']) t.true(taken.includes(ask), `${state} does not take ${ask}`)
    }
  })
}

/** What stands between the braces of createMachine, comments removed. */
function literalOf(kind: string): string {
  const source = readFileSync(join(projectRoot, chartFile(kind)), 'utf8')
  const literal = source.slice(source.indexOf('.createMachine(') + '.createMachine('.length)
  return literal.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replaceAll(/'[^']*'/g, "''")
}

for (const kind of Object.keys(charts)) {
  test(`${kind}: its chart is one literal, without a spread, a call or a name`, (t) => {
    const literal = literalOf(kind)
    t.is(literal.match(/\.\.\.|`|\w\(|=>/)?.[0], undefined)
    t.deepEqual(
      literal.match(/(?<=[:[,]\s*)[A-Za-z]\w*(?=\s*[,}\]\n])/g)?.filter((word) => !LITERALS.has(word)) ?? [],
      [],
    )
  })
}
