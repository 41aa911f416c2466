// Extracts the code blocks of a document, and runs those in `sh` one after the other, as a reader would.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../support/root.js'
import { ORGANIZATION_KEY, type Scope } from '../../support/process.js'

export interface Block {
  language: string
  text: string
}

/** The placeholders in documents for what differs between readers. */
export const DEFAULT_URL = 'http://127.0.0.1:3000'
export const KEY = 'PASTE_THE_ORGANIZATION_KEY'
const TOOLS = ['bash', 'curl']
const BETWEEN = '~~~ between two blocks ~~~'

export function blocksIn(document: string): Block[] {
  const text = readFileSync(join(projectRoot, document), 'utf8')
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, block]) => ({
    language: language!,
    text: block!,
  }))
}

/** A tool that running blocks requires and this machine lacks. */
export function missingTool(): string | undefined {
  return TOOLS.find((tool) => spawnSync(tool, ['--version']).error !== undefined)
}

export interface Reader {
  url: string
  /** In addition to what every reader has. */
  env?: { [name: string]: string }
}

/** Runs the blocks in one shell that stops at the first command that fails; returns what each block wrote. */
export async function runBlocks(scope: Scope, blocks: readonly string[], { url, env = {} }: Reader): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-reader-'))
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const command = join(folder, 'bursar')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, 'dist/src/main.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  const script = blocks.join(`echo '${BETWEEN}'\n`).replaceAll(KEY, ORGANIZATION_KEY).replaceAll(DEFAULT_URL, url)
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, ...env },
  })
  if (stderr !== '') throw new Error(stderr)
  return stdout.split(`${BETWEEN}\n`)
}

/** The lines of `expected` that `written` lacks; `…` stands for anything within a line. */
export function missingLines(written: string, expected: string): string[] {
  const lines = written.split('\n')
  return expected
    .trimEnd()
    .split('\n')
    .filter((line) => {
      const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const pattern = new RegExp(`^${parts.join('.*')}$`)
      return !lines.some((one) => pattern.test(one))
    })
}
