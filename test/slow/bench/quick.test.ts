// The benchmark as users run it: the form of its output, never the speed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { projectRoot } from '../../support/root.js'

const MAIN = fileURLToPath(new URL('../../../bench/main.js', import.meta.url))
const ALWAYS = ['echo 64', 'request 64', 'request, outbox 1', 'request, outbox 64']
const POSTGRES = ['postgresFunction 1', 'postgresFunction 64', 'postgresTransaction 64']
const PERHAPS = [...POSTGRES, 'redis 64', 'request, million 64']
const RATIOS = ['echo64', 'postgresFunction1', 'postgresFunction64', 'postgresTransaction64', 'redis64', 'million']
const FIGURES = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerRequest']

interface Figures {
  rows: { [figure: string]: string | number }[]
  ratios: { [name: string]: number | null }
}

/** The folders of the bench with this process id. */
function foldersOf(bench: number): string[] {
  return readdirSync(join(projectRoot, '.cache')).filter((name) => name.startsWith(`bench-${bench}-`))
}

test.serial('a quick run writes rows and ratios, names what it could not run, and leaves no folder', async (t) => {
  t.timeout(170_000)
  const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'figures.json')
  const short = ['--burst-ms', '60', '--warm-up-ms', '60', '--stored', '50']
  const child = spawn(process.execPath, [MAIN, '--quick', '--json', file, ...short], { cwd: folder })
  let printed = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  const [code] = await once(child, 'close')
  t.is(code, 0, complained)

  const figures = JSON.parse(readFileSync(file, 'utf8')) as Figures
  t.deepEqual(Object.keys(figures), ['rows', 'ratios'])
  t.deepEqual(Object.keys(figures.ratios), RATIOS)
  for (const row of figures.rows) {
    t.deepEqual(Object.keys(row), ['name', 'connections', ...FIGURES])
    for (const figure of FIGURES) t.true(Number(row[figure]) > 0, `${figure} of ${row['name']}`)
  }
  const names = figures.rows.map(({ name, connections }) => `${name} ${connections}`)
  for (const name of ALWAYS) t.true(names.includes(name), name)
  for (const name of PERHAPS.filter((row) => !names.includes(row))) {
    t.regex(printed, new RegExp(`^NOT RUN  ${name.replace(/ \d+$/, '')}: .+`, 'm'))
  }
  t.is(typeof figures.ratios['echo64'], 'number')
  const isThere = (name: string): boolean => figures.ratios[name] !== null
  t.is(isThere('redis64'), names.includes('redis 64'))
  t.is(isThere('million'), names.includes('request, million 64'))
  t.deepEqual(foldersOf(child.pid!), [])
})

test.serial('the bench refuses unknown options', async (t) => {
  const child = spawn(process.execPath, [MAIN, '--quik'], { stdio: 'ignore' })
  t.deepEqual(await once(child, 'exit'), [1, null])
})

/** The cells of the table that a run prints, without its head. */
async function tableBy(...options: string[]): Promise<string[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...options], { cwd: projectRoot })
  const lines = stdout.trim().split('\n').slice(2)
  return lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

test.serial('the table of bytes has each way of a payment, its tables, and their sum', async (t) => {
  t.timeout(120_000)
  const rows = await tableBy('--bytes', '--stored', '100')
  const ways = ['requested', 'executed at once', 'denied for two reasons']
  for (const way of ways) {
    const at = rows.findIndex(([name]) => name === way)
    const tables = rows.slice(at + 1).slice(0, 3)
    t.true(Number(rows[at]?.[2]) > 1_000, way)
    t.true(
      tables.every(([name, , bytes]) => name?.startsWith('– ') && Number(bytes) > 0),
      JSON.stringify(tables),
    )
  }
  t.regex(rows.at(-1)![0]!, /^PostgreSQL/)
})

test.serial('another build is compared by agents and connections', async (t) => {
  t.timeout(120_000)
  const rows = await tableBy('--beside', '.', '--rounds', '1', '--burst-ms', '60')
  t.is(rows.length, 6)
  for (const [name, ...ratios] of rows) {
    t.regex(name!, /^(?:one agent|100 agents), (?:1 connection|(?:16|64) connections)$/)
    t.is(ratios.length, 4)
    for (const ratio of ratios) t.true(Number(ratio) > 0, `${name}: ${ratio}`)
  }
})
