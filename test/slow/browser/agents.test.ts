// The first agent, in a browser: from an empty organization through the five steps to a payment that its key makes.
import { spawnSync } from 'node:child_process'
import test from 'ava'
import { newFolder, startService, wholeFile, type Service } from '../../support/process.js'
import { browsing } from './browser.js'
import { ownerLink, setUp } from './people.js'

const scope = wholeFile(test)
let service: Service
test.before('the service runs', async () => {
  service = await startService(scope, newFolder(scope))
})
const { browse } = browsing(test, () => service.url)

browse('the owner is guided to a first agent, whose payment shows once the command was run', async (t, page) => {
  await setUp(page, ownerLink(service))
  await page.getByRole('heading', { name: 'Set up an agent' }).waitFor()
  await page.getByLabel('Name').fill('Procurement')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Simulated balance').fill('250')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Per payment').fill('20')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Create key' }).click()
  t.regex(await page.getByLabel('key', { exact: true }).innerText(), /^service_agent_/)
  await page.getByRole('button', { name: 'Done' }).click()
  const line = await page.getByLabel('command', { exact: true }).innerText()
  await page.getByText('Waiting for the first payment request').waitFor()
  const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  t.is((JSON.parse(stdout) as { status: string }).status, 'EXECUTED')
  await page.getByRole('link', { name: 'View decision' }).click()
  await page.getByRole('heading', { name: /^1\.50 USDC to/ }).waitFor()
  await page.getByText('First payment', { exact: true }).waitFor()
  await page.goto(`${service.url}/#/agents`)
  await page.getByRole('link', { name: 'Procurement' }).click()
  await page.getByText('998.50 left of 1,000.00').waitFor()
})

browse('a test payment explains itself, and freezing an agent asks for confirmation and a reason', async (t, page) => {
  await page.goto(service.url)
  await page.getByLabel('E-mail address').fill('owner@localhost')
  await page.getByLabel('Password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.goto(`${service.url}/#/agents`)
  await page.getByRole('link', { name: 'Procurement' }).click()
  await page.getByRole('button', { name: 'Test payment', exact: true }).click()
  const trying = page.getByRole('dialog', { name: 'Test payment by Procurement' })
  await trying.getByLabel('Amount in USDC').fill('21')
  await trying.getByRole('button', { name: 'Try' }).click()
  await trying.getByText('It would be denied').waitFor()
  await trying.getByText('21 is above the limit of 20 per payment').waitFor()
  await trying.getByText('To whom the agent has paid last').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Freeze Procurement?' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await dialog.getByLabel('Reason').fill('It buys too much')
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByText('Suspended').first().waitFor()
  await page.getByText(/no payment is executed after audit entry \d+/).waitFor()
  t.pass()
})
