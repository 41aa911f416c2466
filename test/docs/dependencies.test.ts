// The page of dependencies names what is installed, with how many packages each brings and how large they are.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { projectRoot } from '../support/root.js'

interface Locked {
  dependencies?: { [name: string]: string }
}

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: { [path: string]: Locked } }
const names = Object.keys(packages['']!.dependencies!)
const page = read('docs/dependencies.md')

/** Where Node finds a package from inside another. */
function resolved(from: string, name: string): string {
  for (let inside = from; ; inside = inside.slice(0, Math.max(0, inside.lastIndexOf('/node_modules/')))) {
    const path = `${inside}${inside && '/'}node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (inside === '') throw new Error(`${from} needs ${name}, which is not in the lock file`)
  }
}

/** The package and all that it brings. */
function withAll(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const name of Object.keys(packages[path]!.dependencies ?? {})) withAll(resolved(path, name), found)
  return found
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules')
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sum + bytesOf(path)
    return sum + (entry.isFile() ? statSync(path).size : 0)
  }, 0)
}

const megabytes = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + bytesOf(join(projectRoot, path)), 0) / 1e6

test('the page has a row for each dependency, and no other', (t) => {
  const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)
  t.deepEqual(rows.toSorted(), names.toSorted())
})

test('the page says how many packages each dependency brings, and their size to a tenth', (t) => {
  for (const [, name, brings, size] of page.matchAll(/^\| `([^`]+)` \| [^|]+ \| (\d+) \| ([\d.]+) \|/gm)) {
    const all = withAll(resolved('', name!))
    t.is(all.size - 1, Number(brings), name)
    const measured = megabytes(all)
    t.true(Math.abs(measured - Number(size)) <= Math.max(0.1, measured / 10), `${name} is ${measured} MB`)
  }
})

test('the page says what all dependencies are together', (t) => {
  const all = new Set(names.flatMap((name) => [...withAll(resolved('', name))]))
  const [, count, size] = /: (\d+) packages, (\d+) MB/.exec(page)!
  t.is(all.size, Number(count))
  t.true(Math.abs(megabytes(all) - Number(size)) <= Number(size) / 10)
})
