// Every page at every width, with no records and with long and right-to-left names: nothing is wider than the screen, no
// error, and a heading.
import test from 'ava'
import type { Page } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { newPerson, type Person } from '../../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { browsing, settled, widthBeyond } from './browser.js'
import { openAs } from './people.js'
import { routePatterns } from './places.js'
import { tellStory, type Story } from './story.js'

const WIDTHS = [360, 768, 1440]
const UNBROKEN = 'W'.repeat(100)
const RIGHT_TO_LEFT = 'شركة الطقس والبيانات المحدودة '.repeat(3).trim()

const scope = wholeFile(test)
let empty: ApprovalStage
let full: Story
let places: { [pattern: string]: string }
let reader: { empty: Person; full: Person }
test.before('a service without records runs, and one with names that are hard to show', async () => {
  empty = await startApprovals(scope)
  full = await tellStory(scope, 2)
  places = await recordHardNames(full)
  reader = { empty: await newPerson(empty.client, 'OWNER', ORGANIZATION_KEY), full: full.owner }
})
const { browse } = browsing(test, () => full.url)

/** The places of records whose names and texts are as long, or as foreign, as may be. */
async function recordHardNames(story: Story): Promise<typeof places> {
  const agent = story.agents['Procurement']!
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 1 }]
  await story.must('PATCH', `/api/agents/${agent.agentId}`, { name: UNBROKEN })
  await story.must('PATCH', `/api/agents/${story.agents['Support refunds']!.agentId}`, { name: RIGHT_TO_LEFT })
  await story.must('POST', '/api/wallets', { name: UNBROKEN, custodyType: 'MANAGED' })
  const policy = await story.policy(rules, { name: UNBROKEN, agentIds: [agent.agentId] })
  await story.policy(rules, { name: RIGHT_TO_LEFT })
  const recipientAddress = `0x${'5e'.repeat(20)}`
  const counterparty = { name: RIGHT_TO_LEFT, address: recipientAddress }
  const { id } = await story.must<{ id: string }>('POST', '/api/counterparties', counterparty)
  const other = { name: UNBROKEN, address: `0x${'6f'.repeat(20)}` }
  await story.must('POST', '/api/counterparties', other)
  const named = { recipientAddress, recipientName: UNBROKEN, category: 'CLOUD_SERVICES', reference: UNBROKEN }
  const waiting = await story.ask(agent, 3, { ...named, purpose: RIGHT_TO_LEFT })
  await story.pay(agent, 0.5, { ...named, purpose: UNBROKEN })
  const { id: walletId } = await story.must<{ id: string }>('POST', '/api/wallets', {
    name: RIGHT_TO_LEFT,
    custodyType: 'MANAGED',
  })
  return {
    'wallets/:id': `wallets/${walletId}`,
    'approvals/:id': `approvals/${waiting.approvalRequestId}`,
    'alerts/:id': `alerts/${story.alertId}`,
    'payments/:id': `payments/${waiting.requestId}`,
    'agents/:id': `agents/${agent.agentId}`,
    'policies/:id': `policies/${policy.id}`,
    'policies/:id/rules': `policies/${policy.id}/rules`,
    'counterparties/:id': `counterparties/${id}`,
    'inspect/:machine/:id': `inspect/payment/${waiting.requestId}`,
  }
}

const placeOf = (pattern: string, of: typeof places): string =>
  of[pattern] ?? pattern.replace(':id', 'missing').replace(':tab', 'general').replace(':machine', 'wallet')

/** What is wrong with the page at this width. */
async function faultsAt(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 800 })
  const beyond = await widthBeyond(page)
  const isHeaded = await page.getByRole('heading', { level: 1 }).first().isVisible()
  return [
    ...(beyond > 0 ? [`${beyond} pixels wider than ${width}`] : []),
    ...(isHeaded ? [] : [`no heading at ${width}`]),
  ]
}

for (const state of ['empty', 'full'] as const) {
  browse(
    `every page fits every width and has a heading, where the organization is ${state}`,
    async (t, page) => {
      const { url } = state === 'empty' ? empty : full
      await openAs(page, reader[state], url)
      const faults: string[] = []
      for (const pattern of routePatterns()) {
        await page.goto(`${url}/#/${placeOf(pattern, state === 'empty' ? {} : places)}`)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await settled(page)
        for (const width of WIDTHS) faults.push(...(await faultsAt(page, width)).map((fault) => `${pattern}: ${fault}`))
      }
      t.deepEqual(faults, [])
    },
    { goesTo: () => [empty.url] },
  )
}

const SLOW_MS = 2_000
/** Names of 100 characters come after their rows; from here on the vitals of the web call a shift poor. */
const LARGEST_SHIFT = 0.25
const WATCH_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

browse(
  'where answers take two seconds, a page says that it loads, and what it shows stays in its place',
  async (t, page) => {
    await openAs(page, reader.full, full.url)
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      await route.continue()
    })
    await page.addInitScript(WATCH_SHIFTS)
    for (const place of ['', 'payments', 'approvals', 'agents', placeOf('payments/:id', places)]) {
      await page.goto('about:blank')
      await page.goto(`${full.url}/#/${place}`)
      await page.getByText('Loading').first().waitFor({ state: 'attached' })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await settled(page)
      const shifted = (await page.evaluate('window.shifted')) as number
      t.log(place, shifted)
      t.true(shifted <= LARGEST_SHIFT, `${place} shifts by ${shifted}`)
    }
  },
)
