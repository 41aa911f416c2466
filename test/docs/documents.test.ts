// The links and paths in the documents exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { projectRoot } from '../support/root.js'

const DOCUMENTS = [
  'README.md',
  'sdk-python/README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const LINK = /\]\(([^)#\s]+)[^)]*\)/g
/** A path of the project in backticks. */
const PATH = /`((?:src|machines|rules|sdk|examples|test|bench|docs|assets|web)\/[\w./-]*)`/g

function missing(from: string, text: string, pattern: RegExp): string[] {
  const named = [...text.matchAll(pattern)].map(([, path]) => path!)
  return named.filter((path) => !path.startsWith('https:') && !existsSync(join(from, path)))
}

for (const document of DOCUMENTS) {
  test(`Every link and path in ${document} exists`, (t) => {
    const path = join(projectRoot, document)
    const text = readFileSync(path, 'utf8')
    t.deepEqual(missing(dirname(path), text, LINK), [])
    t.deepEqual(missing(projectRoot, text, PATH), [])
  })
}
