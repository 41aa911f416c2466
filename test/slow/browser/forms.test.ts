// Submitting forms in a browser: what is sent twice for lack of an answer takes effect once, and concurrent changes by
// others are not undone and lose no input.
import test from 'ava'
import type { Page } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { newPerson } from '../../support/people.js'
import { wholeFile } from '../../support/process.js'
import type { Wallet } from '../../support/payments.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'
import type { DelegationList, KeyList, Organization, WholeAgent } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

/** Lets the service carry out the next request to this address, and loses the answer. */
async function loseAnswer(page: Page, address: string): Promise<void> {
  await page.route(
    address,
    async (route) => {
      const answer = await route.fetch()
      if (!answer.ok()) throw new Error(`${address} answered ${answer.status()} ${await answer.text()}`)
      await route.abort()
    },
    { times: 1 },
  )
}

const LOST = 'The service did not respond'

/** The form that funds a new wallet, with its first answer lost; returns a function that reads the balance. */
async function fundedUnheard(page: Page, name: string): Promise<() => Promise<number>> {
  const { id } = await stage.must<Wallet>('POST', '/api/wallets', { name, custodyType: 'MANAGED' })
  await openAs(page, await stage.person(), stage.url, 'wallets')
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button', { name: 'Fund' })
    .click()
  await page.getByLabel('Amount, USDC').fill('1000')
  await loseAnswer(page, `**/api/wallets/${id}/fund`)
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click()
  await page.getByText(LOST).waitFor()
  return async () => (await stage.must<Wallet>('GET', `/api/wallets/${id}`)).balance
}

browse('a form that is sent again for lack of an answer takes effect once', async (t, page) => {
  const balance = await fundedUnheard(page, 'Sent twice')
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click()
  await page.getByText('The wallet was funded').waitFor()
  t.is(await balance(), 1000)
})

browse('a form that is sent again with another value reports what came of the first', async (t, page) => {
  const balance = await fundedUnheard(page, 'Sent otherwise')
  await page.getByLabel('Amount, USDC').fill('300')
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click()
  await page.getByText('The previous request succeeded after all').waitFor()
  t.is(await balance(), 1000)
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click()
  await page.getByText('The wallet was funded').waitFor()
  t.is(await balance(), 1300)
})

browse('a dialog that is confirmed again for lack of an answer takes effect once', async (t, page) => {
  const { agentId } = await stage.agent({ name: 'Frozen once' })
  await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Freeze Frozen once?' })
  await dialog.getByLabel('Reason').fill('Looks odd')
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/freeze')) keys.push(request.headers()['idempotency-key'])
  })
  await loseAnswer(page, `**/api/agents/${agentId}/freeze`)
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await dialog.getByText(LOST).waitFor()
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByText(/no payment is executed after audit entry \d+/).waitFor()
  t.is(keys.length, 2)
  t.is(keys[0], keys[1])
})

browse('a key whose only answer was lost is reported as lost, and not created twice', async (t, page) => {
  const { agentId } = await stage.agent({ name: 'Forgetful' })
  const keysOf = async () => (await stage.must<KeyList>('GET', `/api/agents/${agentId}/sdk-keys`)).keys
  const before = (await keysOf()).length
  await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await loseAnswer(page, `**/api/agents/${agentId}/sdk-keys`)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText(LOST).waitFor()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('revoke it and create another').waitFor()
  t.is((await keysOf()).length, before + 1)
})

const organization = () => stage.must<Organization>('GET', '/api/organization')

browse('saving settings keeps those that others changed meanwhile', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'settings/general')
  await page.getByLabel('Time zone').fill('Asia/Tokyo')
  await stage.must('PATCH', '/api/organization', { name: 'Renamed meanwhile' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved').waitFor()
  t.like(await organization(), { name: 'Renamed meanwhile', timezone: 'Asia/Tokyo' })
  t.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Renamed meanwhile')
})

browse('a setting that somebody else changed is overwritten only after that was shown', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'settings/general')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await stage.must('PATCH', '/api/organization', { name: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else has set this to “Theirs” in the meantime').waitFor()
  t.is((await organization()).name, 'Theirs')
  t.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved').waitFor()
  t.is((await organization()).name, 'Mine')
})

browse(
  'an open question is withdrawn once others have answered it, and never turned into its opposite',
  async (t, page) => {
    const { agentId } = await stage.agent({ name: 'Frozen by two' })
    await page.clock.install()
    await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
    await page.getByRole('button', { name: 'Freeze', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Mine')
    await stage.must('POST', `/api/agents/${agentId}/freeze`, { reason: 'Theirs' })
    await page.clock.runFor('00:11')
    await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
    t.is(await dialog.count(), 0)
  },
)

browse('only an owner is offered the form for governance', async (t, page) => {
  await openAs(page, await stage.person('ADMIN'), stage.url, 'settings/governance')
  await page.getByText('Required approvals').waitFor()
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0)
})

browse('governance settings that two people change at the same time are merged', async (t, page) => {
  await stage.must('PATCH', '/api/organization', { governance: { actions: ['policy.update'] } })
  await openAs(page, await stage.person('OWNER'), stage.url, 'settings/governance')
  await page.getByLabel('Expires after, hours').fill('48')
  const chosen = page.getByRole('group', { name: 'Changes that require approval' }).getByRole('checkbox')
  await chosen.and(page.locator(':not(:checked)')).first().check()
  const others = ['policy.update', 'key.create'] as const
  await stage.must('PATCH', '/api/organization', { governance: { actions: others, requiredApprovals: 2 } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The governance settings were saved').waitFor()
  const { governance } = await organization()
  t.like(governance, { timeoutHours: 48, requiredApprovals: 2 })
  t.true(
    others.every((action) => governance.actions.includes(action)),
    governance.actions.join(),
  )
  t.is(governance.actions.length, 3)
  await stage.must('PATCH', '/api/organization', { governance: { requiredApprovals: 1 } })
})

browse('saving a delegation keeps terms that others changed, and shows conflicts first', async (t, page) => {
  const { agentId, walletId } = await stage.agent({ name: 'Delegated' })
  const path = `/api/agents/${agentId}/wallets/${walletId}`
  const terms = async () => {
    const { wallets } = await stage.must<DelegationList>('GET', `/api/agents/${agentId}/wallets`)
    return wallets[0]!
  }
  await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'Edit limits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Monthly').fill('7000')
  await stage.must('PATCH', path, { spendLimitDaily: 5 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.like(await terms(), { spendLimitDaily: 5, spendLimitMonthly: 7000 })
  // The bar of the new limit moves the button, and a press on a button that moves is lost.
  await page.getByText('left of 5.00').waitFor()
  await page.getByRole('button', { name: 'Edit limits' }).click()
  await dialog.getByLabel('Daily').fill('900')
  await stage.must('PATCH', path, { spendLimitDaily: 6 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone else has set this to “6” in the meantime').waitFor()
  t.is((await terms()).spendLimitDaily, 6)
  t.is(await dialog.getByLabel('Daily').inputValue(), '900')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.is((await terms()).spendLimitDaily, 900)
})

browse('edited rules that another version overtook are kept, and that version is shown', async (t, page) => {
  const daily = (value: number) => ({ ruleType: 'DAILY_LIMIT', operator: 'LTE', value })
  const { policy } = await stage.governed([daily(100)])
  const owner = await newPerson(stage.client, 'OWNER')
  await openAs(page, owner, stage.url, `policies/${policy.id}/rules`)
  await page.getByLabel('Amount in USDC').fill('50')
  await stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [daily(80)] })
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('Version 2 was saved by someone else in the meantime').waitFor()
  await page.getByText('the agent spends at most 80.00 USDC a day').waitFor()
  t.is(await page.getByLabel('Amount in USDC').inputValue(), '50')
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('the agent spends at most 50.00 USDC a day').waitFor()
  t.like(await stage.must('GET', `/api/policies/${policy.id}`), { version: 3, rules: [{ value: 50 }] })
})

browse('a first signing secret whose answer was lost is reported as lost', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('https://events.bursar.zz/take')
  await loseAnswer(page, '**/api/webhooks')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(LOST).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('rotate the secret under Webhooks').waitFor()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByText('rotate the secret under Webhooks').waitFor({ state: 'detached' })
  t.regex(await page.getByLabel('signing secret', { exact: true }).innerText(), /^whsec_/)
})

browse("a first signing secret lost with the answer to an agent's address is reported as lost", async (t, page) => {
  const { agentId } = await stage.agent({ name: 'Heard by nobody' })
  await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Webhook URL').fill('https://events.bursar.zz/take')
  // The form reads the agent before it changes it: only the change loses its answer.
  let isLost = false
  await page.route(`**/api/agents/${agentId}`, async (route) => {
    if (isLost || route.request().method() !== 'PATCH') return route.continue()
    isLost = true
    await route.fetch()
    return route.abort()
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(LOST).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('rotate the secret under Webhooks').waitFor()
  t.is(await page.getByLabel('signing secret', { exact: true }).count(), 0)
})

browse('rules that were saved without an answer are reported as saved', async (t, page) => {
  const { policy } = await stage.governed([{ ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 }])
  await openAs(page, await stage.person(), stage.url, `policies/${policy.id}/rules`)
  await page.getByLabel('Amount in USDC').fill('50')
  await loseAnswer(page, `**/api/policies/${policy.id}/rules`)
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText(LOST).waitFor()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('The rules were saved as a new version').waitFor()
  await page.getByText('the agent spends at most 50.00 USDC a day').waitFor()
  t.like(await stage.must('GET', `/api/policies/${policy.id}`), { version: 2 })
})

browse('the address for events stays as it is, hidden parts included, unless it is replaced', async (t, page) => {
  const { agentId } = await stage.agent({ name: 'Called back' })
  const url = 'https://events.bursar.zz/take?token=secret'
  await stage.must('PATCH', `/api/agents/${agentId}`, { callbackUrl: url })
  const read = () => stage.must<WholeAgent>('GET', `/api/agents/${agentId}`)
  await openAs(page, await stage.person(), stage.url, `agents/${agentId}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  t.is(await dialog.getByLabel('Webhook URL').inputValue(), '')
  await dialog.getByText('keep the current URL: https://events.bursar.zz/take?token=REDACTED').waitFor()
  await dialog.getByLabel('Description').fill('Hears of it')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.is((await read()).callbackUrl, 'https://events.bursar.zz/take?token=REDACTED')
  await page.getByText('Hears of it').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel("Send its events to the organization's endpoint only").check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.is((await read()).callbackUrl, null)
})

browse("a member's change by somebody else is seen, however many members there are", async (t, page) => {
  interface Invited {
    id: string
    name: string
  }
  const invite = (email: string) => stage.must<Invited>('POST', '/api/members', { email, name: email, role: 'VIEWER' })
  const { id } = await invite('first@example.com')
  await invite('second@example.com')
  await page.route(/\/api\/members\?.*limit=100/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  )
  await openAs(page, await stage.person('OWNER'), stage.url, 'settings/members')
  await page
    .getByRole('row', { name: /first@example/ })
    .getByRole('button', { name: 'Edit', exact: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  await stage.must('PATCH', `/api/members/${id}`, { name: 'Theirs' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone else has set this to “Theirs” in the meantime').waitFor()
  t.pass()
})
