// Random tests have one depth and can be repeated: all of them take their runs from test/support/depth.ts, and a failure
// prints the command.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { again, isFull, runs, share, turnsOf } from '../support/depth.js'
import { projectRoot } from '../support/root.js'

const folder = join(projectRoot, 'test')
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const sources = names
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

test('every test with fast-check takes its runs from the depth', (t) => {
  const random = sources.filter(([, text]) => text.includes("from 'fast-check'"))
  t.true(random.length > 30)
  for (const [name, text] of random) {
    t.regex(text, /'(\.\.?\/)+support\/depth\.js'/, name)
    t.notRegex(text, /numRuns: *\d/, name)
  }
})

test('a property that fails names the command that repeats it', (t) => {
  const failing = fc.property(fc.nat(), (value) => value < 5)
  const error = t.throws(() => fc.assert(failing, { seed: 42, numRuns: runs(1_000, 100) }))
  t.true(error.message.includes('Counterexample: [5]'), error.message)
  t.true(error.message.endsWith(`Repeat it: ${again(42)}`), error.message)
  t.regex(again(42), /^SEED=42 DEPTH=[\d.]+ npm test -- dist\/test\/run\/depth\.test\.js$/)
})

test('a property that fails on a promise names the command as well', async (t) => {
  const failing = fc.asyncProperty(fc.nat(), async (value) => value < 5)
  const error = await t.throwsAsync(fc.assert(failing, { seed: 42, numRuns: runs(1_000, 100) }))
  t.true(error.message.endsWith(`Repeat it: ${again(42)}`), error.message)
})

test('nothing is left out entirely at any depth', (t) => {
  t.true(runs(1) >= 1)
  t.is(runs(0, 3), 3)
  t.is(share(['one', 'two', 'three'])[0], 'one')
  t.deepEqual(turnsOf([], 3), [])
})

test('with enough cases everything is tried, at full depth with each of them', (t) => {
  const all = ['one', 'two', 'three']
  const tried = all.map((_, number) => turnsOf(all, number))
  t.deepEqual([...new Set(tried.flat())].sort(), all.toSorted())
  if (isFull) for (const turn of tried) t.deepEqual(turn.toSorted(), all.toSorted())
})
