// Signing in, in a browser: the page that was requested, the keyboard, unknown addresses and the theme.
import test from 'ava'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { PASSWORD } from '../../support/people.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})
const { browse } = browsing(test, () => stage.url)

browse('a link to an approval request asks to sign in, and then shows the request', async (t, page) => {
  const { approvalRequestId } = await stage.waiting(await stage.supervised())
  const person = await stage.person()
  await page.goto(`${stage.url}/approvals/${approvalRequestId}`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Approve this payment?' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Approve this payment?' }).waitFor()
  t.true(page.url().endsWith(`/#/approvals/${approvalRequestId}`))
})

browse('signing in never redirects to another site', async (t, page) => {
  const person = await stage.person()
  await openAs(page, person, stage.url)
  await page.goto(`${stage.url}/signin?next=https://elsewhere.example/`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  t.true(page.url().startsWith(stage.url))
})

browse('Tab reaches the skip link first, and the focus follows to a new page', async (t, page) => {
  await openAs(page, await stage.person(), stage.url)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Tab')
  t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.keyboard.press('Enter')
  t.is(await page.evaluate('document.activeElement.id'), 'main')
  await page.getByRole('link', { name: 'Approvals' }).first().click()
  await page.getByRole('heading', { name: 'Approvals' }).waitFor()
  t.is(await page.evaluate('document.activeElement.tagName'), 'H1')
  t.is(await page.title(), 'Approvals – Bursar')
})

browse('an unknown address shows that there is no such page', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'nowhere/at/all')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: 'Back to overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  t.pass()
})

browse('the theme follows the system until one is chosen, and the choice is kept', async (t, page) => {
  await openAs(page, await stage.person(), stage.url)
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Theme: system' }).first().waitFor()
  const dark = await ground()
  await page.getByRole('button', { name: 'Theme: system' }).first().click()
  await page.getByRole('button', { name: 'Theme: light' }).first().waitFor()
  const light = await ground()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Theme: light' }).first().click()
  await page.getByRole('button', { name: 'Theme: dark' }).first().waitFor()
  t.deepEqual([dark, light, await ground()], ['rgb(14, 17, 23)', 'rgb(247, 248, 250)', 'rgb(14, 17, 23)'])
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).first().waitFor()
  t.is(await ground(), dark)
})
