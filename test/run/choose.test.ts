// The words after `npm test --`: nouns of the table, folders and paths choose tests; an unknown one is answered with
// those that are known; and what is left out is said with a count and the command that runs it.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { projectRoot } from '../support/root.js'

interface Choice {
  run: string[]
  leftOut: string[]
}

interface Runner {
  choose(all: string[], words: string[], isEverything: boolean): Choice
  testsIn(folder: string): string[]
  kindOf(name: string): string | undefined
  leftOutLines(names: string[], words: string[]): string[]
  lacking(list: string): string[]
  NOUNS: { [noun: string]: string[] }
  SLOW: { [kind: string]: string }
}

const moduleAt = (name: string): Promise<object> =>
  import(pathToFileURL(join(projectRoot, 'test', 'run', `${name}.mjs`)).href)
const modules = await Promise.all(['choose', 'notRun', 'table'].map(moduleAt))
const { choose, testsIn, kindOf, leftOutLines, lacking, NOUNS, SLOW } = Object.assign({}, ...modules) as Runner
const present = testsIn(join(projectRoot, 'dist', 'test'))
const FAST = ['domain/money', 'interface/keys', 'interface/payments/lists', 'sdk/pay']
const FEW = [...FAST, 'slow/chain/fees', 'slow/chain/kills', 'slow/size/payments']

test('without a word every fast test runs and every slow one is left out', (t) => {
  t.deepEqual(choose(FEW, [], false), { run: FAST, leftOut: FEW.slice(4) })
  t.deepEqual(choose(FEW, [], true), { run: FEW, leftOut: [] })
})

const WORDS: [word: string, run: string[], leftOut: string[]][] = [
  ['payments', ['interface/payments/lists', 'sdk/pay'], ['slow/chain/fees', 'slow/chain/kills', 'slow/size/payments']],
  ['interface', ['interface/keys', 'interface/payments/lists'], []],
  ['chain', [], ['slow/chain/fees', 'slow/chain/kills']],
  ['slow', ['slow/chain/fees', 'slow/chain/kills', 'slow/size/payments'], []],
  ['slow/size', ['slow/size/payments'], []],
  ['domain/money', ['domain/money'], []],
  ['test/domain/money.test.ts', ['domain/money'], []],
  ['./dist/test/slow/chain/fees.test.js', ['slow/chain/fees'], []],
]

for (const [word, run, leftOut] of WORDS) {
  test(`the word ${word} chooses its tests`, (t) => {
    t.deepEqual(choose(FEW, [word], false), { run, leftOut })
  })
}

test('an unknown word is answered with the known ones', (t) => {
  const { message } = t.throws(() => choose(FEW, ['paymets'], false))
  t.regex(message, /^No test is named paymets\. Give a path below test\/, or one of: .*\bchain\b.*\bpayments\b/)
})

test('every place in the table of nouns has tests', (t) => {
  for (const places of Object.values(NOUNS)) {
    for (const place of places) {
      t.true(
        present.some((name) => name === place || name.startsWith(`${place}/`)),
        place,
      )
    }
  }
})

test('every slow test is of a kind of the table, and every kind has tests', (t) => {
  const kinds = new Set(present.map(kindOf).filter((kind) => kind !== undefined))
  t.deepEqual([...kinds].sort(), Object.keys(SLOW).sort())
})

test('what was left out is one line for each reason', (t) => {
  t.deepEqual(leftOutLines(FEW.slice(4), []), [
    '2 files of a local chain: npm run test:all -- chain',
    '1 file of many records: npm run test:all -- size',
  ])
  t.deepEqual(leftOutLines(['slow/chain/fees'], ['payments']), [
    '1 file of a local chain: npm run test:all -- payments',
  ])
  t.deepEqual(lacking('curl\nChromium\ncurl\n'), ['2 tests for lack of curl', '1 test for lack of Chromium'])
})
