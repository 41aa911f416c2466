// What the README tells people to paste works as it stands.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { notRun } from '../notRun.js'
import { projectRoot } from '../root.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../service/service.js'

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text!)
const DEFAULT_URL = 'http://127.0.0.1:3000'
const KEY = 'PASTE_THE_ORGANIZATION_KEY'
const TOOLS = ['bash', 'curl']

const [start, testing, firstPayment = '', ...others] = blocks

test('The README has three blocks of shell: how to start, how to test, and a first payment', (t) => {
  t.is(start, 'npm install && npm start\n')
  t.is(testing, 'npm install && npm test\n')
  t.deepEqual(others, [])
})

test('The first payment takes fewer than ten lines, and nothing but the key has to be changed', (t) => {
  t.true(firstPayment.trimEnd().split('\n').length < 10)
  t.is(firstPayment.split(KEY).length, 2)
  t.is(firstPayment.split(DEFAULT_URL).length, 2)
})

test('The first payment is executed, on any day of the week', async (t) => {
  const missing = TOOLS.find((tool) => spawnSync(tool, ['--version']).error !== undefined)
  if (missing !== undefined) return notRun(t, missing)
  const { url } = await startService(t, newFolder(t))
  const script = firstPayment.replace(KEY, ORGANIZATION_KEY).replace(DEFAULT_URL, url)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  t.is(stderr, '')
  const payment = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { status?: string; amount?: number }
  t.like(payment, { status: 'EXECUTED', amount: 12.5 })
})
