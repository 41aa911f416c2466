// Turns the words of a command line into test files. A word is a noun, the name of a folder of tests, or a
// path below `test/` or `dist/test/`; without words it is every test. Files are named by their place below `dist/test`.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NOUNS, SLOW } from './table.mjs'

const ENDING = '.test.js'

/** A word that names no test: the message says what would. */
export class UnknownWord extends Error {}

/** All test files below `dist/test`, without their ending: `domain/money`. */
export function testsIn(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  return names
    .filter((name) => name.endsWith(ENDING) && !name.startsWith('groups/'))
    .map((name) => name.slice(0, -ENDING.length))
    .sort()
}

/** The kind of a slow test, `chain` for `slow/chain/fees`; undefined for a fast one. */
export function kindOf(name) {
  const [root, kind] = name.split('/')
  return root === 'slow' ? kind : undefined
}

const isWithin = (place) => (name) => name === place || name.startsWith(`${place}/`)

/** `dist/test/domain/money.test.js`, `test/domain/money.test.ts` and `domain/money` are the same place. */
function placeOf(word) {
  return word
    .replace(/^(\.\/)?(dist\/)?test\//, '')
    .replace(/(\.test)?\.[jt]s$/, '')
    .replace(/\/$/, '')
}

function placesOf(word) {
  const place = placeOf(word)
  const others = place === word && Object.hasOwn(NOUNS, word) ? NOUNS[word] : [place, `slow/${place}`]
  return [`interface/${place}`, ...others]
}

function chosenBy(word, all) {
  const chosen = all.filter((name) => placesOf(word).some((place) => isWithin(place)(name)))
  if (chosen.length === 0) throw new UnknownWord(`No test is named ${word}. ${known(all)}`)
  return chosen
}

function known(all) {
  const folders = all.flatMap((name) => name.split('/').slice(0, -1))
  const words = [...new Set([...Object.keys(NOUNS), ...Object.keys(SLOW), ...folders])].sort()
  return `Give a path below test/, or one of: ${words.join(', ')}`
}

/**
 * The tests to run, and those that are left out because they are slow and were not asked for by their path. Throws
 * UnknownWord.
 */
export function choose(all, words, isEverything) {
  const chosen =
    words.length === 0 ? all : all.filter((name) => words.some((word) => chosenBy(word, all).includes(name)))
  const isNamed = (name) => words.some((word) => isWithin(placeOf(word))(name))
  const isRun = (name) => isEverything || kindOf(name) === undefined || isNamed(name)
  return { run: chosen.filter(isRun), leftOut: chosen.filter((name) => !isRun(name)) }
}

/** Where the compiled file of a test is, seen from the project's root. */
export const compiled = (name) => join('dist', 'test', `${name}${ENDING}`)
