// A turn of the kernel computes exactly what XState's transition() does, and it fails closed.
import test from 'ava'
import fc from 'fast-check'
import { assign, setup, transition, type AnyStateMachine } from 'xstate'
import { charts, type Kind } from '../../machines/index.js'
import { fieldsOf, idOf, kindOf, type Actor, type DomainEvent, type Message, type Turn } from '../../src/actor/actor.js'
import { createTurns, type ChartBook } from '../../src/actor/turn.js'
import type { Hold, Ref, TurnFields } from '../../src/domain/limits/gate.js'
import { seedOr } from '../support/depth.js'
import { asksOf, message, TODAY } from '../support/gateMessages.js'
import { request } from '../support/paymentMessages.js'
import { scenarios } from '../support/scenarios.js'
import { snapshotOf, statePath, stepIn, canBeSent, type World } from '../support/walk.js'

const take = createTurns(charts)
const askOf = (type: string): Message => asksOf('p1', 60).find((ask) => ask.type === type)!
const RESERVE = askOf('RESERVE')

/** The results of a turn, and those of transition() on the same snapshot. */
function bothSay(ref: Ref, turn: Turn, world: World, sent: Message): { said: object; expected: object } {
  const [next, effects] = transition(
    charts[kindOf(ref) as Kind].machine as AnyStateMachine,
    snapshotOf(world, ref, sent),
    sent,
  )
  const { hold, violations, refusal, events, ...context } = next.context as TurnFields & Record<string, unknown>
  const { actor, violations: objections } = turn
  const names = turn.events.map(({ event }) => event)
  const said = { state: actor.state, context: { ...actor.context }, violations: objections, hold: turn.hold }
  return {
    said: { ...said, refusal: turn.refusal ?? null, names, effects: [] },
    expected: { state: statePath(next.value), context, violations, hold, refusal, names: events, effects },
  }
}

for (const [kind, { ref, messages }] of Object.entries(scenarios)) {
  test(`a turn of ${kind} equals XState's transition() on the same snapshot`, (t) => {
    const sequences = fc.array(fc.nat(), { minLength: 1, maxLength: 30 })
    const property = fc.property(sequences, (picks) => {
      let world: World = { actor: undefined, holds: {} }
      for (const pick of picks) {
        const choice = messages(world).filter((one) => canBeSent(world, one))
        if (choice.length === 0) return
        world = stepIn(ref, world, choice[pick % choice.length]!, (turn, before, sent) => {
          const { said, expected } = bothSay(ref, turn, before, sent)
          t.deepEqual(said, expected)
        }).after
      }
    })
    fc.assert(property, { seed: seedOr(20240229) })
  })
}

/** A chart that counts, and whose guard throws on TRIP. */
const fragile = setup({
  types: { context: {} as TurnFields & { organization: string; count: number }, events: {} as Message },
  guards: {
    broken: () => {
      throw new Error('A guard broke')
    },
  },
  actions: { count: assign(({ context, event }) => ({ organization: event.organization, count: context.count + 1 })) },
}).createMachine({
  id: 'fragile',
  context: { organization: '', count: 0, hold: null, violations: [], refusal: null, events: [] },
  initial: 'whole',
  states: {
    whole: { on: { COUNT: { actions: 'count' }, TRIP: { guard: 'broken', actions: 'count' } } },
  },
})

const book: ChartBook = { fragile: { machine: fragile as AnyStateMachine, version: 3 } }

test('a guard that throws leaves actor and hold unchanged, and the chart takes the next message', (t) => {
  const takeFragile = createTurns(book)
  const { actor } = takeFragile('fragile/f1', undefined, undefined, message('COUNT'))
  const hold: Hold = { amount: 60 }
  const before = structuredClone({ actor, hold })
  const error = t.throws(() => takeFragile('fragile/f1', actor, hold, message('TRIP', { holder: 'p1' })))
  t.regex(error.message, /A guard broke/)
  t.deepEqual({ actor, hold }, before)
  t.is(fieldsOf(takeFragile('fragile/f1', actor, hold, message('COUNT')).actor)['count'], 2)
})

test('an actor written by another version of its chart is rejected', (t) => {
  const context = { organization: 'o1', count: 1 }
  const actor: Actor = { ref: 'fragile/f1', version: 2, revision: 1, state: 'whole', context }
  const error = t.throws(() => createTurns(book)('fragile/f1', actor, undefined, message('COUNT')))
  t.is(error.message, 'fragile/f1 was written by version 2 of its chart; this is version 3')
})

test('a ref whose kind has no chart throws', (t) => {
  t.throws(() => take('ghost/g1', undefined, undefined, message('COUNT')), { message: 'No chart for ghost/g1' })
})

for (const kind of Object.keys(charts) as Kind[]) {
  const { ref } = scenarios[kind]

  test(`a message from another organization does not reach ${kind}`, (t) => {
    const context = { organization: 'o1' }
    const state = statePath(charts[kind].machine.getInitialSnapshot({} as never).value)
    const actor: Actor = { ref, version: charts[kind].version, revision: 1, state, context }
    const error = t.throws(() => take(ref, actor, undefined, { ...RESERVE, organization: 'o2' }))
    t.is(error.message, `${ref} was addressed from outside its organization`)
  })
}

for (const [kind, { ref }] of Object.entries(scenarios)) {
  // These begin with their first reservation.
  if (['budget', 'counterparty', 'service'].includes(kind)) continue
  test(`${kind} leaves no hold where nobody exists yet, and is not created by a RESERVE`, (t) => {
    t.like(take(ref, undefined, undefined, RESERVE), { taken: false, changed: false, hold: null })
  })
}

test('a message that a state does not handle leaves the actor unchanged', (t) => {
  const { actor } = take('payment/p1', undefined, undefined, request('APPROVED', false))
  const turn = take('payment/p1', actor, undefined, message('ACCEPTED'))
  t.is(turn.actor, actor)
  t.false(turn.changed)
  t.is(actor.revision, 1)
})

test('an event names its actor, its organization and the time of its turn', (t) => {
  const { events } = take('payment/p1', undefined, undefined, request('DENIED', false))
  const of = (event: string): DomainEvent => ({ event, ref: 'payment/p1', organization: 'o1', at: TODAY })
  t.deepEqual(events, [of('payment.requested'), of('payment.denied')])
})

test('a ref consists of a kind and an id, which may contain slashes', (t) => {
  t.deepEqual([kindOf('account/1/0x'), idOf('account/1/0x')], ['account', '1/0x'])
})
