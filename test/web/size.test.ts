// What a browser must fetch before it shows anything: at most 60 KB when compressed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { projectRoot } from '../support/root.js'

const BUDGET_BYTES = 60 * 1024
const FOLDER = join(projectRoot, 'dist', 'web')

/** A file and all files that it imports, directly or through others. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  if (!file.endsWith('.js')) return found
  const text = readFileSync(join(FOLDER, 'assets', file), 'utf8')
  const named = [...text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(([, name]) => name!)
  for (const name of named) withImports(name, found)
  return found
}

test('the first view is below 60 KB: the page, the files that it names, and the overview', (t) => {
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8')
  const named = [...page.matchAll(/\/assets\/([\w.-]+)/g)].map(([, file]) => file!)
  const start = readFileSync(
    join(
      FOLDER,
      'assets',
      named.find((file) => file.endsWith('.js'))!,
    ),
    'utf8',
  )
  const [overview] = /overview-[\w-]+\.js/.exec(start) ?? []
  t.truthy(overview)
  const files = new Set([...named, overview!].flatMap((file) => [...withImports(file)]))
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(FOLDER, 'assets', file))).length)
  const total = bytes.reduce((sum, length) => sum + length, gzipSync(page).length)
  t.log(`${total} bytes in ${files.size + 1} files`)
  t.true(total < BUDGET_BYTES, `${total} bytes`)
})
