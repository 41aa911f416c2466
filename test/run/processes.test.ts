// Fast tests start the service in their own process: one of its own costs each of them more than the whole test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { projectRoot } from '../support/root.js'

interface Choose {
  testsIn(folder: string): string[]
  kindOf(name: string): string | undefined
}

const { testsIn, kindOf } = (await import(pathToFileURL(join(projectRoot, 'test', 'run', 'choose.mjs')).href)) as Choose

const STARTS = /\b(startService|runToEnd)\b[^}]*\} from '(\.\.\/)+support\/process\.js'/

test('only slow tests start the service as a process', (t) => {
  const names = testsIn(join(projectRoot, 'dist', 'test'))
  const starting = names.filter((name) =>
    STARTS.test(readFileSync(join(projectRoot, 'test', `${name}.test.ts`), 'utf8')),
  )
  t.true(starting.length > 10)
  t.deepEqual(
    starting.filter((name) => kindOf(name) === undefined),
    [],
  )
})
