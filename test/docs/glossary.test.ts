// The glossary is short, and the dashboard and the command line keep to its words.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { projectRoot } from '../support/root.js'

const MAX_WORDS = 60
const rows = readFileSync(join(projectRoot, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').slice(1, -1))

/** A source without its comments and imports, with single spaces. */
function wordsIn(path: string): string {
  const code = readFileSync(path, 'utf8').replace(/^import [^]*? from .*$|\/\*[^]*?\*\/|(?<!:)\/\/.*$/gm, '')
  return code.replace(/\s+/g, ' ').toLowerCase()
}

const sources = ['web', 'src/cli'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
)

test(`the glossary has at most ${MAX_WORDS} words, each once, with one line`, (t) => {
  const words = rows.map(([word]) => word!.trim())
  t.true(words.length > 0 && words.length <= MAX_WORDS, `${words.length}`)
  t.deepEqual([...new Set(words)], words)
  t.deepEqual(
    rows.filter((cells) => cells.length !== 3 || cells[1]!.trim() === ''),
    [],
  )
})

test('the dashboard and the command line use the words of the glossary', (t) => {
  const avoided = rows.flatMap(([, , not]) => not!.split(',').map((word) => word.trim())).filter(Boolean)
  const found = sources.flatMap((path) => {
    const text = wordsIn(join(projectRoot, path))
    return avoided.filter((word) => new RegExp(`\\b${word}\\b`).test(text)).map((word) => `${path}: ${word}`)
  })
  t.deepEqual(found, [])
})
