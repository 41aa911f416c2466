// A run of the simulator as a file: it describes every turn, and is the same every time.
import test from 'ava'
import { TRACE_FORMAT, traceFileOf } from './traceFile.js'
import { simulate } from './run.js'

test('the trace of a seed has every step, and the transition that each turn took', async (t) => {
  const outcome = await simulate(7, { steps: 200 })
  const file = traceFileOf(outcome)
  t.like(file, { format: TRACE_FORMAT, seed: 7, violation: null })
  t.is(file.steps.length, outcome.steps)
  const turns = file.steps.flatMap(({ turn }) => turn ?? [])
  t.true(turns.length > 100)
  for (const { ref, from, to, choice } of turns) t.true(choice !== null || from === to, `${ref} moved by no choice`)
  t.true(turns.some(({ guard }) => guard === 'moreGates'))
  t.deepEqual(
    JSON.parse(JSON.stringify(file)),
    JSON.parse(JSON.stringify(traceFileOf(await simulate(7, { steps: 200 })))),
  )
})
