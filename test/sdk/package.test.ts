// The SDK's own package: what npm run package installs and uses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import * as sdk from '../../sdk/index.js'
import { projectRoot } from '../support/root.js'

const read = (...names: string[]): string => readFileSync(join(projectRoot, ...names), 'utf8')
const manifest = (...names: string[]) => JSON.parse(read(...names)) as { [name: string]: unknown }

test('the SDK is a package of the same version, without dependencies', (t) => {
  const own = manifest('sdk', 'package.json')
  const whole = manifest('package.json')
  t.like(own, { version: whole['version'], license: whole['license'], engines: whole['engines'] })
  t.deepEqual(
    Object.keys(own).filter((name) => /dependencies/i.test(name)),
    [],
  )
})

test('its types for CommonJS declare every value that it exports', (t) => {
  const declared = [...read('sdk', 'commonjs', 'index.d.ts').matchAll(/declare const (\w+)/g)].map(([, name]) => name!)
  t.deepEqual(declared.toSorted(), Object.keys(sdk).toSorted())
})
