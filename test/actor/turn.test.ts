// A turn of the kernel computes exactly what XState's transition() does, and it fails closed.
import test from 'ava'
import fc from 'fast-check'
import { assign, setup, transition, type AnyStateMachine } from 'xstate'
import { charts, type Kind } from '../../machines/index.js'
import { idOf, kindOf, type Actor, type DomainEvent, type Message, type Turn } from '../../src/actor/actor.js'
import { createTake, type ChartBook } from '../../src/actor/turn.js'
import type { Entry, TurnFields, Ref } from '../../src/domain/gate.js'
import { seedOr } from '../depth.js'
import { asksOf, message, TODAY } from '../machines/gateMessages.js'
import { request } from '../machines/paymentMessages.js'
import { scenarios } from '../machines/scenarios.js'
import { rowOf, snapshotOf, statePath, worldAfter, type World } from '../machines/walk.js'

const take = createTake(charts)
const NOWHERE: World = { actor: undefined, rows: {} }
const askOf = (type: string): Message => asksOf('p1', 60).find((ask) => ask.type === type)!
const RESERVE = askOf('RESERVE')

/** The results of a turn, and those of transition() on the same snapshot. */
function bothSay(ref: Ref, world: World, sent: Message): { turn: Turn; said: object; expected: object } {
  const turn = take(ref, world.actor, rowOf(world, sent), sent)
  const [next, effects] = transition(charts[kindOf(ref) as Kind].machine, snapshotOf(world, ref, sent), sent)
  const { entry, violations, refusal, events, ...context } = next.context as TurnFields & Record<string, unknown>
  const { actor, violations: objections } = turn
  const said = { state: actor.state, context: actor.context, violations: objections, refusal: turn.refusal ?? null }
  const row = turn.entry?.state === 'refused' && entry === null ? null : (turn.entry ?? rowOf(world, sent) ?? null)
  const names = turn.events.map(({ event }) => event)
  return {
    turn,
    said: { ...said, row, names, effects: [] },
    expected: { state: statePath(next.value), context, violations, refusal, row: entry, names: events, effects },
  }
}

for (const [kind, { ref, messages }] of Object.entries(scenarios)) {
  test(`a turn of ${kind} equals XState's transition() on the same snapshot`, (t) => {
    const sequences = fc.array(fc.nat(), { minLength: 1, maxLength: 30 })
    const property = fc.property(sequences, (picks) => {
      let world = NOWHERE
      for (const pick of picks) {
        const choice = messages(world)
        const sent = choice[pick % choice.length]!
        const { turn, said, expected } = bothSay(ref, world, sent)
        t.deepEqual(said, expected)
        world = worldAfter(world, sent, turn)
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
  context: { organization: '', count: 0, entry: null, violations: [], refusal: null, events: [] },
  initial: 'whole',
  states: {
    whole: { on: { COUNT: { actions: 'count' }, TRIP: { guard: 'broken', actions: 'count' } } },
  },
})

const book: ChartBook = { fragile: { machine: fragile as AnyStateMachine, version: 3 } }

test('a guard that throws leaves actor and row unchanged, and the chart takes the next message', (t) => {
  const takeFragile = createTake(book)
  const { actor } = takeFragile('fragile/f1', undefined, undefined, message('COUNT'))
  const row: Entry = { state: 'held', amount: 60, attempt: 0 }
  const before = structuredClone({ actor, row })
  const error = t.throws(() => takeFragile('fragile/f1', actor, row, message('TRIP', { holder: 'p1' })))
  t.regex(error.message, /A guard broke/)
  t.deepEqual({ actor, row }, before)
  t.is(takeFragile('fragile/f1', actor, row, message('COUNT')).actor.context['count'], 2)
})

test('an actor written by another version of its chart is rejected', (t) => {
  const context = { organization: 'o1', count: 1 }
  const actor: Actor = { ref: 'fragile/f1', version: 2, revision: 1, state: 'whole', context }
  const error = t.throws(() => createTake(book)('fragile/f1', actor, undefined, message('COUNT')))
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

for (const kind of ['agent', 'delegation', 'key', 'organization', 'payment', 'wallet'] as const) {
  const { ref } = scenarios[kind]

  test(`${kind} permanently refuses a RESERVE that its state does not answer`, (t) => {
    const refused = take(ref, undefined, undefined, RESERVE)
    t.deepEqual(refused.entry, { state: 'refused', amount: 60, attempt: 0, violations: [] })
    const again = take(ref, undefined, refused.entry, RESERVE)
    t.is(again.entry, undefined)
  })
}

test('a taken claim refuses the next holder and keeps the first', (t) => {
  const first = take('claim/c', undefined, undefined, RESERVE)
  const second = take('claim/c', first.actor, undefined, { ...RESERVE, holder: 'p2' })
  t.deepEqual(second.entry, { state: 'refused', amount: 60, attempt: 0, violations: [] })
  t.is(second.actor, first.actor)
})

test('a RESERVE that arrives after its RELEASE is blocked by the tombstone', (t) => {
  for (const kind of ['agent', 'claim', 'counterparty', 'delegation', 'wallet'] as const) {
    const { ref } = scenarios[kind]
    const released = take(ref, undefined, undefined, askOf('RELEASE'))
    t.is(released.entry?.state, 'released')
    const actor = released.changed ? released.actor : undefined
    t.is(take(ref, actor, released.entry, RESERVE).entry, undefined)
  }
})

test('a message that a state does not handle leaves the actor unchanged', (t) => {
  const { actor } = take('payment/p1', undefined, undefined, request('APPROVED', false))
  const turn = take('payment/p1', actor, undefined, message('EXECUTE'))
  t.is(turn.actor, actor)
  t.false(turn.changed)
  t.is(actor.revision, 1)
})

test('an event names its actor, its organization and the time of its turn', (t) => {
  const { events } = take('payment/p1', undefined, undefined, request('DENIED', false))
  const of = (event: string): DomainEvent => ({ event, ref: 'payment/p1', organization: 'o1', at: TODAY })
  t.deepEqual(events, [of('payment.requested'), of('payment.denied')])
})

test('a CAPTURE without a hold changes nothing', (t) => {
  for (const { ref } of Object.values(scenarios)) {
    const turn = take(ref, undefined, undefined, askOf('CAPTURE'))
    t.is(turn.entry, undefined)
    t.false(turn.changed)
  }
})

test('a ref consists of a kind and an id, which may contain slashes', (t) => {
  t.deepEqual([kindOf('claim/wallet/1/0x'), idOf('claim/wallet/1/0x')], ['claim', 'wallet/1/0x'])
})
