// Sessions in a browser: input survives the end of a session, what a page does by itself keeps no session alive, and a
// failed sign-out is reported.
import test from 'ava'
import type { Page, Route } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { PASSWORD, type Person } from '../../support/people.js'
import type { Policy } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

const DAILY = { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 100 }
const over = (page: Page) => page.getByRole('dialog', { name: 'Your session has expired' })

async function signInAgain(page: Page, { email }: Person): Promise<void> {
  await over(page).getByLabel('E-mail address').fill(email)
  await over(page).getByLabel('Password').fill(PASSWORD)
  await over(page).getByRole('button', { name: 'Sign in' }).click()
  await over(page).waitFor({ state: 'detached' })
}

/** Ends the session, and waits until the page has noticed it by itself. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.clock.runFor('00:11')
  await over(page).waitFor()
}

/** The editor of rules with 65 typed into it, after the session has ended. */
async function writingUnsigned(page: Page, person: Person): Promise<Policy> {
  const { policy } = await stage.governed([DAILY])
  await page.clock.install()
  await openAs(page, person, stage.url, `policies/${policy.id}/rules`)
  await page.getByLabel('Amount in USDC').fill('65')
  await endSession(page)
  return policy
}

browse('unsaved rules survive the end of the session', async (t, page) => {
  const person = await stage.person()
  const { id } = await writingUnsigned(page, person)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  t.is(await over(page).getByLabel('E-mail address').inputValue(), person.email)
  await over(page).getByLabel('Password').fill('not the password')
  await over(page).getByRole('button', { name: 'Sign in' }).click()
  await over(page).getByText('The e-mail address or the password is wrong').waitFor()
  await signInAgain(page, person)
  t.is(await page.getByLabel('Amount in USDC').inputValue(), '65')
  await page.getByText('nothing to compare').filter({ visible: true }).first().waitFor()
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByRole('link', { name: 'Edit rules' }).waitFor()
  await page.getByText('the agent spends at most 65.00 USDC a day').waitFor()
  t.like(await stage.must('GET', `/api/policies/${id}`), { version: 2, rules: [{ value: 65 }] })
})

browse('a dialog survives the end of the session, and is submitted after signing in again', async (t, page) => {
  const person = await stage.person()
  const { agentId } = await stage.agent({ name: 'Described later' })
  await page.clock.install()
  await openAs(page, person, stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Described later' })
  await dialog.getByLabel('Description').fill('Buys weather')
  await endSession(page)
  await signInAgain(page, person)
  t.is(await dialog.getByLabel('Description').inputValue(), 'Buys weather')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Buys weather').first().waitFor()
})

browse('a form that is submitted after the session has ended is kept, to be submitted again', async (t, page) => {
  const person = await stage.person()
  const { agentId } = await stage.agent({ name: 'Sent late' })
  let isSignedIn = true
  const refused = { status: 401, json: { error: 'Sign in', code: 'AUTH_FAILED' } }
  await page.route('**/api/session', (route) => {
    isSignedIn ||= route.request().method() === 'POST'
    return isSignedIn ? route.continue() : route.fulfill(refused)
  })
  await openAs(page, person, stage.url, `agents/${agentId}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sent late' })
  await dialog.getByLabel('Description').fill('Buys weather')
  const change = (route: Route): Promise<void> => {
    if (route.request().method() !== 'PATCH') return route.continue()
    isSignedIn = false
    return route.fulfill(refused)
  }
  await page.route(`**/api/agents/${agentId}`, change)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await over(page).waitFor()
  await page.unroute(`**/api/agents/${agentId}`)
  await signInAgain(page, person)
  await dialog.getByText('Your session had expired. Submit again.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.like(await stage.must('GET', `/api/agents/${agentId}`), { description: 'Buys weather' })
})

browse('unsaved input is discarded if another person signs in', async (t, page) => {
  await writingUnsigned(page, await stage.person())
  await signInAgain(page, await stage.person())
  t.is(await page.getByLabel('Amount in USDC').inputValue(), '100')
})

browse('a person can leave instead of signing in again', async (t, page) => {
  await writingUnsigned(page, await stage.person())
  await over(page).getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  t.is(await page.getByRole('navigation').count(), 0)
})

const QUIET_MS = 3_000

/** Waits until the page has sent no request for a while, because its frame reads one thing after the other. */
async function quiet(page: Page): Promise<void> {
  const request = (): Promise<unknown> => page.waitForEvent('request', { timeout: QUIET_MS })
  while (await request().catch(() => undefined));
}

browse('an idle page sends no more requests until somebody is back', async (t, page) => {
  const { requestId } = await stage.waiting(await stage.supervised())
  await page.clock.install()
  await openAs(page, await stage.person(), stage.url, `inspect/payment/${requestId}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await quiet(page)
  await page.clock.fastForward('31:00')
  await page.getByText('Updates are paused').waitFor()
  await page.getByText('Not live').waitFor()
  await quiet(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.runFor('02:00')
  t.deepEqual(asked, [])
  const again = page.waitForRequest('**/api/session')
  await page.mouse.move(200, 200)
  await again
  await page.getByText('Live', { exact: true }).waitFor()
  t.is(await page.getByText('Updates are paused').count(), 0)
})

browse('the stream of Inspect is opened again after it was refused', async (t, page) => {
  const { requestId } = await stage.waiting(await stage.supervised())
  await page.clock.install()
  let refused = 0
  await page.route('**/api/inspect/stream', (route) => {
    refused += 1
    return refused > 2 ? route.continue() : route.fulfill({ status: 503, json: { error: 'Busy', code: 'UNAVAILABLE' } })
  })
  const first = page.waitForResponse('**/api/inspect/stream')
  await openAs(page, await stage.person(), stage.url, `inspect/payment/${requestId}`)
  await first
  await page.getByText('Not live').waitFor()
  await page.clock.runFor('00:06')
  await page.clock.runFor('00:06')
  await page.getByText('Live', { exact: true }).waitFor()
  t.is(refused, 3)
})

browse('the stream of Inspect is opened again after signing in again', async (t, page) => {
  const person = await stage.person()
  const { requestId } = await stage.waiting(await stage.supervised())
  await page.clock.install()
  await openAs(page, person, stage.url, `inspect/payment/${requestId}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await endSession(page)
  await page.getByText('Not live').waitFor()
  await signInAgain(page, person)
  await page.getByText('Live', { exact: true }).waitFor()
  t.pass()
})

browse('a failed sign-out is reported, and the page stays', async (t, page) => {
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await openAs(page, await stage.person(), stage.url, 'agents')
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByText('Sign-out failed: the service could not be reached').waitFor()
  t.is(await page.getByRole('heading', { name: 'Agents', exact: true }).count(), 1)
  await page.unroute('**/api/session')
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
})
