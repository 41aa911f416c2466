// What nothing needs: files that no program, test or page reaches, and exports that nobody takes.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { projectRoot } from '../support/root.js'
import type { Place, Source } from './sources.js'

type Sources = ReadonlyMap<string, Source>

/** Files that scripts, the build and the package's users start or import by name, and the dashboard's page. */
const ENTRIES = new Set(['web/main.tsx', ...['package.json', 'build.mjs'].flatMap(namedIn)])

function namedIn(file: string): string[] {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  return [...text.matchAll(/dist\/([\w/]+)\.js/g)].map(([, path]) => `${path}.ts`)
}

const isTest = (path: string): boolean => path.endsWith('.test.ts')
const isForTests = (path: string): boolean => path.startsWith('test/')

/** The file that a module or a path names, seen from another file. */
function fileOf(from: string, name: string, all: Sources): Source | undefined {
  const path = posix.join(posix.dirname(from), name).replace(/\.js$/, '.ts')
  return all.get(path) ?? all.get(`${path}x`)
}

interface Reach {
  started: ReadonlySet<string>
  /** The paths of all files that an entry or a test loads or starts. */
  reached: ReadonlySet<string>
  /** By path, then by name or `*`: the files that import it. */
  takers: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
}

const known = new WeakMap<Sources, Reach>()

function reachOf(all: Sources): Reach {
  const found = known.get(all) ?? { started: startedIn(all), reached: reachedIn(all), takers: takersIn(all) }
  known.set(all, found)
  return found
}

function reachedIn(all: Sources): Set<string> {
  const reached = new Set([...all.keys()].filter((path) => ENTRIES.has(path) || isTest(path)))
  // Iterating over a Set also visits what is added meanwhile.
  for (const path of reached) {
    const { imports, started } = all.get(path)!
    for (const name of [...imports.map(({ what }) => what), ...started]) {
      const file = fileOf(path, name, all)
      if (file) reached.add(file.path)
    }
  }
  return reached
}

function startedIn(all: Sources): Set<string> {
  const files = [...all.values()].flatMap(({ path, started }) => started.map((name) => fileOf(path, name, all)))
  return new Set(files.flatMap((file) => file?.path ?? []))
}

function takersIn(all: Sources): Map<string, Map<string, string[]>> {
  const takers = new Map<string, Map<string, string[]>>()
  for (const { path, imports } of all.values()) {
    for (const { what, names } of imports) {
      const file = what.startsWith('.') ? fileOf(path, what, all) : undefined
      if (!file) continue
      const ofFile = takers.get(file.path) ?? new Map<string, string[]>()
      for (const name of names) ofFile.set(name, [...(ofFile.get(name) ?? []), path])
      takers.set(file.path, ofFile)
    }
  }
  return takers
}

export function deadFile({ path }: Source, all: Sources): Place[] {
  return reachOf(all).reached.has(path) ? [] : [{ line: 1, what: 'no program, test or page reaches it' }]
}

/**
 * A type may be there for what its file exports. Anything else must be imported, and what is not of the tests must be used
 * without them: by another file, or by its own. What is started by its path has a contract with who starts it.
 */
export function deadExports({ path, exports, passedOn, uses, types }: Source, all: Sources): Place[] {
  if (ENTRIES.has(path) || reachOf(all).started.has(path)) return []
  const takers = reachOf(all).takers.get(path)
  const isDead = ({ what }: Place): boolean => {
    const by = [...(takers?.get(what) ?? []), ...(takers?.get('*') ?? [])]
    if (types.includes(what)) return false
    if (by.length === 0) return true
    return !isForTests(path) && by.every(isForTests) && uses.filter((use) => use.what === what).length < 2
  }
  return [...exports, ...passedOn].filter(isDead).map(({ line, what }) => ({ line, what: `nothing uses ${what}` }))
}
