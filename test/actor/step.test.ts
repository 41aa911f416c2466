// A chart that holds more than named guards and assignments is refused: a step must never silently differ from XState.
import test from 'ava'
import { and, assign, not, setup, type AnyStateMachine } from 'xstate'
import { transition } from '../../src/actor/transition.js'

const EVENT = { type: 'GO', now: 0, organization: 'o' }
const chart = setup({
  types: { context: {} as { seen: number }, events: {} as { type: 'GO' } },
  guards: {
    plain: (_given, _params?: number) => true,
    negated: not('plain'),
    both: and(['plain', 'plain']),
  },
  actions: { mark: assign((_, params: { seen: number }) => ({ seen: params.seen })), tell: () => {} },
})
const mark = { type: 'mark', params: { seen: 1 } } as const
const context = { seen: 0 }
const refuse =
  (machine: AnyStateMachine, state = 'a') =>
  () =>
    transition(machine, state, { seen: 0 }, EVENT)

test('a chart of named guards and assignments is accepted', (t) => {
  const on = { GO: { guard: 'plain', target: 'b', actions: mark } } as const
  const machine = chart.createMachine({ context, initial: 'a', states: { a: { on }, b: {} } })
  const fields = { seen: 0 }
  t.like(transition(machine, 'a', fields, EVENT), { target: 'b', guard: { name: 'plain' } })
  t.deepEqual(fields, { seen: 1 })
})

const REFUSED: [name: string, message: RegExp, machine: AnyStateMachine][] = [
  [
    'action params that are a function',
    /params of mark/,
    chart.createMachine({
      context,
      initial: 'a',
      states: { a: { on: { GO: { actions: { type: 'mark', params: () => ({ seen: 1 }) } } } } },
    }),
  ],
  [
    'guard params that are a function',
    /params of plain/,
    chart.createMachine({
      context,
      initial: 'a',
      states: { a: { on: { GO: { guard: { type: 'plain', params: () => 1 }, actions: mark } } } },
    }),
  ],
  ...(['negated', 'both'] as const).map((guard): [string, RegExp, AnyStateMachine] => [
    `a guard that is ${guard}`,
    new RegExp(`no plain guard ${guard}`),
    chart.createMachine({ context, initial: 'a', states: { a: { on: { GO: { guard, actions: mark } } } } }),
  ]),
  [
    'actions on its initial transition',
    /more than guards and assignments/,
    chart.createMachine({ context, initial: { target: 'a', actions: mark }, states: { a: {} } }),
  ],
  [
    'a context that is a function',
    /context with a function/,
    chart.createMachine({ context: () => ({ seen: 0 }), initial: 'a', states: { a: {} } }),
  ],
  [
    'an action that is not an assignment',
    /no assignment tell/,
    chart.createMachine({ context, initial: 'a', states: { a: { on: { GO: { actions: 'tell' } } } } }),
  ],
]

for (const [name, message, machine] of REFUSED) {
  test(`a chart with ${name} is refused`, (t) => {
    t.throws(refuse(machine), { message })
  })
}
