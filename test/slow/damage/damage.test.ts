// Files that were damaged while the service was down: it gives right answers or errors, or refuses to start with one
// line; it never serves a wrong value and is never killed by a signal.
import { copyFileSync, cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Random } from '../../support/random.js'
import { again, seedOr } from '../../support/depth.js'
import { newClient, type Client } from '../../support/client.js'
import {
  clockAt,
  newFolder,
  NotStarted,
  ORGANIZATION_KEY,
  startService,
  wholeFile,
  type Service,
} from '../../support/process.js'
import { ask, execute, fundedAgent, type FundedAgent } from '../../support/payments.js'

const SEED = seedOr(20_240_229)
const ENV = clockAt(Date.parse('2031-07-09T12:00:00Z'))
const PAGE = 4096
/** The first two pages, which describe the file at their beginning and once more in the middle of the first. */
const META_BYTES = 2 * PAGE
const DESCRIPTIONS = [0, PAGE / 2, PAGE]
const DESCRIPTION_BYTES = 176
const FLIPS = 18

interface Known {
  path: string
  key: string
  body: unknown
}

const scope = wholeFile(test)
const whole = newFolder(scope)
const known: Known[] = []
let agent: FundedAgent

test.before('a folder is filled', async (t) => {
  const service = await startService(scope, whole, { env: ENV })
  const client = newClient(scope, service.url)
  agent = await fundedAgent(client)
  // The clock runs on over all tests, and approved payments must not expire before the last of them.
  const lasting = { paymentTimeouts: { approvedMinutes: 120 } }
  t.is((await client.send('PATCH', '/api/organization', ORGANIZATION_KEY, lasting)).status, 200)
  const paths: [string, string][] = [
    ['/api/agents', ORGANIZATION_KEY],
    [`/api/agents/${agent.agentId}`, ORGANIZATION_KEY],
    [`/api/wallets/${agent.walletId}`, ORGANIZATION_KEY],
    ['/api/payments', ORGANIZATION_KEY],
    ['/api/sdk/setup', agent.key],
    ['/api/sdk/payments?limit=100', agent.key],
  ]
  for (let index = 0; index < 60; index += 1) {
    const { requestId } = (await ask(client, agent.key, index + 1, { idempotencyKey: `payment-${index}` })).body
    if (index % 2 === 0) await execute(client, agent.key, requestId)
    paths.push([`/api/sdk/payments/${requestId}`, agent.key])
  }
  for (const [path, key] of paths) known.push({ path, key, body: withoutUse((await client.get(path, key)).body) })
  await service.stop()
})

/** An answer without the fields that change by themselves. */
function withoutUse(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'lastUsedAt' ? null : value)))
}

/** A copy of the folder with a damaged data file. */
function damaged(t: ExecutionContext, damage: (file: string) => void): string {
  const folder = newFolder(t)
  cpSync(whole, folder, { recursive: true })
  damage(join(folder, 'data.mdb'))
  return folder
}

/** Starts on the folder; undefined if it refused to start in the right way. */
async function startOn(t: ExecutionContext, folder: string): Promise<Service | undefined> {
  try {
    return await startService(t, folder, { env: ENV })
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    const { code, signal, stderr } = error.exit
    t.is(signal, null)
    t.not(code, 0)
    t.is(stderr.trimEnd().split('\n').length, 1, stderr)
    t.true(stderr.includes(folder), stderr)
    t.false(stderr.startsWith('{'), stderr)
    return undefined
  }
}

/** The wrong answers of the service; an error is not a wrong answer. */
async function wrongAnswers(client: Client): Promise<string[]> {
  const wrong: string[] = []
  for (const { path, key, body } of known) {
    const answer = await client.get(path, key)
    const right = JSON.stringify(withoutUse(answer.body)) === JSON.stringify(body)
    if (answer.status === 200 && !right) wrong.push(`${path}: ${JSON.stringify(answer.body)}`)
  }
  return wrong
}

/** Reads everything and writes a little; returns how the service started and ended. */
async function exercise(t: ExecutionContext, folder: string): Promise<string> {
  const service = await startOn(t, folder)
  if (!service) return 'refused to start'
  const client = newClient(t, service.url)
  t.deepEqual(await wrongAnswers(client), [])
  for (let index = 0; index < 20; index += 1) {
    const { status, body } = await ask(client, agent.key, 1, { autoExecute: true })
    t.true(status >= 400 || body.status === 'EXECUTED')
    if (status === 503) break
  }
  const exit = await service.stop()
  t.is(exit.signal, null, service.output().stderr)
  return `started and ended with ${exit.code}`
}

test.serial(`values with flipped bits are never served (seed ${SEED})`, async (t) => {
  t.timeout(120_000)
  t.log(again(SEED))
  const random = new Random(SEED)
  const outcomes: { [outcome: string]: number } = {}
  for (let trial = 0; trial < FLIPS; trial += 1) {
    const flips = trial % 3 === 0 ? 1 : 4 ** (trial % 3)
    const folder = damaged(t, (file) => flip(file, random, flips))
    const outcome = await exercise(t, folder)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  t.log(outcomes)
})

test.serial(`flipped bits in the description of the file never lead to wrong answers (seed ${SEED})`, async (t) => {
  t.timeout(120_000)
  t.log(again(SEED))
  const random = new Random(SEED)
  const outcomes: { [outcome: string]: number } = {}
  for (let trial = 0; trial < FLIPS; trial += 1) {
    const at = DESCRIPTIONS[trial % 3]! + random.below(DESCRIPTION_BYTES)
    const outcome = await exercise(
      t,
      damaged(t, (file) => flipAt(file, [at], random)),
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  t.log(outcomes)
})

/** Flips bits after the first two pages. */
function flip(file: string, random: Random, count: number): void {
  const room = size() - META_BYTES
  flipAt(
    file,
    Array.from({ length: count }, () => META_BYTES + random.below(room)),
    random,
  )
}

function flipAt(file: string, offsets: number[], random: Random): void {
  const bytes = readFileSync(file)
  for (const at of offsets) bytes[at]! ^= 1 << random.below(8)
  writeFileSync(file, bytes)
}

const size = () => statSync(join(whole, 'data.mdb')).size
const GARBAGE: [string, (file: string) => void][] = [
  ['half of the file', (file) => truncateSync(file, Math.floor(size() / 2))],
  ['the file without its last page', (file) => truncateSync(file, size() - PAGE)],
  ['the file without its last byte', (file) => truncateSync(file, size() - 1)],
  ['the first two pages', (file) => truncateSync(file, META_BYTES)],
  ['the first page', (file) => truncateSync(file, PAGE)],
  ['a few bytes', (file) => truncateSync(file, 100)],
  ['text', (file) => writeFileSync(file, 'not a database\n'.repeat(10_000))],
  ['zeros', (file) => writeFileSync(file, Buffer.alloc(size()))],
  ['zeros behind its first two pages', (file) => writeFileSync(file, zeroed(file, META_BYTES))],
  ['zeros behind its first half', (file) => writeFileSync(file, zeroed(file, Math.floor(size() / 2)))],
  ['zeros in its first two pages', (file) => writeFileSync(file, readFileSync(file).fill(0, 0, META_BYTES))],
]

function zeroed(file: string, from: number): Buffer {
  return readFileSync(file).fill(0, from)
}

for (const [what, damage] of GARBAGE) {
  test.serial(`a data file replaced by ${what} is refused or gives right answers`, async (t) => {
    t.log(await exercise(t, damaged(t, damage)))
  })
}

test.serial('a folder with a garbage lock file opens', async (t) => {
  const folder = damaged(t, (file) => writeFileSync(join(file, '..', 'lock.mdb'), 'garbage'.repeat(1000)))
  t.is(await exercise(t, folder), 'started and ended with 0')
})

test.serial('a copy of the folder gives the same answers', async (t) => {
  const folder = newFolder(t)
  cpSync(whole, folder, { recursive: true })
  copyFileSync(join(whole, 'data.mdb'), join(folder, 'data.mdb'))
  const service = await startService(t, folder, { env: ENV })
  const client = newClient(t, service.url)
  for (const { path, key, body } of known) t.deepEqual(withoutUse((await client.get(path, key)).body), body, path)
})

test.serial('a folder with a damaged secret is refused', async (t) => {
  const folder = newFolder(t)
  cpSync(whole, folder, { recursive: true })
  writeFileSync(join(folder, 'keyhash.secret'), 'short')
  t.is(await startOn(t, folder), undefined)
})
