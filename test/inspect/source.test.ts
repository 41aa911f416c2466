// The chart source that users paste elsewhere: the visualizer reads the running chart from it, it compiles by itself,
// and XState runs it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import test from 'ava'
import { createActor, createMachine, type AnyStateMachine } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { charts, type Kind } from '../../machines/index.js'
import { chartDefinitionOf, sourceOf } from '../../src/inspect/source.js'
import { chartFile } from '../support/chartFile.js'
import { drawingsIn, drawingsOf } from '../support/extracted.js'
import { insideProject } from '../support/root.js'

const names = Object.keys(charts) as Kind[]
let folder: string

test.before('the sources are compiled as after pasting them', () => {
  folder = mkdtempSync(join(insideProject, 'pasted-'))
  mkdirSync(join(folder, 'source'))
  for (const name of names) writeFileSync(join(folder, 'source', `${name}.ts`), sourceOf(charts[name]))
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2023',
    strict: true,
    skipLibCheck: true,
    rootDir: 'source',
    outDir: 'built',
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['source'] }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
})

test.after.always('the folder is removed', () => rmSync(folder, { recursive: true, force: true }))

const pathsOf = (machine: AnyStateMachine): string[] =>
  getStateNodes(machine)
    .map(({ path }) => path.join('.'))
    .sort()

test('the visualizer reads the same from each source as from the chart itself', (t) => {
  for (const name of names) {
    t.deepEqual(drawingsOf(sourceOf(charts[name])), drawingsIn(chartFile(name)), name)
  }
})

test('each source is self-contained: XState runs it, and events name the guards that hold', async (t) => {
  for (const name of names) {
    const machine = ((await import(join(folder, 'built', `${name}.js`))) as Record<string, AnyStateMachine>)[name]!
    t.deepEqual(pathsOf(machine), pathsOf(charts[name].machine), name)
    createActor(machine).start().stop()
  }
  const { payment } = (await import(join(folder, 'built', 'payment.js'))) as { payment: AnyStateMachine }
  const actor = createActor(payment).start()
  actor.send({ type: 'REQUEST', guards: ['asksForPerson'] })
  t.is(actor.getSnapshot().value, 'awaitingApproval')
  actor.send({ type: 'APPROVE', guards: ['lacksApprovals'] })
  t.is(actor.getSnapshot().value, 'awaitingApproval')
  actor.send({ type: 'APPROVE', guards: ['executesAtOnce'] })
  t.is(actor.getSnapshot().value, 'executed')
})

test('each definition is plain data, and XState builds the same states from it', (t) => {
  for (const name of names) {
    const definition = chartDefinitionOf(charts[name])
    t.deepEqual(JSON.parse(JSON.stringify(definition)), definition)
    t.deepEqual(pathsOf(createMachine(definition as never)), pathsOf(charts[name].machine), name)
    t.is(definition['version'], String(charts[name].version))
  }
})
