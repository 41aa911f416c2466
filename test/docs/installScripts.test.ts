// Whoever installs the project is not told of install scripts that nobody has looked at.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { projectRoot } from '../support/root.js'

const read = <T>(name: string): T => JSON.parse(readFileSync(join(projectRoot, name), 'utf8')) as T

test('each dependency with an install script is allowed to run it, and no other', (t) => {
  const { packages } = read<{ packages: { [path: string]: { hasInstallScript?: true } } }>('package-lock.json')
  const scripted = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)
  const { allowScripts } = read<{ allowScripts: { [name: string]: true } }>('package.json')
  t.deepEqual(
    Object.keys(allowScripts).toSorted(),
    scripted.map((path) => path.split('node_modules/').at(-1)!).toSorted(),
  )
})
