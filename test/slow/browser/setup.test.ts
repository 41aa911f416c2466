// The first start, in a browser: from the link that the service prints to the owner's account.
import test from 'ava'
import { PASSWORD } from '../../support/people.js'
import { newFolder, startService, wholeFile, type Service } from '../../support/process.js'
import { browsing } from './browser.js'
import { ownerLink, setPassword } from './people.js'

const scope = wholeFile(test)
let service: Service
test.before('the service runs', async () => {
  service = await startService(scope, newFolder(scope))
})
const { browse } = browsing(test, () => service.url)

browse('the owner gives name and address, sets a password, is signed in, and signs in again', async (t, page) => {
  await page.goto(ownerLink(service))
  t.is(await page.getByLabel('Your e-mail address').inputValue(), 'owner@localhost')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Your e-mail address').fill('no address')
  await setPassword(page)
  await page.getByText('must be an e-mail address').waitFor()
  await page.getByLabel('Your e-mail address').fill('grace@example.com')
  await setPassword(page)
  await page.getByText('You are signed in as grace@example.com').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  t.false(page.url().includes('token'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is wrong').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Grace Hopper').first().waitFor()
})

browse('a used set-up link says how to get a new one, before anything is typed', async (t, page) => {
  await page.goto(ownerLink(service))
  await page.getByText('bursar owner-link').waitFor()
  t.is(await page.getByLabel('New password').count(), 0)
  t.true(page.url().endsWith('/#/setup'))
  await page.getByRole('link', { name: 'sign in' }).click()
  await page.getByLabel('E-mail address').waitFor()
})

browse('a used set-up link is not taken for the end of the session of whoever opens it', async (t, page) => {
  await page.goto(service.url)
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await page.goto(ownerLink(service))
  await page.getByText('bursar owner-link').waitFor()
  await page.getByRole('link', { name: 'sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  t.is(await page.getByText('Your session has expired').count(), 0)
})
