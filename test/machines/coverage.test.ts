// Every transition of every chart is taken, every state reached, and what each turn leaves holds together: in all
// worlds that a short list of messages makes of one actor.
import test from 'ava'
import { charts, type Kind } from '../../machines/index.js'
import { EVENTS } from '../../src/webhooks/events.js'
import { TOLD } from '../../src/webhooks/payloads.js'
import { everywhere, invariants } from './invariants.js'
import { scenarios } from './scenarios.js'
import { stateIn, statesOf, transitionsOf, walk, type Step } from './walk.js'

const walks = new Map<Kind, Step[]>()

/** The walk of a chart, done once. */
function stepsOf(kind: Kind): Step[] {
  const steps = walks.get(kind) ?? walk(scenarios[kind])
  walks.set(kind, steps)
  return steps
}

for (const kind of Object.keys(charts) as Kind[]) {
  const { machine } = charts[kind]

  test(`${kind}: no message in any state throws or changes what it was given`, (t) => {
    t.notThrows(() => stepsOf(kind))
  })

  test(`${kind}: every transition is taken`, (t) => {
    const taken = new Set(stepsOf(kind).flatMap((step) => step.taken))
    const missing = transitionsOf(machine).filter((name) => !taken.has(name))
    t.deepEqual(missing.map((name) => `${kind}: ${name}`), [])
  })

  test(`${kind}: every state has a path`, (t) => {
    const reached = new Set(stepsOf(kind).map(({ before }) => stateIn(before, machine)))
    const missing = statesOf(machine).filter((state) => !reached.has(state))
    t.deepEqual(missing.map((state) => `${kind}: ${state}`), [])
  })

  for (const [claim, holds] of [...everywhere, ...invariants[kind]]) {
    test(`${kind}: after every message, ${claim}`, (t) => {
      const broken = stepsOf(kind).filter((step) => !holds(step))
      t.is(broken.length, 0, `not after ${broken[0]?.path}`)
    })
  }
}

test('the charts announce every event that there is, and no other', (t) => {
  const steps = (Object.keys(charts) as Kind[]).flatMap(stepsOf)
  const announced = new Set(steps.flatMap(({ turn }) => turn.events.map(({ event }) => event)))
  t.deepEqual([...announced].sort(), Object.keys(EVENTS).sort())
  t.deepEqual([...announced].filter((event) => !TOLD.has(event)), [])
})
