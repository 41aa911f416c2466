// Two builds of the same sources, in different folders, give the same package, byte by byte.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { newFolder } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'

const PATIENCE_MS = 600_000

async function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder })
  return stdout
}

/** Builds and packs a copy of the sources in an empty folder; returns the checksum of the package. */
async function packed(folder: string): Promise<string> {
  const files = await run(projectRoot, 'git', 'ls-files')
  for (const file of files.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(projectRoot, file), join(folder, file))
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  await run(folder, process.execPath, 'build.mjs')
  const output = await run(folder, 'npm', 'pack', '--json', '--ignore-scripts')
  const [{ integrity }] = JSON.parse(output) as [{ integrity: string }]
  return integrity
}

test('two builds give the same package', async (t) => {
  t.timeout(PATIENCE_MS)
  const first = await packed(newFolder(t))
  t.is(await packed(join(newFolder(t), 'deeper')), first)
})
