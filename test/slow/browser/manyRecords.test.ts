// Pages of an organization with ten thousand payments, agents and recipients: each shows its first records, fits every
// width, and reads no more than a page of any list. How long each takes is printed.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { newClient, type Client } from '../../support/client.js'
import { multiply, NOON, withOnePayment } from '../../support/manyPayments.js'
import { newPerson, type Person } from '../../support/people.js'
import { made } from '../../support/payments.js'
import { clockAt, newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'
import { browsing, settled, widthBeyond } from './browser.js'
import { openAs } from './people.js'

const RECORDS = 10_000
const AT_ONCE = 50
const WIDTHS = [360, 768, 1440]
const MAX_ANSWER_BYTES = 512 * 1024
const MINUTE_MS = 60_000

let url = ''
const { browse } = browsing(test, () => url)

/** Makes so many records, some at a time. */
async function makeMany(make: (index: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < RECORDS; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(first + index)))
  }
}

async function fill(t: ExecutionContext): Promise<{ client: Client; owner: Person; agentId: string }> {
  const folder = newFolder(t)
  const { agent, sample } = await withOnePayment(t, folder)
  await multiply(folder, sample, RECORDS)
  const service = await startService(t, folder, { env: clockAt(NOON + MINUTE_MS) })
  url = service.url
  const client = newClient(t, url)
  await makeMany((index) => made(client, '/api/agents', { name: `Agent ${index}`, agentType: 'CUSTOM' }))
  await makeMany((index) => {
    const address = `0x${String(index).padStart(40, 'a')}`
    return made(client, '/api/counterparties', { name: `Recipient ${index}`, address })
  })
  return { client, owner: await newPerson(client, 'OWNER', ORGANIZATION_KEY), agentId: agent.agentId }
}

/** What is wrong with the page that is shown. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const beyond = await widthBeyond(page)
    if (beyond > 0) faults.push(`${beyond} pixels wider than ${width}`)
  }
  return faults
}

browse(`pages with ${RECORDS} payments, agents and recipients show their first records`, async (t, page) => {
  t.timeout(10 * MINUTE_MS)
  const { owner, agentId } = await fill(t)
  const large: string[] = []
  page.on('response', async (response) => {
    const body = await response.body().catch(() => Buffer.of())
    if (response.url().includes('/api/') && body.length > MAX_ANSWER_BYTES) large.push(response.url())
  })
  await page.clock.setSystemTime(NOON + MINUTE_MS)
  const places = [
    '',
    'payments',
    'payments?search=INV-9999',
    'agents',
    `agents/${agentId}`,
    'counterparties',
    'audit',
    'inspect/payment',
  ]
  for (const place of places) {
    const began = performance.now()
    await openAs(page, owner, url, place)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await settled(page)
    t.log(place || 'overview', `${Math.round(performance.now() - began)} ms`)
    t.deepEqual(await faultsOf(page), [], place)
    t.true((await page.getByRole('row').count()) <= 101, `${place} shows more than a page of a list`)
  }
  await page.goto(`${url}/#/payments?search=INV-9999`)
  await page.getByRole('row').nth(1).waitFor()
  t.is(await page.getByRole('row').count(), 2)
  t.deepEqual(large, [])
})
