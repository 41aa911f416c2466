// Operations in a browser: a signing secret is rotated and shown once, people are invited, the log is verified.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { ask } from '../../support/payments.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

browse('a signing secret is shown once when it is created, and once when it is rotated', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('URL').fill('https://events.bursar.zz/take')
  await page.getByRole('button', { name: 'Save' }).click()
  const shown = page.getByLabel('signing secret', { exact: true })
  const first = await shown.innerText()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByText('Previous secret').waitFor()
  const second = await shown.innerText()
  t.regex(first, /^whsec_/)
  t.regex(second, /^whsec_/)
  t.not(first, second)
  await page.reload()
  await page.getByText('Previous secret').waitFor()
  t.is(await shown.count(), 0)
})

browse('the list of wallets shows whose address is proved', async (t, page) => {
  const address = `0x${'5a'.repeat(20)}`
  await stage.must('POST', '/api/wallets', { name: 'Made here', custodyType: 'MANAGED' })
  await stage.must('POST', '/api/wallets', { name: 'Only named', custodyType: 'EXTERNAL', address })
  await openAs(page, await stage.person(), stage.url, 'wallets')
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await rowOf('Made here').getByText('Ownership proved', { exact: true }).waitFor()
  await rowOf('Only named').getByText('Ownership not proved', { exact: true }).waitFor()
  t.is(await rowOf('Only named').getByText('Ownership proved', { exact: true }).count(), 0)
})

browse('the reason why an address is refused is shown beside its field', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'webhooks')
  await page.getByRole('button', { name: /(Add|Edit) endpoint/ }).click()
  await page.getByLabel('URL').fill('http://127.0.0.1/events')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.problem').first().waitFor()
  t.is(await page.getByLabel('URL').getAttribute('aria-invalid'), 'true')
})

browse('an owner invites a member, whose link is shown once', async (t, page) => {
  await openAs(page, await stage.person('OWNER'), stage.url, 'settings/members')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('kim@example.com')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  const link = await page.getByLabel('set-up link', { exact: true }).innerText()
  t.regex(link, /\/setup\?token=/)
  await page.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  const isShown = async (): Promise<boolean> => {
    await page.getByText('kim@example.com').first().waitFor()
    return (await page.content()).includes(link.split('token=')[1]!)
  }
  t.false(await isShown())
  await page.reload()
  t.false(await isShown())
})

browse('the audit log verifies, and leads from an entry to its payment', async (t, page) => {
  const agent = await stage.agent({ name: 'Auditor' })
  const {
    body: { requestId },
  } = await ask(stage.client, agent.key, 5)
  await openAs(page, await stage.person(), stage.url, `audit?resourceId=${requestId}`)
  await page.getByText('Payment request').click()
  // The log stores micro-units, milliseconds and ids.
  await page.getByText('5.00 USDC').first().waitFor()
  await page
    .getByText(/^2031-07-09 \d\d:\d\d:\d\d UTC$/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Auditor', exact: true }).waitFor()
  t.is(
    await page.getByRole('link', { name: 'Payment receipt' }).getAttribute('href'),
    `/api/payments/${requestId}/receipt`,
  )
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText(/\d+ entries, unbroken/).waitFor()
})

browse("values in an agent's own context are shown as the agent wrote them", async (t, page) => {
  const agent = await stage.agent({ name: 'Counts otherwise' })
  const context = { amount: 12.5, finishedAt: 1e20 }
  const {
    body: { requestId },
  } = await ask(stage.client, agent.key, 5, { context })
  await openAs(page, await stage.person(), stage.url, `audit?resourceId=${requestId}`)
  await page.getByText('Payment request').click()
  await page.getByText('5.00 USDC').first().waitFor()
  await page.getByText('12.5', { exact: true }).first().waitFor()
  await page.goto(`${stage.url}/#/inspect/payment/${requestId}`)
  await page.getByRole('heading', { name: 'Changes' }).first().waitFor()
  await page.getByText('12.5', { exact: true }).first().waitFor({ state: 'attached' })
  t.is(await page.getByText('Something went wrong').count(), 0)
})

browse('payments are filtered, and the filter survives a reload', async (t, page) => {
  const agent = await stage.agent({ name: 'Filtered', balance: 10 })
  await stage.pay(agent, 3, { recipientName: 'Small shop' })
  await stage.ask(agent, 5000, { recipientName: 'Large shop' })
  await openAs(page, await stage.person('VIEWER'), stage.url, 'payments')
  await page.getByLabel('Status').selectOption('Denied')
  await page.getByRole('link', { name: 'Large shop' }).waitFor()
  await page.getByRole('link', { name: 'Small shop' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Large shop' }).click()
  await page.getByText('Reasons for denial').waitFor()
  t.is(await page.getByRole('link', { name: 'Small shop' }).count(), 0)
})

browse('agents are searched while typing', async (t, page) => {
  await stage.agent({ name: 'Weather buyer' })
  await stage.agent({ name: 'Cloud buyer' })
  await openAs(page, await stage.person('VIEWER'), stage.url, 'agents')
  await page.getByLabel('Search').pressSequentially('weather')
  await page.getByRole('link', { name: 'Weather buyer' }).waitFor()
  await page.getByRole('link', { name: 'Cloud buyer' }).waitFor({ state: 'detached' })
  t.is(await page.getByLabel('Search').inputValue(), 'weather')
  await page.getByLabel('Search').fill('nobody')
  await page.getByText('No results').waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Cloud buyer' }).waitFor()
  t.is(await page.getByLabel('Search').inputValue(), '')
})

browse('a failed read is reported, and can be repeated', async (t, page) => {
  await page.route('**/api/agents**', (route) => route.abort())
  await openAs(page, await stage.person(), stage.url, 'agents')
  await page.getByText('The service did not respond').waitFor()
  await page.unroute('**/api/agents**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table').waitFor()
  t.pass()
})

browse('the bounds of violations are shown in money, and counts as they are', async (t, page) => {
  const { agent } = await stage.governed([
    { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 50 },
    { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 1, period: 'HOUR' } },
  ])
  await stage.pay(agent, 5)
  const { requestId } = await stage.ask(agent, 70)
  await openAs(page, await stage.person(), stage.url, `audit?resourceId=${requestId}`)
  await page.getByText('Payment request').click()
  const bounds = page.locator('dl.object div').filter({ has: page.locator('> dt', { hasText: /^Limit$/ }) })
  await bounds.first().waitFor()
  const shown = await bounds.locator('> dd').allInnerTexts()
  t.true(shown.includes('50.00 USDC') && shown.includes('1'), shown.join())
  t.notRegex(await page.getByRole('main').innerText(), /\b(50|70)000000\b/)
})
