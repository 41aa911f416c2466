// npm run openapi: lints the description with the recommended rules of Redocly and Spectral, which must find
// nothing, and compiles the clients that three generators make of it. The tools come from npm at these versions.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documented } from '../sdk/api/document.js'
import { projectRoot } from '../support/root.js'

const REDOCLY = '@redocly/cli@2.77.0'
const SPECTRAL = '@stoplight/spectral-cli@6.16.3'
const DOCUMENT = 'openapi.json'

/** Each writes a file of its own beside the document. */
const GENERATORS: [what: string, ...args: string[]][] = [
  ['openapi-typescript@7.13.0', DOCUMENT, '-o', 'types.d.ts'],
  ['swagger-typescript-api@13.13.0', 'generate', '--path', DOCUMENT, '--output', '.', '--name', 'classes.ts'],
  ['orval@7.21.0', '--input', DOCUMENT, '--output', 'functions.ts', '--client', 'fetch'],
]

const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
}

const CONFIGS = {
  'redocly.yaml': 'extends: [recommended]\n',
  '.spectral.yaml': 'extends: ["spectral:oas"]\n',
  'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
}

function run(cwd: string, command: string, args: string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

interface Linted {
  totals: { errors: number; warnings: number }
}

function lint(folder: string): void {
  const found = run(folder, 'npx', ['-y', REDOCLY, 'lint', DOCUMENT, '--format=json'])
  const { totals } = JSON.parse(found) as Linted
  if (totals.errors + totals.warnings > 0) throw new Error(`Redocly found something\n${found}`)
  run(folder, 'npx', ['-y', '-p', SPECTRAL, 'spectral', 'lint', DOCUMENT, '--fail-severity=hint'])
}

function compileClients(folder: string): void {
  for (const [generator, ...args] of GENERATORS) run(folder, 'npx', ['-y', generator, ...args])
  run(folder, process.execPath, [join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'])
}

const folder = mkdtempSync(join(tmpdir(), 'bursar-openapi-'))
try {
  writeFileSync(join(folder, DOCUMENT), JSON.stringify(documented()))
  for (const [name, text] of Object.entries(CONFIGS)) writeFileSync(join(folder, name), text)
  lint(folder)
  compileClients(folder)
  const generators = GENERATORS.map(([what]) => what).join(', ')
  process.stdout.write(`${REDOCLY} and ${SPECTRAL} find nothing; the clients of ${generators} compile\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
