// The export of a log of 100,000 entries is complete and in order. Neither a slow reader nor many exports at once fill
// the service's memory.
import { listOf } from '../../../src/domain/values/lists.js'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'
import { idOf } from '../../../src/actor/actor.js'
import { faultOf, START, type Link } from '../../../src/domain/audit/chain.js'
import type { AuditEntry } from '../../../src/domain/audit/entry.js'
import { openBare } from '../../support/commands.js'
import { newClient, type Client } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, startService, type Scope } from '../../support/process.js'
import { fill } from '../../support/auditChain.js'
import type { VerifiedAuditLog } from '../../../sdk/api.js'

const ENTRIES = 100_000
/** Makes the export larger than 100 MB. */
const PADDING = 700
const MAX_GROWTH_KB = 70_000
const headers = { authorization: `Bearer ${ORGANIZATION_KEY}` }

/** Excludes the pages of the data file, which the system can reclaim. */
function memoryKb(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}

/** A folder whose only organization has a long log. */
async function longLog(scope: Scope): Promise<string> {
  const folder = newFolder(scope)
  await (await startService(scope, folder)).stop()
  const bare = openBare(scope, folder)
  const organization = idOf(bare.services.query.refs(listOf('organizations'))[0]!)
  const { entries } = await bare.services.auditLog.verify(organization)
  await fill(bare.store, organization, ENTRIES - entries, entries, PADDING)
  await bare.close()
  return folder
}

function exporting(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/audit-logs/export`, { headers }, resolve).on('error', reject)
  })
}

/** Four exports that nobody reads; a fifth has to wait until one of them ends. */
async function checkFew(t: ExecutionContext, url: string, client: Client): Promise<void> {
  const open = await Promise.all([1, 2, 3, 4].map(() => exporting(url)))
  for (const response of open) response.on('error', () => {})
  t.deepEqual(
    open.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  t.is((await client.get('/api/audit-logs/export', ORGANIZATION_KEY)).status, 429)
  open.pop()!.destroy()
  let next = await exporting(url)
  while (next.statusCode === 429) {
    await client.get('/healthz', '')
    next = await exporting(url)
  }
  t.is(next.statusCode, 200)
  for (const response of [...open, next]) response.destroy()
}

test('an export of 100,000 entries is complete and uses bounded memory, even if its reader pauses', async (t) => {
  t.timeout(240_000)
  const env = { NODE_OPTIONS: '--max-old-space-size=64' }
  const { url, pid } = await startService(t, await longLog(t), { env })
  const client = newClient(t, url)
  const before = memoryKb(pid)
  const response = await exporting(url)
  // The response is not read while the service answers other requests.
  for (let round = 0; round < 300; round += 1) await client.get('/healthz', '')
  const whileStopped = memoryKb(pid) - before
  let link: Link = START
  let bytes = 0
  for await (const line of createInterface({ input: response })) {
    const entry = JSON.parse(line) as AuditEntry
    if (faultOf(entry, link) !== undefined) throw new Error(`Entry ${link.sequence + 1} is broken`)
    link = entry
    bytes += line.length
  }
  const afterwards = memoryKb(pid) - before
  t.log(`${Math.round(bytes / 1e6)} MB, ${whileStopped} kB more while stopped, ${afterwards} kB afterwards`)
  t.is(link.sequence, ENTRIES)
  t.true(bytes > 100_000_000)
  t.true(whileStopped < MAX_GROWTH_KB && afterwards < MAX_GROWTH_KB)
  t.is((await client.get<VerifiedAuditLog>('/api/audit-logs/verify', ORGANIZATION_KEY)).body.entries, ENTRIES)
  await checkFew(t, url, client)
})
