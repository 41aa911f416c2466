// People at the dashboard: they enter by their set-up link, or with the cookie of their session.
import type { Page } from 'playwright-core'
import { PASSWORD, type Person } from '../../support/people.js'
import type { Service } from '../../support/process.js'

/** The link that the first start prints for the owner. */
export function ownerLink({ output }: Service): string {
  const [, link] = /owner set-up link (\S+)/.exec(output().stdout) ?? []
  if (link === undefined) throw new Error(`No set-up link in ${output().stdout}`)
  return link
}

/** Opens a set-up link and sets a password. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await setPassword(page)
}

/** On the page of a set-up link. */
export async function setPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
}

/** Opens the dashboard in the person's session. */
export async function openAs(page: Page, { cookie }: Person, url: string, place = ''): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url }])
  // If the dashboard is open already, only the hash would change, and the page would not read the session again.
  await page.goto('about:blank')
  await page.goto(`${url}/#/${place}`)
}
