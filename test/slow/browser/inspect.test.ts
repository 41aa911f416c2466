// Inspect in a browser: the chart follows a payment, its history can be stepped through, its story is shown, a message
// can be tried, a machine's source can be copied, and a simulated run can be opened from a file.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Page } from 'playwright-core'
import { charts } from '../../../machines/index.js'
import { sourceOf } from '../../../src/inspect/source.js'
import { startApprovals, type ApprovalStage } from '../../approvals/stage.js'
import { newFolder, wholeFile } from '../../service/service.js'
import type { FundedAgent } from '../../service/setup.js'
import { statesOf } from '../../machines/walk.js'
import { simulate } from '../../simulation/run.js'
import { writeTrace } from '../../simulation/traceFile.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
let agent: FundedAgent
test.before('the service runs, and an agent may pay', async () => {
  stage = await startApprovals(scope)
  agent = await stage.supervised()
})
const { browse } = browsing(test, () => stage.url)

const openInspect = async (page: Page, place: string): Promise<void> =>
  openAs(page, await stage.person(), stage.url, `inspect/${place}`)

/** Waits until the chart highlights this state, and no other. */
async function isLit(page: Page, state: string): Promise<void> {
  await page.locator(`.chart-box[data-lit="${state}"] .state.lit[data-state="${state}"]`).waitFor()
}

async function asked(amount: number): Promise<string> {
  return (await stage.ask(agent, amount)).requestId
}

const pay = (id: string) => stage.client.post(`/api/sdk/payments/${id}/execute`, agent.key)

browse('the chart follows a payment while it is executed', async (t, page) => {
  const id = await asked(5)
  await openInspect(page, `payment/${id}`)
  await isLit(page, 'approved')
  await page.getByText('Live', { exact: true }).waitFor()
  t.is((await pay(id)).status, 200)
  await isLit(page, 'executed')
  t.is(await page.locator('.state.lit').count(), 1)
})

browse("the chart follows a person's decision", async (t, page) => {
  const { requestId, approvalRequestId } = await stage.waiting(agent)
  await openInspect(page, `payment/${requestId}`)
  await isLit(page, 'awaitingApproval')
  const decided = await stage.decide((await stage.person()).cookie, approvalRequestId, 'DENIED')
  t.is(decided.status, 200)
  await isLit(page, 'denied')
})

browse('the history of a payment can be stepped through, by buttons and by keys', async (t, page) => {
  const id = await asked(5)
  await pay(id)
  await openInspect(page, `payment/${id}`)
  await isLit(page, 'executed')
  const count = page.locator('.time-line output')
  const [, last] = /of (\d+)/.exec(await count.innerText())!
  await page.getByRole('button', { name: 'Back' }).click()
  await isLit(page, 'capturing')
  t.is(await count.innerText(), `Step ${Number(last) - 1} of ${last}`)
  await page.getByRole('button', { name: 'Forward' }).click()
  await isLit(page, 'executed')
  await page.getByRole('group', { name: 'Time line' }).focus()
  await page.keyboard.press('Home')
  await isLit(page, 'reserving')
  t.true((await page.locator('.told-step').innerText()).includes('deniedByFacts'))
  await page.keyboard.press('ArrowRight')
  await page.locator('.told-step').getByText('moreGates', { exact: true }).waitFor()
  t.is(await page.locator('.chart-box text.stays.lit').count(), 1)
  const kept = ['held, 5.00 USDC', 'nothing', 'nothing', 'nothing']
  t.deepEqual(await entriesBeside(page, 'What its gates kept of it then'), kept)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('End')
  await isLit(page, 'executed')
  await page.locator('.arrow.lit[data-to="executed"]').waitFor({ state: 'attached' })
  const captured = Array(4).fill('captured, 5.00 USDC, attempt 1')
  t.deepEqual(await entriesBeside(page, 'What its gates keep of it now'), captured)
})

/** The text beside each gate: agent, delegation, wallet, counterparty. */
async function entriesBeside(page: Page, title: string): Promise<string[]> {
  const section = page.locator('.travel-side .section', { has: page.getByRole('heading', { name: title }) })
  await section.locator('dd').nth(3).waitFor()
  return section.locator('dd').allInnerTexts()
}

browse('new events do not move the chart while it shows the past', async (t, page) => {
  const id = await asked(5)
  await openInspect(page, `payment/${id}`)
  await isLit(page, 'approved')
  await page.getByRole('group', { name: 'Time line' }).focus()
  await page.keyboard.press('Home')
  await isLit(page, 'reserving')
  const before = await page.locator('.time-line li').count()
  await pay(id)
  await page.locator('.time-line li').nth(before).waitFor({ state: 'attached' })
  await isLit(page, 'reserving')
  await page.keyboard.press('End')
  await isLit(page, 'executed')
  t.pass()
})

browse('the story of a payment shows all its participants', async (t, page) => {
  const id = await asked(5)
  await pay(id)
  await openInspect(page, `payment/${id}?part=story`)
  await page.locator('.story .participant').first().waitFor()
  const kinds = await page.locator('.story .participant .kind').allTextContents()
  for (const kind of ['payment', 'agent', 'delegation', 'wallet', 'counterparty', 'organization', 'world'])
    t.true(kinds.includes(kind), kind)
  t.true((await page.locator('.story .said.ask').count()) >= 9)
})

browse('what if: a supposed message marks its state in the chart, and nothing is changed', async (t, page) => {
  const id = await asked(5)
  await openInspect(page, `payment/${id}?part=what-if`)
  await page.getByLabel('Message').selectOption('CANCEL')
  await page.getByRole('button', { name: 'Suppose it' }).click()
  await page.locator('.state.supposed[data-state="cancelled"]').waitFor()
  await page.getByText('It would be in cancelled').waitFor()
  await page.getByLabel('Its other fields').fill('{"broken"')
  await page.getByRole('button', { name: 'Suppose it' }).click()
  await page.getByText('is no JSON object').waitFor()
  const { body } = await stage.client.get<{ status: string }>(`/api/sdk/payments/${id}`, agent.key)
  t.is(body.status, 'APPROVED')
})

browse('every machine has its chart, with all its states', async (t, page) => {
  await openInspect(page, '')
  for (const [name, { machine }] of Object.entries(charts)) {
    await page.getByRole('link', { name, exact: true }).click()
    const chart = page.getByRole('region', { name: `Statechart of ${name}`, exact: true })
    await chart.locator('.state').first().waitFor()
    const drawn = await chart
      .locator('.state[data-state]:not(.parent)')
      .evaluateAll((all) => all.map((one) => (one as unknown as { dataset: { state: string } }).dataset.state))
    t.deepEqual(drawn.sort(), statesOf(machine).sort(), name)
    await page.getByRole('link', { name: 'Inspect', exact: true }).first().click()
  }
})

browse("a machine's source can be copied for the visualizer", async (t, page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openInspect(page, '')
  await page.getByRole('link', { name: 'wallet', exact: true }).click()
  await page.locator('.chart-box .state[data-state="kept.active"]').waitFor()
  await page.getByRole('link', { name: agent.walletId }).waitFor()
  await page.getByRole('button', { name: 'Open in the visualizer' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('dialog').getByText('Copied the source of wallet').waitFor()
  t.is(await page.evaluate('navigator.clipboard.readText()'), sourceOf(charts.wallet))
})

browse('a simulated run can be opened from its file and stepped through in the same view', async (t, page) => {
  const folder = newFolder(scope)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'trace.json')
  writeTrace(file, await simulate(5, { steps: 200 }))
  await openInspect(page, 'run')
  await page.getByLabel('Trace').setInputFiles(file)
  await page.getByText('nothing broken').waitFor()
  const first = await page.locator('.chart-box').getAttribute('data-lit')
  await page.getByRole('group', { name: 'Time line' }).focus()
  await page.keyboard.press('Home')
  await page.locator('.time-line output').getByText('Step 1 of').waitFor()
  await page.keyboard.press('End')
  await isLit(page, first!)
  await page.getByLabel('Actor').selectOption({ index: 0 })
  await page.locator('.told-step').waitFor()
  await page
    .getByLabel('Trace')
    .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await page.getByText('other.json is no trace').waitFor()
  t.pass()
})
