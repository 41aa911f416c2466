// The simulation bites: of the list of mistakes a sample is caught. Which ones, a seed says; `npm run mutants` tries all.
import test from 'ava'
import { again, runs, seedOr } from '../support/depth.js'
import { Random } from '../support/random.js'
import { verdictOn } from './mutants/caught.js'
import { MUTANTS } from './mutants/list/index.js'
import { changed } from './mutants/mutant.js'
import { RARE } from './mutants/rare.js'

const SAMPLE = runs(10, 2)
const SEEDS = 60

/** With SEED another sample. */
const seed = seedOr(20261130)

function sampled(): number[] {
  const random = new Random(seed)
  const left = [...MUTANTS.keys()].filter((number) => !RARE.has(MUTANTS[number]!.mistake))
  return Array.from({ length: SAMPLE }, () => left.splice(random.below(left.length), 1)[0]!)
}

test.serial(`of the mistakes ${SAMPLE} are caught`, async (t) => {
  t.timeout(10 * 60_000)
  t.log(again(seed))
  const numbers = sampled()
  const work = async (): Promise<void> => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const { isCaught, line } = await verdictOn(number, { seeds: SEEDS })
      t.log(line)
      t.true(isCaught, line)
    }
  }
  await Promise.all([work(), work()])
})

test('there are mistakes over every part, each once', (t) => {
  const words = MUTANTS.map(({ mistake }) => mistake)
  t.is(new Set(words).size, words.length)
  t.true(words.length >= 60)
  t.deepEqual(
    [...RARE].filter((mistake) => !words.includes(mistake)),
    [],
  )
})

test('a change is made where it says, or not at all', (t) => {
  const change = { file: 'a.js', from: 'one', to: 'two' }
  t.is(changed('one and one', { ...change, nth: 2 }), 'one and two')
  t.is(changed('only one', change), 'only two')
  t.throws(() => changed('one and one', change), { message: 'a.js has 2 times: one' })
  t.throws(() => changed('no', { ...change, nth: 1 }), { message: 'a.js has only 0 times: one' })
})
