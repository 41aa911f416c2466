// The command palette in a browser: opened by its keys and by the button, led by the keyboard, with few requests, and
// on a phone.
import test from 'ava'
import type { Page } from 'playwright-core'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { browsing, settled } from './browser.js'
import { openAs } from './people.js'

const LONG = `Zeppelin ${'with a very long name '.repeat(5)}`.slice(0, 100).trim()
const RIGHT_TO_LEFT = 'زبلن للتجارة Zeppelin'
const scope = wholeFile(test)
let stage: Stage
let person: Person
let walletId: string
test.before('everything is named alike', async () => {
  stage = await startStage(scope, Date.now())
  const agent = await stage.agent({ name: 'Zeppelin agent' })
  walletId = (await stage.must<{ id: string }>('POST', '/api/wallets', { name: LONG, custodyType: 'MANAGED' })).id
  await stage.policy([], { name: 'Zeppelin policy' })
  const address = `0x${'7'.repeat(40)}`
  await stage.must('POST', '/api/counterparties', { name: RIGHT_TO_LEFT, address })
  await stage.pay(agent, 20, { recipientAddress: address, recipientName: 'Zeppelin', purpose: 'Helium' })
  person = await newPerson(stage.client, 'VIEWER')
})
const { browse } = browsing(test, () => stage.url)

const field = (page: Page) => page.getByRole('combobox', { name: 'Search pages' })
const options = (page: Page) => page.getByRole('option')
const chosen = (page: Page) => page.getByRole('option', { selected: true })
const RECORDS = /\/api\/(agents|wallets|policies|counterparties|payments)\?/

browse('every kind of record is found by name and opened by keyboard, with one request a kind', async (t, page) => {
  await openAs(page, person, stage.url)
  await settled(page)
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    const [, noun] = RECORDS.exec(request.url()) ?? []
    if (noun !== undefined && request.url().includes('search=')) asked.push(noun)
  })
  await field(page).pressSequentially('zeppelin', { delay: 20 })
  await page.getByText(/^\d results$/).waitFor()
  t.deepEqual(asked.sort(), ['agents', 'counterparties', 'payments', 'policies', 'wallets'])
  const texts = await options(page).allInnerTexts()
  for (const kind of [
    'Agent, active',
    'Wallet, active',
    'Policy, active',
    'Counterparty, unknown',
    'Payment, executed',
  ])
    t.true(
      texts.some((text) => text.includes(kind)),
      kind,
    )
  t.true(texts[0]!.startsWith('Zeppelin agent'))
  t.regex(await chosen(page).innerText(), /^Zeppelin agent/)
  await page.keyboard.press('ArrowUp')
  const last = await chosen(page).getAttribute('id')
  t.is(await field(page).getAttribute('aria-activedescendant'), last)
  const steps = texts.findIndex((text) => text.startsWith(LONG.slice(0, 40)))
  for (let step = -1; step < steps; step += 1) await page.keyboard.press('ArrowDown')
  t.true((await chosen(page).innerText()).startsWith(LONG.slice(0, 40)))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: LONG }).waitFor()
  t.true(page.url().endsWith(`wallets/${walletId}`))
  await field(page).waitFor({ state: 'detached' })
})

browse('pages are found at once, nothing is said to be missing, and Escape gives the focus back', async (t, page) => {
  await openAs(page, person, stage.url, 'agents')
  await settled(page)
  const button = page.getByRole('button', { name: 'Search' })
  await button.click()
  await field(page).fill('counterp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Counterparties' }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).fill('nothing is called this')
  await page.getByText('No results').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'detached' })
  await button.click()
  await field(page).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).waitFor({ state: 'detached' })
  t.is(await page.evaluate(() => document.activeElement?.className), 'search-button')
})

browse('a counterparty that only an agent named is in quotation marks', async (t, page) => {
  const agent = await stage.agent({ name: 'Namer' })
  const upserted = { name: 'Customs office', address: `0x${'8'.repeat(40)}` }
  await stage.client.post('/api/sdk/counterparties', agent.key, upserted)
  await openAs(page, person, stage.url)
  await settled(page)
  await page.keyboard.press('Control+k')
  await field(page).fill('customs')
  const option = options(page).filter({ hasText: 'name given by an agent, not verified' })
  t.regex(await option.innerText(), /^“Customs office”/)
})

browse('a kind that cannot be searched is named, one that is forbidden is left out', async (t, page) => {
  await openAs(page, person, stage.url)
  await settled(page)
  await page.route(/\/api\/wallets\?/, (route) => route.fulfill({ status: 400, json: { error: 'no', code: 'X' } }))
  await page.route(/\/api\/policies\?/, (route) =>
    route.fulfill({ status: 403, json: { error: 'no', code: 'INSUFFICIENT_SCOPE' } }),
  )
  await page.keyboard.press('Control+k')
  await field(page).fill('zeppelin')
  await page.getByText(/^Could not search wallets. \d results$/).waitFor()
  t.pass()
})

browse(
  'on a phone it fits, with long names and names from right to left',
  async (t, page) => {
    await openAs(page, person, stage.url)
    await settled(page)
    await page.getByRole('button', { name: 'Search' }).click()
    await field(page).fill('zeppelin')
    await page.getByText(/^\d results$/).waitFor()
    for (const option of await options(page).all()) {
      const { x, width } = (await option.boundingBox())!
      t.true(x >= 0 && x + width <= 360)
    }
    await options(page).filter({ hasText: RIGHT_TO_LEFT }).click()
    await page.getByRole('heading', { name: RIGHT_TO_LEFT }).waitFor()
    t.true(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
  },
  { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
)
