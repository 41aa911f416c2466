// The overview in a browser where there is little to show: what it says then, and if it does not cover everything.
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { ask } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'
import { browsing, mountAll, PHONE } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

browse('an organization without agents is guided to its first', async (t, page) => {
  await openAs(page, await stage.person('VIEWER'), stage.url)
  await page.getByRole('link', { name: 'Set up an agent' }).waitFor()
  t.pass()
})

browse('if all agents are paused, the overview shows its figures and that no agent may pay', async (t, page) => {
  const agent = await stage.agent({ name: 'Paused one' })
  await ask(stage.client, agent.key, 5)
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('heading', { name: 'Limits close to exhaustion' }).scrollIntoViewIfNeeded()
  await page.getByText('No active agents').waitFor()
  await page.getByRole('link', { name: /^Failed deliveries/ }).waitFor()
  t.is(await page.getByRole('link', { name: 'Set up an agent' }).count(), 0)
})

browse('if there are more agents than it reads, the overview says how many its limits cover', async (t, page) => {
  await stage.agent({ name: 'The oldest' })
  for (let at = 0; at < 25; at += 1) {
    await stage.must('POST', '/api/agents', { name: `Agent ${at}`, agentType: 'CUSTOM' })
  }
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('heading', { name: 'Limits close to exhaustion' }).scrollIntoViewIfNeeded()
  await page.getByText('Among the 25 newest of 26 active agents.').waitFor()
  t.pass()
})

const LIMITS = /\/api\/agents\/[^/]+\/wallets/

/** What below the first screen of a phone is read only once `reach` has brought it. */
async function readsLimitsOnce(
  t: ExecutionContext,
  page: Page,
  name: string,
  reach: () => Promise<unknown>,
): Promise<void> {
  const { agentId } = await stage.agent({ name, terms: { spendLimitDaily: 5 } })
  const reads: string[] = []
  page.on('request', (request) => void (LIMITS.test(request.url()) && reads.push(request.url())))
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('link', { name: /^Spent/ }).waitFor()
  await page.waitForLoadState('networkidle')
  t.deepEqual(reads, [])
  await reach()
  await page.getByRole('main').getByRole('link', { name }).first().waitFor()
  t.true(reads.some((url) => url.includes(agentId)))
}

for (const [how, reach] of [
  ['it is scrolled to', (page: Page) => page.mouse.wheel(0, 10_000)],
  ['a key is pressed', (page: Page) => page.keyboard.press('Tab')],
  ['the page is printed', mountAll],
] as const) {
  browse(
    `on a phone, what is below the first screen is read when ${how}`,
    (t, page) => readsLimitsOnce(t, page, `Limited, and ${how}`, () => reach(page)),
    { viewport: PHONE },
  )
}

browse('a browser without IntersectionObserver reads all of the overview at once', async (t, page) => {
  await stage.agent({ name: 'Unobserved', terms: { spendLimitDaily: 5 } })
  await page.addInitScript('delete window.IntersectionObserver')
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('main').getByRole('link', { name: 'Unobserved' }).first().waitFor()
  t.pass()
})
