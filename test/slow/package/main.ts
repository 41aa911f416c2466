// npm run package: packs Bursar, installs the package where nothing else is, and uses it as its users do. It prints the
// package's size and fails when something does not work.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../support/root.js'
import { checkInstalled, checkTypes, checkUse } from './checks.js'

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  entryCount: number
}

const LARGEST_BYTES = 1_080_000

function npm(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`

/** Packs what is built, and installs it into a folder that has nothing but a package.json. */
function install(folder: string): void {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse(npm(projectRoot, ...args)) as [Packed]
  const { filename, size, unpackedSize, entryCount } = packed
  process.stdout.write(`${filename}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)} in ${entryCount} files\n`)
  if (size > LARGEST_BYTES) throw new Error(`The package is larger than ${kilobytes(LARGEST_BYTES)}`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  npm(folder, 'install', '--no-audit', '--no-fund', join(folder, filename))
}

const folder = mkdtempSync(join(tmpdir(), 'bursar-package-'))
try {
  const user = join(folder, 'user')
  mkdirSync(user)
  install(user)
  checkInstalled(user)
  await checkUse(user)
  checkTypes(user)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
