// The Python SDK: its own tests pass against the real service, and its types hold.
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { Bursar } from '../../../sdk/index.js'
import { newClient } from '../../support/client.js'
import { notRun } from '../../support/notRun.js'
import { fundedAgent, RECIPIENT } from '../../support/payments.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'

/** Debian's, which has the packages that apt installs. */
const PYTHON = '/usr/bin/python3'
const LACKING = 'python3, python3-httpx and python3-mypy of Debian'
const MONTH_MS = 30 * 24 * 3_600_000
const MAX_LINES = 600
const folder = join(projectRoot, 'sdk-python')

/** False, and the test is not run, where Python or a package is missing. */
function hasPython(t: ExecutionContext): boolean {
  const isThere = spawnSync(PYTHON, ['-c', 'import httpx, mypy']).status === 0
  if (!isThere) notRun(t, LACKING)
  return isThere
}

interface Ran {
  code: number
  said: string
}

async function python(args: string[], env: { [name: string]: string } = {}): Promise<Ran> {
  const own = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: folder, ...env }
  try {
    const { stdout, stderr } = await promisify(execFile)(PYTHON, args, { cwd: folder, env: own })
    return { code: 0, said: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout + stderr }
  }
}

function environment({ url }: Service): { [name: string]: string } {
  return { BURSAR_URL: url, BURSAR_ORGANIZATION_KEY: ORGANIZATION_KEY }
}

test('the tests of the Python SDK pass against the real service', async (t) => {
  if (!hasPython(t)) return
  const service = await startService(t, newFolder(t), { env: { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' } })
  const { code, said } = await python(
    ['-W', 'ignore::ResourceWarning', '-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'],
    environment(service),
  )
  t.is(code, 0, said)
  t.regex(said, /^Ran \d{2,} tests/m)
})

test('a payment that nobody decided on in time has expired, as wait says', async (t) => {
  if (!hasPython(t)) return
  const data = newFolder(t)
  const before = await startService(t, data)
  const { key } = await fundedAgent(newClient(t, before.url), { terms: { delegationType: 'PREAPPROVED' } })
  const { payments } = new Bursar({ apiKey: key, baseUrl: before.url })
  const { requestId } = await payments.request({ amount: 7, recipientAddress: RECIPIENT })
  await before.stop()
  const service = await startService(t, data, { env: clockAt(Date.now() + MONTH_MS) })
  const script = `
import os
from bursar import Bursar
outcome, payment = Bursar(os.environ["BURSAR_URL"], os.environ["KEY"]).wait(os.environ["ID"])
print(outcome, payment.status)`
  const { said } = await python(['-c', script], { ...environment(service), KEY: key, ID: requestId })
  t.is(said, 'EXPIRED EXPIRED\n')
})

test('the types of the Python SDK and of its tests hold', async (t) => {
  if (!hasPython(t)) return
  const { code, said } = await python(['-m', 'mypy', '--strict', '--cache-dir=/dev/null', 'bursar', 'tests'])
  t.is(code, 0, said)
})

test(`the Python SDK has fewer than ${MAX_LINES} lines that are not blank`, (t) => {
  const files = readdirSync(join(folder, 'bursar')).filter((name) => name.endsWith('.py'))
  const lines = files.flatMap((name) =>
    readFileSync(join(folder, 'bursar', name), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  const written = lines.filter((line) => line.trim() !== '')
  t.true(written.length > 100 && written.length < MAX_LINES, `${written.length}`)
})
