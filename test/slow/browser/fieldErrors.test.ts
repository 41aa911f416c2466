// Errors of the service in the forms of the dashboard: each stands at its field, which gets the focus, and nowhere else.
import test, { type ExecutionContext } from 'ava'
import type { Locator } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('there are records whose names are taken', async () => {
  stage = await startApprovals(scope)
  await stage.agent({ name: 'Taken' })
  await stage.must('POST', '/api/members', { email: 'taken@example.com', role: 'VIEWER' })
  await stage.must('POST', '/api/counterparties', { name: 'Shop', address: SHOP })
})
const { browse } = browsing(test, () => stage.url)

const SHOP = `0x${'5'.repeat(40)}`
const MISSPELT = '0x52908400098527886E0F7030069857D2E4169Ee7'

interface Mistake {
  what: string
  place: string
  open: string
  /** What is entered, by the labels of the fields. */
  enter: { [label: string]: string }
  submit: string
  /** The field, and what stands there. */
  at: string
  says: RegExp
}

const MISTAKES: Mistake[] = [
  {
    what: 'the name of another agent',
    place: 'agents',
    open: 'New agent',
    enter: { Name: 'Taken' },
    submit: 'Create agent',
    at: 'Name',
    says: /An agent of this name exists already/,
  },
  {
    what: 'an address with a wrong checksum for a wallet',
    place: 'wallets',
    open: 'New wallet',
    enter: { Name: 'Treasury', Custody: 'EXTERNAL', Address: MISSPELT },
    submit: 'Create wallet',
    at: 'Address',
    says: /checksum/,
  },
  {
    what: 'the address of another counterparty',
    place: 'counterparties',
    open: 'New counterparty',
    enter: { Name: 'Another', Address: SHOP },
    submit: 'Add',
    at: 'Address',
    says: /This address is registered already/,
  },
  {
    what: 'the e-mail address of another member',
    place: 'settings/members',
    open: 'Invite',
    enter: { 'E-mail address': 'taken@example.com' },
    submit: 'Invite',
    at: 'E-mail address',
    says: /A member with this e-mail address exists already/,
  },
  {
    what: 'the second address of a channel, which is none',
    place: 'channels',
    open: 'New channel',
    enter: { Name: 'Finance', Recipients: 'cfo@example.com, cfo' },
    submit: 'Create channel',
    at: 'Recipients',
    says: /address/,
  },
  {
    what: 'an amount that is too large',
    place: 'settings/workflows',
    open: 'New workflow',
    enter: { Name: 'Large', 'Minimum amount, USDC': '1000000000000' },
    submit: 'Create workflow',
    at: 'Minimum amount, USDC',
    says: /at most|below|above/,
  },
]

async function enter(form: Locator, label: string, value: string): Promise<void> {
  const field = form.getByLabel(label)
  if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value)
  else await field.fill(value)
}

async function standsAt(t: ExecutionContext, form: Locator, at: string, says: RegExp): Promise<void> {
  const problem = form.locator('.problem:visible')
  await problem.waitFor()
  t.regex(await problem.innerText(), says)
  const field = form.getByLabel(at)
  t.is(await field.getAttribute('aria-invalid'), 'true')
  const about = (await field.getAttribute('aria-describedby'))!
  t.regex(await form.locator(`[id="${about}"]`).innerText(), says)
  t.true(await field.evaluate((element) => element === document.activeElement))
  t.is(await form.getByRole('alert').innerText(), '')
}

for (const { what, place, open, enter: entered, submit, at, says } of MISTAKES) {
  browse(`${what}: the error stands at its field`, async (t, page) => {
    await openAs(page, await stage.person('OWNER'), stage.url, place)
    await page.getByRole('button', { name: open, exact: true }).click()
    const form = page.getByRole('dialog')
    for (const [label, value] of Object.entries(entered)) await enter(form, label, value)
    await form.getByRole('button', { name: submit, exact: true }).click()
    await standsAt(t, form, at, says)
  })
}

browse('a channel without an event: the error stands at the events', async (t, page) => {
  await openAs(page, await stage.person('OWNER'), stage.url, 'channels')
  await page.getByRole('button', { name: 'New channel' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Finance')
  await form.getByLabel('Recipients').fill('cfo@example.com')
  const events = form.getByRole('group', { name: 'Events' })
  for (const event of await events.getByRole('checkbox').all()) await event.uncheck()
  await form.getByRole('button', { name: 'Create channel' }).click()
  const problem = events.locator('.problem')
  await problem.waitFor()
  t.true(await problem.evaluate((element) => element === document.activeElement))
  t.is(await form.locator('.problem:visible').count(), 1)
})
