// Every file keeps the rules of the architecture, and each rule detects its violations.
import { posix } from 'node:path'
import test from 'ava'
import { examples } from './architecture/examples.js'
import { rules } from './architecture/rules.js'
import { readSource, sourceOf, sourcePaths, type Source } from './architecture/sources.js'

const sources = sourcePaths().map(readSource)
const byPath = (files: readonly Source[]) => new Map(files.map((source) => [source.path, source]))
const all = byPath(sources)

test('the rules read the sources of the project', (t) => {
  const paths = sources.map(({ path }) => path)
  for (const path of ['src/main.ts', 'src/actor/turn.ts', 'machines/payment/chart.ts'])
    t.true(paths.includes(path), path)
})

/** All modules that Node loads with this file: those of the project by path, libraries by name. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  seen.add(path)
  const source = sources.find((one) => one.path === path)
  for (const { what } of source?.imports.filter(({ isType, isLate }) => !isType && !isLate) ?? []) {
    const next = what.startsWith('.') ? posix.join(posix.dirname(path), what).replace(/\.js$/, '.ts') : what
    if (!seen.has(next)) loadedWith(next, seen)
  }
  return seen
}

test('the command line starts without loading what only the service needs', (t) => {
  const loaded = [...loadedWith('src/main.ts')]
  t.true(loaded.includes('src/cli/bursar.ts'))
  t.deepEqual(
    loaded.filter((what) =>
      /^(viem|koa|xstate|pg)\b|^(machines|src\/(chain|http|host|nodes|store\/journal\/postgres))\//.test(what),
    ),
    [],
  )
  t.true([...loadedWith('src/service/service.ts')].some((what) => what.startsWith('koa')))
})

test('the service starts without loading what only live settlement or the first body needs', (t) => {
  const loaded = [...loadedWith('src/service/service.ts')]
  t.true(loaded.includes('src/chain/keystore.ts'))
  t.deepEqual(
    loaded.filter((what) => /^(viem|koa-body)\b/.test(what)),
    [],
  )
  t.true([...loadedWith('src/service/settlement.ts')].some((what) => what.startsWith('viem')))
})

for (const { title, broken } of rules) {
  test(title, (t) => {
    const found = sources.map((source) => ({ path: source.path, places: broken(source, all) }))
    t.deepEqual(
      found.flatMap(({ path, places }) => places.map(({ line, what }) => `${path}:${line} ${what}`)),
      [],
    )
  })

  test(`violations are detected: ${title}`, (t) => {
    t.true(examples[title]?.some(({ said }) => said.length > 0))
    for (const { path, text, said, beside = {} } of examples[title]!) {
      const source = sourceOf(path, text)
      const others = Object.entries(beside).map(([other, its]) => sourceOf(other, its))
      const found = broken(source, byPath([source, ...others])).map(({ line, what }) => `${line} ${what}`)
      t.deepEqual(found, said, `${path}: ${text}`)
    }
  })
}
