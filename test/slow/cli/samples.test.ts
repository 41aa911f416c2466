// Every example of /openapi.json succeeds unchanged against a real service, and its answer is as described.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { descriptionAt, type Described } from '../../support/answers.js'
import { stageFor } from '../../support/requests.js'
import { bodyOf, rowsOf, urlOf, type Row } from '../../support/routes.js'
import { start, type Started } from '../../support/service.js'
import { notRun } from '../../support/notRun.js'
import { insideProject } from '../../support/root.js'
import { wholeFile } from '../../support/process.js'

/** The most that curl may print; one of the answers is the whole audit log. */
const MAX_BYTES = 64 * 1024 * 1024
const scope = wholeFile(test)
let service: Started
let rows: Row[]
let described: Described
/** Inside the project, so that `bursar/sdk` resolves to the project's own. */
const folder = mkdtempSync(join(insideProject, 'samples-'))
scope.teardown(() => rmSync(folder, { recursive: true, force: true }))

async function begin(): Promise<void> {
  service = await start(scope)
  rows = await rowsOf(service.url)
  described = await descriptionAt(service.url)
}

test.before('the service starts', begin)

/** The environment that the examples expect. */
async function environment(row: Row): Promise<{ [name: string]: string }> {
  const { ids, keys } = await stageFor(service.client, row)
  return {
    ...ids,
    BURSAR_URL: service.url,
    BURSAR_API_KEY: keys.organization,
    BURSAR_AGENT_KEY: keys.agent,
    BURSAR_OPERATOR_KEY: keys.operator,
    BURSAR_SESSION: keys.person.replace('bursar_session=', ''),
    currentPassword: 'correct horse battery staple',
    newPassword: 'another password altogether',
  }
}

const sourceOf = ({ samples }: Row, wanted: 'curl' | 'SDK'): string | undefined =>
  samples.find(({ label }) => label === wanted)?.source

const isJson = ({ answers }: Row): boolean => Object.keys(answers).some((status) => status < '300')

test.serial('Every curl example succeeds unchanged', async (t) => {
  const missing = ['bash', 'curl'].find((tool) => spawnSync(tool, ['--version']).error !== undefined)
  if (missing !== undefined) return notRun(t, missing)
  // curl's settings make it print the status, so that the example itself stays unchanged.
  writeFileSync(join(folder, '.curlrc'), 'write-out = "\\n%{http_code}"\n')
  for (const row of rows) {
    const env = { PATH: process.env['PATH'], CURL_HOME: folder, ...(await environment(row)) }
    const script = sourceOf(row, 'curl')!
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      env,
      maxBuffer: MAX_BYTES,
    })
    t.is(stderr, '', row.title)
    const [, text = '', status = ''] = /^([^]*)\n(\d+)$/.exec(stdout) ?? []
    t.true(Number(status) >= 200 && Number(status) < 300, `${row.title}: ${status} ${text}\n${script}`)
    if (isJson(row)) t.is(described.problem(row, Number(status), JSON.parse(text)), undefined, row.title)
  }
  t.deepEqual(service.logged, [])
})

test.serial('Every SDK example succeeds unchanged and sends the documented body', async (t) => {
  // A new service, because the curl examples created objects that may exist only once.
  await service.stop()
  await begin()
  const sent: { url: string; init: RequestInit }[] = []
  const { fetch: wire } = globalThis
  globalThis.fetch = (input, init = {}) => {
    sent.push({ url: String(input), init })
    return wire(input, init)
  }
  const { log } = console
  t.teardown(() => Object.assign(console, { log }))
  t.teardown(() => Object.assign(globalThis, { fetch: wire }))
  console.log = () => undefined
  for (const [at, row] of rows.entries()) {
    const source = sourceOf(row, 'SDK')
    if (source === undefined) continue
    const env = await environment(row)
    Object.assign(process.env, env)
    const file = join(folder, `${at}.mjs`)
    writeFileSync(file, source)
    sent.length = 0
    await t.notThrowsAsync(async () => void (await import(pathToFileURL(file).href)), `${row.title}\n${source}`)
    // Some calls read before they write.
    const request = sent.find(({ init }) => init.method === row.method)
    t.is(request?.init.method, row.method, row.title)
    t.is(new URL(request!.url).pathname, urlOf({ ...row, query: [] }, env), row.title)
    const body = request!.init.body === undefined ? undefined : (JSON.parse(String(request!.init.body)) as unknown)
    if (row.example !== undefined) t.deepEqual(body, bodyOf({ ...row, body: {} }, env), row.title)
  }
})
