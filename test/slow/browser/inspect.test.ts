// Inspect in a browser: the chart follows a payment, its history can be stepped through, its story, its holds and its
// refusals are shown, and a machine's source can be copied.
import test from 'ava'
import type { Page } from 'playwright-core'
import { charts } from '../../../machines/index.js'
import { sourceOf } from '../../../src/inspect/source.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import { made, type FundedAgent } from '../../support/payments.js'
import { statesOf } from '../../support/walk.js'
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
  await isLit(page, 'approved')
  t.is(await count.innerText(), `Step ${Number(last) - 1} of ${last}`)
  await page.getByRole('button', { name: 'Forward' }).click()
  await isLit(page, 'executed')
  await page.getByRole('group', { name: 'Timeline' }).focus()
  await page.keyboard.press('Home')
  await isLit(page, 'approved')
  const first = await page.locator('.told-step').innerText()
  for (const told of ['deniedByFacts', 'held at every gate']) t.true(first.includes(told), told)
  await page.locator('.arrow.lit[data-to="approved"]').waitFor({ state: 'attached' })
  await page.keyboard.press('End')
  await isLit(page, 'executed')
  await page.locator('.arrow.lit[data-to="executed"]').waitFor({ state: 'attached' })
  t.deepEqual(await holdsBeside(page), Array(4).fill('captured, 5.00 USDC'))
})

/** The text beside each gate: agent, delegation, wallet, counterparty. */
async function holdsBeside(page: Page): Promise<string[]> {
  const section = page.locator('.travel-side .section', { has: page.getByRole('heading', { name: 'Holds' }) })
  await section.locator('dd').nth(3).waitFor()
  return section.locator('dd').allInnerTexts()
}

browse('a payment shows what its gates hold, until they are released', async (t, page) => {
  const id = await asked(5)
  await openInspect(page, `payment/${id}?part=now`)
  t.deepEqual(await holdsBeside(page), Array(4).fill('held, 5.00 USDC'))
  await stage.client.post(`/api/sdk/payments/${id}/cancel`, agent.key)
  await isLit(page, 'cancelled')
  t.deepEqual(await holdsBeside(page), Array(4).fill('none'))
})

browse('a payment shows which gate refused, and the reasons', async (t, page) => {
  const id = await asked(5)
  const freeze = (what: string, body: object) => made(stage.client, `/api/agents/${agent.agentId}/${what}`, body)
  await freeze('freeze', { reason: 'Test' })
  await pay(id)
  await freeze('unfreeze', {})
  for (const part of ['now', 'history']) {
    await openInspect(page, `payment/${id}?part=${part}`)
    const side = page.locator('.travel-side')
    await side.getByText('Refused by').first().waitFor()
    const told = await side.innerText()
    for (const words of ['agent', 'Reasons', 'Agent not active']) t.true(told.includes(words), `${part}: ${words}`)
  }
  await openInspect(page, `payment/${id}?part=story`)
  t.is(await page.locator('.story .said.refusal text').textContent(), 'REFUSED: AGENT_NOT_ACTIVE')
})

browse('new events do not move the chart while it shows the past', async (t, page) => {
  const { requestId, approvalRequestId } = await stage.waiting(agent)
  await stage.decide((await stage.person()).cookie, approvalRequestId)
  await openInspect(page, `payment/${requestId}`)
  await isLit(page, 'approved')
  await page.getByRole('group', { name: 'Timeline' }).focus()
  await page.keyboard.press('Home')
  await isLit(page, 'awaitingApproval')
  const before = await page.locator('.time-line li').count()
  await pay(requestId)
  await page.locator('.time-line li').nth(before).waitFor({ state: 'attached' })
  await isLit(page, 'awaitingApproval')
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
  for (const kind of ['agent key', 'payment', 'agent', 'delegation', 'wallet', 'counterparty', 'world'])
    t.true(kinds.includes(kind), kind)
  const states = await page.locator('.story .said.state text').allTextContents()
  t.deepEqual(states, ['approved', 'executed'])
  t.deepEqual(await page.locator('.story .said.command text').allTextContents(), ['REQUEST', 'EXECUTE'])
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
  await page.getByRole('link', { name: 'Wallet of', exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Open in visualizer' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('dialog').getByText('Copied the source of wallet').waitFor()
  t.is(await page.evaluate('navigator.clipboard.readText()'), sourceOf(charts.wallet))
  const editor = page.getByRole('link', { name: 'Open the Stately editor' })
  t.is(await editor.getAttribute('href'), 'https://stately.ai/editor')
})
