// The tables of the benchmark beside its rows: what a payment takes, and another build. Their form, never the figures.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { projectRoot } from '../../support/root.js'

const MAIN = fileURLToPath(new URL('../../../bench/main.js', import.meta.url))

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
    t.regex(name!, /^(?:one agent|100 agents), (?:1|16|64) connections$/)
    t.is(ratios.length, 4)
    for (const ratio of ratios) t.true(Number(ratio) > 0, `${name}: ${ratio}`)
  }
})
