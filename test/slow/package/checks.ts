// Checks of a folder with the installed package; each check throws, or prints a line that says what works.
import { spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { projectRoot } from '../../support/root.js'
import { ORGANIZATION_KEY } from '../../support/process.js'

const CARRIED = ['docs/README.md', 'docs/guides/operating.md', 'docs/events/payment.executed.json', 'examples/sdk.mjs']

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Compilers, tests and sources are for those who change Bursar, not for those who run it. */
export function checkInstalled(folder: string): void {
  for (const module of [
    'typescript',
    'ava',
    'vite',
    'preact',
    'bursar/src',
    'bursar/web',
    'bursar/test',
    'bursar/sdk-python',
    'bursar/dist/test',
  ]) {
    if (existsSync(join(folder, 'node_modules', module))) throw new Error(`${module} is installed with the package`)
  }
  say('installed without compiler, tests and sources')
  for (const file of CARRIED) {
    if (!existsSync(join(folder, 'node_modules', 'bursar', file))) throw new Error(`The package lacks ${file}`)
  }
  say('installed with documentation, examples and the schemas of events')
}

const USE = `
import { Bursar, BursarAdmin, BursarError, verifyWebhook } from 'bursar/sdk'
import { contractProblems } from 'bursar/custody-contract'
const [baseUrl, apiKey] = process.argv.slice(2)
const admin = new BursarAdmin({ apiKey, baseUrl })
const { id: agentId } = await admin.agents.create({ name: 'first', agentType: 'CUSTOM' })
const { id: walletId } = await admin.wallets.create({ name: 'main', custodyType: 'MANAGED' })
await admin.wallets.fund(walletId, 100)
const allowedDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
await admin.agents.wallets.delegate(agentId, { walletId, allowedDays })
const { key } = await admin.agents.keys.create(agentId, { name: 'key' })
const bursar = new Bursar({ apiKey: key, baseUrl })
const recipientAddress = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const { status } = await bursar.payments.pay({ amount: '12.50', recipientAddress })
const refused = await verifyWebhook('{}', {}, 'whsec_').catch((error) => error instanceof BursarError && error.code)
console.log([status, refused, typeof contractProblems].join(' '))
`

/** CommonJS, and an example where the package has put it. */
const REQUIRE = `
const { Bursar, BursarError } = require('bursar/sdk')
const schema = require('bursar/events/payment.executed.json')
const tools = require.resolve('bursar/package.json').replace('package.json', 'examples/tools.mjs')
import(tools).then(({ TOOLS }) => console.log([typeof Bursar, typeof BursarError, schema.type, TOOLS.length > 0].join(' ')))
`

function checkRequire(folder: string): void {
  writeFileSync(join(folder, 'use.cjs'), REQUIRE)
  const { stdout, stderr } = spawnSync(process.execPath, ['use.cjs'], { cwd: folder, encoding: 'utf8' })
  if (stdout !== 'function function object true\n') throw new Error(`CommonJS with the package said ${stdout}${stderr}`)
  say('bursar/sdk can be required')
}

const IMPORTED = "import('bursar-sdk').then((sdk) => console.log(sdk.Bursar === require('bursar-sdk').Bursar))"

/** An agent's project has the SDK and no server. */
export function checkAlone(folder: string): void {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  if (installed.join() !== 'bursar-sdk') throw new Error(`With the SDK came ${installed.join()}`)
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', IMPORTED], { cwd: folder, encoding: 'utf8' })
  if (stdout !== 'true\n') throw new Error(`The SDK alone said ${stdout}${stderr}`)
  say('bursar-sdk is installed alone, imported and required')
}

/** `npx bursar serve` answers, the SDK pays through it, and SIGTERM ends it. */
export async function checkUse(folder: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: '0',
    BURSAR_DATA_DIR: join(folder, 'data'),
    BURSAR_BOOTSTRAP_ORG_KEY: ORGANIZATION_KEY,
  }
  // A process group of its own, because npx starts the service as its grandchild.
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit']
  const child = spawn('npx', ['--no', 'bursar', 'serve'], { cwd: folder, env, stdio, detached: true })
  const exited = once(child, 'close')
  try {
    const url = await addressIn(child.stdout!)
    const health = await fetch(`${url}/healthz`)
    if (health.status !== 200) throw new Error(`/healthz answered ${health.status}`)
    say('npx bursar serve answers /healthz')
    const page = await fetch(`${url}/`)
    if (!(await page.text()).includes('/assets/')) throw new Error('/ is not the dashboard')
    say('/ is the dashboard')
    writeFileSync(join(folder, 'use.js'), USE)
    const args = ['use.js', url, ORGANIZATION_KEY]
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    if (stdout !== 'EXECUTED AUTH_FAILED function\n') throw new Error(`The SDK of the package said ${stdout}${stderr}`)
    say('bursar/sdk pays')
    checkRequire(folder)
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
    await exited
  }
}

function addressIn(output: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, url] = /ready at (\S+)/.exec(text) ?? []
      if (url !== undefined) resolve(url)
    })
    output.on('close', () => reject(new Error(`npx bursar serve ended, having said: ${text}`)))
  })
}

const typed = (sdk: string): string => `
import { Bursar, BursarAdmin, BursarError, verifyWebhook, type Code, type Decision, type PayRequest } from '${sdk}'
const request: PayRequest = { amount: '1', recipientAddress: '0x', purpose: undefined }
const bursar = new Bursar({ apiKey: 'key', baseUrl: 'http://127.0.0.1' })
export async function pay(): Promise<string> {
  const paid = await bursar.payments.pay(request)
  const decision: Decision = await bursar.payments.request(request)
  for await (const { requestId } of bursar.payments.list({ limit: 5 })) console.log(requestId)
  const { event } = await verifyWebhook(new Uint8Array(), new Headers(), 'secret')
  return paid.transactionId + decision.status + event
}
export function codeOf(error: unknown): Code | undefined {
  return error instanceof BursarError ? error.code : undefined
}
// @ts-expect-error A recipient is needed.
export const wrong: PayRequest = { amount: 1 }
// @ts-expect-error There is no such status.
export const list = () => new BursarAdmin({ baseUrl: 'http://127.0.0.1' }).agents.list({ status: 'GONE' })
`

/** Module resolution and environment of each program: a page or a worker, both without Node's types. */
const PAGE = ['ES2022', 'DOM', 'DOM.Iterable']
const PROGRAMS = [
  { file: 'typed.ts', module: 'node16', moduleResolution: 'node16', lib: PAGE },
  { file: 'typed.cts', module: 'node16', moduleResolution: 'node16', lib: PAGE },
  { file: 'typed.ts', module: 'esnext', moduleResolution: 'bundler', lib: PAGE },
  { file: 'typed.ts', module: 'esnext', moduleResolution: 'bundler', lib: ['ES2022', 'WebWorker'] },
]
/** What newer compilers no longer have. */
const OLD_COMPILER = ['-y', '-p', 'typescript@5.9.3', '--', 'tsc']
const OLD_PROGRAM = { module: 'commonjs', moduleResolution: 'node10', lib: PAGE }

/** Checks the package's types under each of these, and that its sources need nothing of Node. */
export function checkTypes(folder: string, sdk: string): void {
  for (const file of ['typed.ts', 'typed.cts']) writeFileSync(join(folder, file), typed(sdk))
  for (const { file, ...program } of PROGRAMS) {
    compile(folder, { ...program, exactOptionalPropertyTypes: true }, [file])
    say(`types resolve in ${file} under ${program.moduleResolution} with ${program.lib.join(', ')}`)
  }
  compile(folder, OLD_PROGRAM, ['typed.ts'], ['npx', ...OLD_COMPILER])
  say('types resolve under node10')
  const bare = { module: 'nodenext', lib: ['ES2023', 'DOM', 'DOM.Iterable'], noUncheckedIndexedAccess: true }
  compile(folder, bare, [join(projectRoot, 'sdk', 'index.ts')])
  say('the SDK is written without Node')
}

const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

function compile(folder: string, options: object, files: string[], by = [process.execPath, COMPILER]): void {
  const compilerOptions = { target: 'ES2022', strict: true, skipLibCheck: false, types: [], noEmit: true, ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const [command, ...args] = by
  const { status, stdout, stderr } = spawnSync(command!, [...args, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${JSON.stringify(options)}\n${stdout}${stderr}`)
}
