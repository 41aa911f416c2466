// Walks each chart through every world that a short list of messages can lead to: every transition must be taken, every
// state reached, and every invariant must hold after each turn.
import test, { type ExecutionContext } from 'ava'
import * as v from 'valibot'
import { charts, type Kind } from '../../machines/index.js'
import type { Actor } from '../../src/actor/actor.js'
import { statusOf } from '../../src/actor/turn.js'
import { EVENTS, type EventName } from '../../src/webhooks/events.js'
import { payloadOf } from '../../src/webhooks/payloads.js'
import { isFull } from '../support/depth.js'
import { notRun } from '../support/notRun.js'
import { everywhere, invariants } from './invariants.js'
import { scenarios } from '../support/scenarios.js'
import { stateIn, statesOf, transitionsOf, walk, type Step } from '../support/walk.js'

/** Their walks take longer than all others together. */
const LARGE: readonly Kind[] = ['agent', 'policy']
const publicUrl = 'https://bursar.zz'
const statusOfCharts = (actor: Actor): string => statusOf(charts, actor)
const walks = new Map<Kind, Step[]>()

/** The walk of a chart, done once. */
function stepsOf(kind: Kind): Step[] {
  const steps = walks.get(kind) ?? walk(scenarios[kind])
  walks.set(kind, steps)
  return steps
}

/** Runs a test where these charts can be walked at the present depth. */
function walking(kinds: readonly Kind[], run: (t: ExecutionContext) => void): (t: ExecutionContext) => void {
  const isWalked = isFull || !kinds.some((kind) => LARGE.includes(kind))
  return isWalked ? run : (t) => notRun(t, 'depth: DEPTH=1 npm test -- machines')
}

const ALL = Object.keys(charts) as Kind[]

for (const kind of ALL) {
  const { machine } = charts[kind]

  test(
    `${kind}: no message in any state throws or mutates its input`,
    walking([kind], (t) => {
      t.notThrows(() => stepsOf(kind))
    }),
  )

  test(
    `${kind}: every transition is taken`,
    walking([kind], (t) => {
      const taken = new Set(stepsOf(kind).flatMap((step) => step.taken))
      const missing = transitionsOf(machine).filter((name) => !taken.has(name))
      t.deepEqual(
        missing.map((name) => `${kind}: ${name}`),
        [],
      )
    }),
  )

  test(
    `${kind}: every state is reachable`,
    walking([kind], (t) => {
      const reached = new Set(stepsOf(kind).map(({ before }) => stateIn(before, machine)))
      const missing = statesOf(machine).filter((state) => !reached.has(state))
      t.deepEqual(
        missing.map((state) => `${kind}: ${state}`),
        [],
      )
    }),
  )

  for (const [claim, holds] of [...everywhere, ...invariants[kind]]) {
    test(
      `${kind}: after every message, ${claim}`,
      walking([kind], (t) => {
        const broken = stepsOf(kind).filter((step) => !holds(step))
        t.is(broken.length, 0, `not after ${broken[0]?.path}`)
      }),
    )
  }
}

/** Announced for channels alone: no endpoint hears of them. */
const FOR_CHANNELS = ['alert.raised', 'approval.expired']

test(
  'the charts emit exactly the events of the event table, and those that only channels take',
  walking(ALL, (t) => {
    const steps = ALL.flatMap(stepsOf)
    const announced = new Set(steps.flatMap(({ turn }) => turn.events.map(({ event }) => event)))
    t.deepEqual([...announced].sort(), [...Object.keys(EVENTS), ...FOR_CHANNELS].sort())
  }),
)

test(
  'the payload of every event matches its schema, whichever transition emitted it',
  walking(ALL, (t) => {
    const seen = new Set<string>()
    for (const kind of ALL) {
      for (const { path, before, turn } of stepsOf(kind)) {
        for (const event of turn.events.filter(({ event: name }) => !FOR_CHANNELS.includes(name))) {
          const happening = { before: before.actor, after: turn.actor, publicUrl, statusOf: statusOfCharts }
          const data = JSON.parse(JSON.stringify(payloadOf(event, happening))) as unknown
          const { success, issues } = v.safeParse(EVENTS[event.event as EventName].schema, data)
          const faults = issues?.map(({ message }) => message).join()
          if (!success) t.fail(`${path}: ${event.event} ${JSON.stringify(data)} ${faults}`)
          seen.add(event.event)
        }
      }
    }
    t.is(seen.size, Object.keys(EVENTS).length)
  }),
)
