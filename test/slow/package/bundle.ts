// The bundle for desktop clients (.mcpb): the tools over standard input and output in one file, with its manifest. The
// official packer checks the manifest against its schema.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { projectRoot } from '../../support/root.js'
import { manifestOf, type Described } from './manifest.js'

const PACKER = '@anthropic-ai/mcpb@2.1.2'
const SOURCE = fileURLToPath(new URL('../../../src/cli/bundled.js', import.meta.url))
/** Three folders deep, as its source is: it reads the version from the package.json above them. */
const PROGRAM = 'server/dist/cli/server.js'

export interface Bundle {
  path: string
  bytes: number
}

/** Runs the official packer. */
export function mcpb(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('npx', ['-y', PACKER, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mcpb ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
}

export async function bundled(folder: string): Promise<Bundle> {
  const described = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Described
  const { name, version, license } = described
  const contents = join(folder, 'bundle')
  mkdirSync(contents, { recursive: true })
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: SOURCE,
      outDir: contents,
      emptyOutDir: true,
      target: 'node20',
      minify: true,
      rollupOptions: { output: { entryFileNames: PROGRAM } },
    },
  })
  writeJson(join(contents, 'package.json'), { name, version, license, type: 'module' })
  writeJson(join(contents, 'manifest.json'), manifestOf(described, PROGRAM))
  const path = join(folder, `${name}-${version}.mcpb`)
  mcpb('pack', contents, path)
  return { path, bytes: statSync(path).size }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
