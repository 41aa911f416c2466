// npm run package: packs Bursar, installs the package where nothing else is, and uses it as its users do; the same with the
// SDK alone; then makes the bundle for desktop clients. It prints their sizes and fails when something does not work.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../support/root.js'
import { bundled } from './bundle.js'
import { checkAlone, checkInstalled, checkTypes, checkUse } from './checks.js'

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  entryCount: number
}

const LARGEST_BYTES = 1_180_000
const LARGEST_SDK_BYTES = 60_000

function npm(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`

/** Packs a folder, and installs the package into a folder that has nothing but a package.json. */
function install(source: string, into: string, largest: number): void {
  mkdirSync(into)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const [packed] = JSON.parse(npm(source, ...args)) as [Packed]
  const { filename, size, unpackedSize, entryCount } = packed
  process.stdout.write(`${filename}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)} in ${entryCount} files\n`)
  if (size > largest) throw new Error(`The package is larger than ${kilobytes(largest)}`)
  writeFileSync(join(into, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  npm(into, 'install', '--ignore-scripts', '--no-audit', '--no-fund', join(into, filename))
}

const folder = mkdtempSync(join(tmpdir(), 'bursar-package-'))
try {
  const user = join(folder, 'user')
  install(projectRoot, user, LARGEST_BYTES)
  checkInstalled(user)
  await checkUse(user)
  checkTypes(user, 'bursar/sdk')
  const agent = join(folder, 'agent')
  install(join(projectRoot, 'dist', 'sdk'), agent, LARGEST_SDK_BYTES)
  checkAlone(agent)
  checkTypes(agent, 'bursar-sdk')
  const { path, bytes } = await bundled(join(projectRoot, 'dist', 'package'))
  process.stdout.write(`${path}: ${kilobytes(bytes)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
