// A search among 100,000 payments, and their export: other requests are answered meanwhile, and memory stays bounded, even
// if the reader of an export pauses. How long a page takes is printed.
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import test, { type ExecutionContext } from 'ava'
import type { FoundPayments } from '../../../sdk/api.js'
import { newClient, type Client } from '../../support/client.js'
import { recordsIn } from '../../support/csv.js'
import { HOT_ACTORS, multiply, NOON, withOnePayment } from '../../support/manyPayments.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { ask, type FundedAgent } from '../../support/payments.js'

const PAYMENTS = 100_000
const LOOKED_AT = 20_000
const MAX_GROWTH_KB = 90_000
/** Requests that must be answered while a page of a search is made. */
const LEAST_MEANWHILE = 20

/** Excludes the pages of the data file, which the system can reclaim. */
function memoryKb(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}

interface Meanwhile<Result> {
  result: Result
  ms: number
  /** How long each other request waited, the shortest first. */
  waits: number[]
}

/** Does the work while another client pays and reads, one request after the other. */
async function meanwhile<Result>(
  client: Client,
  { key }: FundedAgent,
  work: () => Promise<Result>,
): Promise<Meanwhile<Result>> {
  const waits: number[] = []
  let isOver = false
  const others = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const began = performance.now()
      await (round % 2 === 0 ? client.get('/healthz', '') : ask(client, key, 0.01))
      waits.push(performance.now() - began)
    }
  })()
  const began = performance.now()
  const result = await work()
  const ms = performance.now() - began
  isOver = true
  await others
  return { result, ms, waits: waits.sort((a, b) => a - b) }
}

function said({ ms, waits }: Meanwhile<unknown>): string {
  const [median, last] = [waits[Math.floor(waits.length / 2)]!, waits.at(-1)!]
  return `${Math.round(ms)} ms; ${waits.length} other requests meanwhile: median ${median.toFixed(1)} ms, longest ${last.toFixed(1)} ms`
}

function exporting(url: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${ORGANIZATION_KEY}` }
  return new Promise((resolve, reject) => {
    get(`${url}/api/payments/export`, { headers }, resolve).on('error', reject)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response) text += part as string
  return text
}

test.serial('searches and exports of 100,000 payments hold up nobody and stay in bounded memory', async (t) => {
  t.timeout(240_000)
  const folder = newFolder(t)
  const { agent, sample } = await withOnePayment(t, folder)
  await multiply(folder, sample, PAYMENTS)
  const env = { ...clockAt(NOON), BURSAR_HOT_ACTORS: String(HOT_ACTORS), NODE_OPTIONS: '--max-old-space-size=96' }
  const { url, pid, stop } = await startService(t, folder, { env })
  const client = newClient(t, url)
  const before = memoryKb(pid)
  await checkSearch(t, client, agent)
  await checkExport(t, client, agent, { url, pid, before })
  t.deepEqual(await stop(), { code: 0, signal: null })
})

/** So many answers, one after the other. */
async function healthy(client: Client): Promise<void> {
  for (let round = 0; round < 300; round += 1) await client.get('/healthz', '')
}

async function checkSearch(t: ExecutionContext, client: Client, agent: FundedAgent): Promise<void> {
  const page = async (query: string): Promise<FoundPayments> =>
    (await client.get<FoundPayments>(`/api/payments?${query}`, ORGANIZATION_KEY)).body
  await page('search=nothing')
  t.log(`without a search: ${said(await meanwhile(client, agent, () => healthy(client)))}`)
  const none = await meanwhile(client, agent, () => page('search=nothing'))
  t.deepEqual(none.result.payments, [])
  t.true(none.result.pagination.hasMore)
  t.log(`a page that looks at ${LOOKED_AT} payments: ${said(none)}`)
  t.true(none.waits.length >= LEAST_MEANWHILE)
  const four = await meanwhile(client, agent, () =>
    Promise.all(['w', 'x', 'y', 'z'].map((one) => page(`search=no${one}`))),
  )
  t.log(`four such pages at once: ${said(four)}`)
  const full = await meanwhile(client, agent, () => page('search=inv-'))
  t.is(full.result.payments.length, 50)
  t.log(`a page that is full at once: ${said(full)}`)
  let pages = 0
  const found: (string | null)[] = []
  for (let cursor = ''; ; pages += 1) {
    const { payments, pagination } = await page(`search=INV-7777&limit=100${cursor}`)
    found.push(...payments.map(({ reference }) => reference))
    if (pagination.nextCursor === undefined) break
    cursor = `&cursor=${pagination.nextCursor}`
  }
  t.log(`a search through all: ${pages + 1} pages`)
  t.deepEqual(found.sort(), ['INV-7777', ...Array.from({ length: 10 }, (_, at) => `INV-7777${at}`)])
}

async function checkExport(
  t: ExecutionContext,
  client: Client,
  agent: FundedAgent,
  { url, pid, before }: { url: string; pid: number; before: number },
): Promise<void> {
  const paused = await exporting(url)
  t.is(paused.statusCode, 200)
  await healthy(client)
  const whileStopped = memoryKb(pid) - before
  t.is((await client.get('/api/payments/export', ORGANIZATION_KEY)).status, 409)
  const whole = await meanwhile(client, agent, () => textOf(paused))
  const rows = recordsIn(whole.result)
  t.log(`an export of ${Math.round(whole.result.length / 1e6)} MB: ${said(whole)}`)
  const afterwards = memoryKb(pid) - before
  t.log(`${whileStopped} kB more while its reader paused, ${afterwards} kB afterwards`)
  t.true(whileStopped < MAX_GROWTH_KB && afterwards < MAX_GROWTH_KB)
  t.is(rows.filter(({ reference }) => reference!.startsWith('INV-')).length, PAYMENTS)
  t.is(new Set(rows.map(({ id }) => id)).size, rows.length)
  const left = await exporting(url)
  left.on('error', () => {})
  left.destroy()
  let next = await exporting(url)
  while (next.statusCode === 409) {
    next.resume()
    await client.get('/healthz', '')
    next = await exporting(url)
  }
  t.is(next.statusCode, 200)
  next.on('error', () => {})
  next.destroy()
}
