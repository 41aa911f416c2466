// The bench of the journal in PostgreSQL: the form of its tables, never the figures.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { startReplicated } from '../../support/postgres/replicated.js'
import { lent } from '../../support/postgres/lent.js'
import { projectRoot } from '../../support/root.js'

const MAIN = fileURLToPath(new URL('../../../bench/main.js', import.meta.url))
const SHORT = ['--rounds', '1', '--burst-ms', '60', '--stored', '100']

const TABLES: [head: string, rows: string[]][] = [
  [
    'journal in PostgreSQL ÷ in a file',
    ['one entry on its way', 'two entries'].flatMap((name) =>
      ['1 connection', '16 connections', '64 connections'].map((load) => `${name}, ${load}`),
    ),
  ],
  [
    'with a hot standby ÷ without',
    ['two entries, 1 connection', 'two entries, 16 connections', 'two entries, 64 connections'],
  ],
  ['64 connections each', ['services with journals in files', 'nodes of two shards']],
  ['bytes for each request', ['1 connection', '16 connections', '64 connections']],
  ['an empty folder from the journal', ['# requests']],
  ['lease of 1000 ms', ['owner ended by kill -9', 'owner ended by SIGTERM']],
]

test.serial('the tables of the journal have each comparison', async (t) => {
  t.timeout(300_000)
  const database = await lent(t, startReplicated)
  if (database === undefined) return
  await database.end()
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--journal', ...SHORT], { cwd: projectRoot })
  const parts = stdout.trim().split('\n\n')
  const tables = parts.slice(0, -1).map((table) => table.split('\n').map(cellsIn))
  const named = tables.map(([head, , ...rows]) => [head![0], rows.map(([name]) => name!.replace(/^\d+ r/, '# r'))])
  t.deepEqual(named, TABLES)
  for (const figure of tables.flatMap(([, , ...rows]) => rows.flatMap(([, ...figures]) => figures))) {
    t.true(Number(figure) > 0, stdout)
  }
  t.regex(parts.at(-1)!, /^Load of the machine before, between and after these: (?:[\d.]+(?:, |\.$)){5}$/)
})

function cellsIn(line: string): string[] {
  const cells = line.split('|').map((cell) => cell.trim())
  return cells.slice(1, -1)
}
