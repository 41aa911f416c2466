// Alerts in a browser: the number in the navigation, acknowledging and resolving, settings; channels with their secrets
// and tests; the automatic freeze of an agent and the forecast of its limits.
import test from 'ava'
import { startChannels, type ChannelStage } from '../../support/channels.js'
import { wholeFile } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'
import type { ChannelList, WholeAgent } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ChannelStage
test.before('the service runs', async () => {
  stage = await startChannels(scope)
})
const { browse } = browsing(test, () => stage.url)

const blocked = `0x${'b1'.repeat(20)}`

browse('an alert is counted in the navigation until it is acknowledged, and resolved on its page', async (t, page) => {
  const agent = await stage.agent({ name: 'Curious' })
  await stage.must('POST', '/api/counterparties', { name: 'Lucky Gains', address: blocked, status: 'BLOCKED' })
  for (let i = 0; i < 3; i += 1) await stage.ask(agent, 5, { recipientAddress: blocked })
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Alerts/ })
    .first()
  await openAs(page, await stage.person('MANAGER'), stage.url, 'alerts')
  await link.filter({ hasText: '1 active' }).waitFor()
  await page.getByLabel('Severity').selectOption('Critical')
  await page.getByLabel('Type').selectOption('Blocked address')
  await page.getByRole('combobox', { name: /^Agent/ }).selectOption('Curious')
  await page.getByRole('link', { name: 'Payment to a blocked address denied' }).click()
  await page.getByText('3 times').waitFor()
  t.regex((await page.getByRole('link', { name: 'Curious', exact: true }).getAttribute('href')) ?? '', /^#\/agents\//)
  t.is(await page.locator('dd a[href^="#/payments/"]').count(), 1)
  t.is(await page.locator('dd a[href^="#/wallets/"]').count(), 1)
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by').waitFor()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('Resolved by').waitFor()
  t.is(await page.getByRole('button', { name: 'Resolve' }).count(), 0)
})

browse('settings of alerts are saved, and a viewer reads them', async (t, page) => {
  await openAs(page, await stage.person('MANAGER'), stage.url, 'settings/alerts')
  await page.getByLabel('Warn when this much of a limit is used').fill('70')
  await page.getByLabel('Payments are large from').fill('250.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved').waitFor()
  const settings = { spendWarningAt: 70, lowBalanceBelow: null, highValueAbove: 250.5 }
  t.deepEqual(await stage.must('GET', '/api/alerts/settings'), settings)
  await page.getByLabel('Payments are large from').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await openAs(page, await stage.person('VIEWER'), stage.url, 'settings/alerts')
  await page.getByText('70 % of a limit').waitFor()
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0)
})

browse('a channel shows its secret once, and says what became of its test', async (t, page) => {
  let answer = 204
  const receiver = await startReceiver(scope, (_, response) => void response.writeHead(answer).end())
  await openAs(page, await stage.person(), stage.url, 'channels')
  await page.getByRole('button', { name: 'New channel' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('On call')
  await dialog.getByLabel('Type').selectOption({ label: 'Signed POST' })
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await dialog.locator('.problem').first().waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByLabel('Approval expired').uncheck()
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  t.regex(await page.getByLabel('signing secret', { exact: true }).innerText(), /^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test On call' }).click()
  await page.getByText('The test message to On call was delivered').waitFor()
  answer = 400
  await page.getByRole('button', { name: 'Test On call' }).click()
  await page.getByText('The test message to On call failed').waitFor()
  await page.getByRole('button', { name: 'Edit On call' }).click()
  await dialog.getByLabel('Approval decided').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Pause On call' }).click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume On call' }).waitFor()
  const { channels } = await stage.must<ChannelList>('GET', '/api/channels')
  const events = ['alert.raised', 'approval.escalated', 'approval.requested']
  t.deepEqual(
    channels.map((one) => [one.status, one.events.toSorted()]),
    [['PAUSED', events]],
  )
  await page.getByRole('button', { name: 'Remove On call' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No channels yet').waitFor()
})

browse('Slack is set up in both ways', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'channels')
  const dialog = page.getByRole('dialog')
  const begin = async (name: string, type: string): Promise<void> => {
    await page.getByRole('button', { name: 'New channel' }).first().click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Type').selectOption({ label: type })
  }
  const create = async (name: string): Promise<void> => {
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: name }).waitFor()
  }
  await begin('Links', 'Slack, incoming webhook: messages with a link')
  await dialog.getByLabel('Webhook URL').fill('https://hooks.slack.com/services/T/B/secret')
  await create('Links')
  await begin('Buttons', 'Slack, bot: messages with buttons')
  await dialog.getByLabel('Slack channel').fill('#payments')
  await dialog.getByLabel('Bot token').fill('xoxb-1-2-secret')
  await dialog.getByLabel('Signing secret of the Slack app').fill('8f742231b10e8888abcd99yyyzzz85a5')
  await create('Buttons')
  const shown = await page.content()
  for (const secret of ['T/B/secret', 'xoxb-1-2-secret', '8f742231b10e8888abcd99yyyzzz85a5']) {
    t.false(shown.includes(secret))
  }
})

browse('the automatic freeze is turned on with proposed thresholds, and says why it froze', async (t, page) => {
  const agent = await stage.agent({ name: 'Unsteady', terms: { spendLimitPerTx: 10, spendLimitDaily: 100 } })
  await stage.ask(agent, 11)
  await stage.ask(agent, 11)
  await stage.pay(agent, 5)
  await openAs(page, await stage.person('MANAGER'), stage.url, `agents/${agent.agentId}`)
  await page.getByText('Lasts until it resets').waitFor()
  await page.getByRole('button', { name: 'Turn on automatic freeze' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('3 payments, 1 executed').waitFor()
  t.is(await dialog.getByLabel('Denied payments in a row').inputValue(), '5')
  await dialog.getByLabel('Denied payments in a row').fill('2')
  await dialog.getByLabel('Different recipients in an hour').fill('')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off automatic freeze' }).waitFor()
  const { autoFreeze } = await stage.must<WholeAgent>('GET', `/api/agents/${agent.agentId}`)
  const rest = { consecutiveFailures: 5, hourlySpendFactor: 3, paymentFactor: 10 }
  t.deepEqual(autoFreeze, { action: 'FREEZE', consecutiveViolations: 2, ...rest })
  await stage.ask(agent, 11)
  await stage.ask(agent, 11)
  await page
    .getByText(
      /2 payments in a row were denied\. Only what it was permitted to pay before is executed after audit entry \d+/,
    )
    .waitFor()
  await page.getByRole('button', { name: 'Turn off automatic freeze' }).click()
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Off: unusual behaviour does not freeze this agent.').waitFor()
})
