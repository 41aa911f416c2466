// Approving on a phone with one thumb, and from the list, one by one or several at once.
import test from 'ava'
import type { Page } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

const SMALL = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }
const LONG = 'A long name that its agent was given by somebody who likes long names and reads them aloud, twice, ok'

/** What is seen of each text without scrolling: its whole height lies between the top and the buttons. */
async function isSeen(page: Page, text: string | RegExp): Promise<boolean> {
  const bar = await page.locator('.decide').boundingBox()
  const box = await page.locator('.judge-about').getByText(text).first().boundingBox()
  return box !== null && bar !== null && box.y >= 0 && box.y + box.height <= bar.y
}

async function thumbReaches(page: Page, name: string): Promise<string | undefined> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox()
  if (box === null || box.height < 44) return `${name} is ${box?.height} high`
  const nav = await page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).boundingBox()
  return box.y < 400 || box.y + box.height > nav!.y ? `${name} is at ${box.y}` : undefined
}

const recipientAddress = `0x${'ab12'.repeat(10)}`

browse(
  'a phone shows who asks, whom is paid, how much, why, the rule and what was spent today, and both buttons',
  async (t, page) => {
    const agent = await stage.supervised({ name: LONG.slice(0, 90), terms: { spendLimitDaily: 1000 } })
    await stage.pay(agent, 60)
    const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', {
      name: 'Weather Ltd',
      address: recipientAddress,
    })
    await stage.must('POST', `/api/counterparties/${id}/trust`, { reason: 'Known for years' })
    const lineItems = [{ description: 'A seat', quantity: 3, unitAmount: 50 }]
    const more = { recipientAddress, recipientName: 'Weather', purpose: `Because ${LONG.repeat(3)}`, lineItems }
    const { approvalRequestId } = await stage.waiting(agent, more)
    await openAs(page, await stage.person(), stage.url, `approvals/${approvalRequestId}`)
    await page.getByText('60.00 of 1,000.00 USDC').waitFor()
    const needed = [
      '150.00 USDC',
      'A long name',
      'Weather Ltd',
      recipientAddress,
      'Because',
      'is above 100',
      '60.00 of',
    ]
    const unseen: string[] = []
    for (const text of needed) if (!(await isSeen(page, text))) unseen.push(text)
    t.deepEqual(unseen, [])
    t.deepEqual([await thumbReaches(page, 'Approve'), await thumbReaches(page, 'Deny')], [undefined, undefined])
    // The rest is below, and the buttons stay.
    const item = page.getByText('A seat')
    t.true((await item.boundingBox())!.y > SMALL.viewport.height)
    await item.scrollIntoViewIfNeeded()
    t.is(await thumbReaches(page, 'Approve'), undefined)
    await page.getByRole('button', { name: 'Approve' }).tap()
    await page.getByRole('heading', { name: 'Approved', exact: true }).waitFor()
  },
  SMALL,
)

browse(
  'a phone shows a change, who requested it and why without scrolling, and both buttons',
  async (t, page) => {
    const [asking, deciding] = [await stage.person('OWNER'), await stage.person('OWNER')]
    const governed = { governance: { enabled: true, actions: ['counterparty.trust'] } }
    await stage.asPerson(asking, 'PATCH', '/api/organization', governed)
    const address = `0x${'cd34'.repeat(10)}`
    const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', { name: 'Parcels Ltd', address })
    const reason = 'Known for years'
    const { body } = await stage.asPerson<{ governanceApprovalRequestId: string }>(
      asking,
      'POST',
      `/api/counterparties/${id}/trust`,
      { reason },
    )
    await openAs(page, deciding, stage.url, `approvals/${body.governanceApprovalRequestId}`)
    await page.getByRole('heading', { name: 'Proposed change' }).waitFor()
    const needed = ['Trust counterparty', 'Parcels Ltd', 'Known for years', 'Governance requires']
    const unseen: string[] = []
    for (const text of needed) if (!(await isSeen(page, text))) unseen.push(text)
    t.deepEqual(unseen, [])
    t.deepEqual([await thumbReaches(page, 'Approve'), await thumbReaches(page, 'Deny')], [undefined, undefined])
    await page.getByRole('button', { name: 'Approve' }).tap()
    await page.getByText('The change is Applied').waitFor()
  },
  SMALL,
)

/** A stage of its own, so that the list has only these. */
async function queueOf(amounts: readonly number[]): Promise<string[]> {
  for (const { id } of await stage.requests('PENDING')) await stage.decide((await stage.person()).cookie, id, 'DENIED')
  const agent = await stage.supervised({ name: `Researcher ${amounts[0]}` })
  const ids: string[] = []
  for (const amount of amounts) {
    const { approvalRequestId } = await stage.ask(agent, amount, { purpose: `Data for ${amount}` })
    ids.push(approvalRequestId!)
  }
  return ids
}

browse('a row of the list is denied by keyboard, after a dialog that says what it is', async (t, page) => {
  const [first, second] = await queueOf([201, 202])
  await openAs(page, await stage.person(), stage.url, 'approvals')
  const deny = page.getByRole('button', { name: /^Deny 201\.00 USDC/ })
  await deny.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deny this payment?' })
  await dialog.getByText('Researcher 201').first().waitFor()
  await dialog.getByText('Data for 201').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.true(await deny.evaluate((button) => button === document.activeElement), 'the focus returns')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Comment').fill('Not now')
  await dialog.getByRole('button', { name: 'Deny' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await deny.waitFor({ state: 'detached' })
  const decided = await stage.request(first!)
  t.like(decided, { status: 'DENIED' })
  t.is(decided.decisions[0]!.comment, 'Not now')
  t.is((await stage.request(second!)).status, 'PENDING')
})

browse('several are approved at once, each by its own decision, and each failure is said', async (t, page) => {
  const [first, second, third, fourth] = await queueOf([301, 302, 303, 304.5])
  const me = await stage.person()
  await openAs(page, me, stage.url, 'approvals')
  await page.getByRole('checkbox', { name: /^Select 304\.50/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space')
  await page.getByRole('checkbox', { name: /^Select 303\.00/ }).press('Space')
  await page.getByRole('button', { name: 'Approve 3', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve 3 requests?' })
  await dialog.getByText('3 payments, 907.50 USDC in total.').waitFor()
  // Meanwhile the same person decides one elsewhere, and somebody else denies another.
  await stage.asPerson(me, 'POST', `/api/approval-requests/${first}/decision`, { decision: 'APPROVED' })
  await stage.decide((await stage.person()).cookie, second!, 'DENIED')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await dialog.getByRole('button', { name: 'Approve 3' }).press('Enter')
  await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
  const rows = await dialog.getByRole('listitem').allInnerTexts()
  t.is(rows.length, 3)
  t.regex(
    rows.find((row) => row.includes('304.50'))!,
    /Approved/,
  )
  t.regex(
    rows.find((row) => row.includes('302.00'))!,
    /The approval request is DENIED/,
  )
  t.regex(
    rows.find((row) => row.includes('301.00'))!,
    /The approval request is APPROVED|already decided/,
  )
  t.deepEqual(sent.length, 3)
  t.is((await stage.request(fourth!)).status, 'APPROVED')
  t.is((await stage.request(third!)).status, 'PENDING')
})

browse('several that are being decided stop when their dialog is closed, and another dialog stays', async (t, page) => {
  const [first, second, third] = await queueOf([501, 502, 503])
  await openAs(page, await stage.person(), stage.url, 'approvals')
  let answer = (): void => undefined
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  const sent: string[] = []
  await page.route(/\/decision$/, async (route) => {
    sent.push(route.request().url())
    await isAnswered
    await route.continue()
  })
  await page.getByRole('checkbox', { name: /^Select 503\.00/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space')
  await page.getByRole('button', { name: 'Approve 3', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Approve 3 requests?' })
  await dialog.getByRole('button', { name: 'Approve 3' }).press('Enter')
  const stop = dialog.getByRole('button', { name: 'Stop' })
  await stop.waitFor()
  t.is(await dialog.getByLabel('Comment').getAttribute('readonly'), '')
  await stop.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Deny 3', exact: true }).press('Enter')
  const other = page.getByRole('dialog', { name: 'Deny 3 requests?' })
  await other.waitFor()
  answer()
  await other.getByText('You approved 1 of 3 requests').waitFor()
  t.true(await other.isVisible())
  t.is(sent.length, 1)
  const statuses = await Promise.all([first!, second!, third!].map(async (id) => (await stage.request(id)).status))
  t.deepEqual(statuses.toSorted(), ['APPROVED', 'PENDING', 'PENDING'])
})

browse('what is bought is shown where it is decided from the list', async (t, page) => {
  await queueOf([])
  const agent = await stage.supervised()
  const lineItems = [{ description: 'A seat', quantity: 3, unitAmount: 50 }]
  await stage.waiting(agent, { reference: 'Order 12', lineItems })
  await stage.waiting(agent, { reference: 'Order 13', lineItems, context: { memo: 'For the fair' } })
  await openAs(page, await stage.person(), stage.url, 'approvals')
  await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space')
  await page.getByRole('button', { name: 'Approve 2', exact: true }).press('Enter')
  const several = page.getByRole('dialog', { name: 'Approve 2 requests?' })
  for (const text of ['Order 12', 'Order 13', 'A seat']) await several.getByText(text).first().waitFor()
  await page.keyboard.press('Escape')
  await several.waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /^Approve 150\.00 USDC/ })
    .first()
    .press('Enter')
  const single = page.getByRole('dialog', { name: 'Approve this payment?' })
  for (const text of ['For the fair', 'Why approval is required']) await single.getByText(text).first().waitFor()
  t.pass()
})

browse('a VIEWER has no boxes and no buttons in the list', async (t, page) => {
  await queueOf([401])
  await openAs(page, await stage.person('VIEWER'), stage.url, 'approvals')
  await page.getByRole('link', { name: /^401\.00 USDC/ }).waitFor()
  t.is(await page.getByRole('checkbox').count(), 0)
  t.is(await page.getByRole('button', { name: /^Approve/ }).count(), 0)
})
