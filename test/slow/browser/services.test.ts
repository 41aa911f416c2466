// Payments by x402 in a browser: the services that were paid, the list of payments by rail, and the steps of one.
import test from 'ava'
import type { Page } from 'playwright-core'
import type { FundedAgent } from '../../support/payments.js'
import { DAY_MS, HOUR_MS, NOON, startStage, type Stage } from '../../support/policies.js'
import { newPerson } from '../../support/people.js'
import { wholeFile } from '../../support/process.js'
import { authorize, offer, settle } from '../../support/x402.js'
import { browsing, PHONE, settled } from './browser.js'
import { openAs } from './people.js'

const ONE = '0x00000000000000000000000000000000000000A1'
const OTHER = '0x00000000000000000000000000000000000000b2'
const LONG_HOST = `${'very-long-name-of-a-service.'.repeat(4)}example`

const scope = wholeFile(test)
let stage: Stage
let buyer: FundedAgent
test.before('the service runs', async () => {
  stage = await startStage(scope)
  buyer = await stage.agent({ name: 'Buyer' })
})
const { browse } = browsing(test, () => stage.url)

async function open(page: Page, place: string): Promise<void> {
  await openAs(page, await newPerson(stage.client, 'VIEWER'), stage.url, place)
  await settled(page)
}

/** What was signed for, and its id. */
async function bought(url: string, amount: number, payTo = ONE): Promise<string> {
  const { body } = await authorize(stage.client, buyer.key, { accepts: [offer(amount, { payTo })], url })
  if (body.status !== 'EXECUTING') throw new Error(JSON.stringify(body))
  return body.requestId
}

async function paid(url: string, amount: number, payTo = ONE): Promise<string> {
  const requestId = await bought(url, amount, payTo)
  await settle(stage.client, buyer.key, { requestId })
  return requestId
}

const cardOf = (page: Page) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Payment by x402' }) })

const beyond = (page: Page, element: string) =>
  page.evaluate(`${element}.scrollWidth - ${element}.clientWidth`) as Promise<number>

/** The value beside each name. */
async function stepsOf(page: Page): Promise<{ [name: string]: string }> {
  const steps = cardOf(page)
  await steps.waitFor()
  const [names, values] = [await steps.locator('dt').allInnerTexts(), await steps.locator('dd').allInnerTexts()]
  return Object.fromEntries(names.map((name, at) => [name, values[at]!.trim()]))
}

browse('before the first payment, Services says what adds a service', async (t, page) => {
  await open(page, 'services')
  await page.getByText('No services yet').waitFor()
  t.is(await page.getByRole('table').count(), 0)
})

browse('a service shows its host, who is paid there, and the spend of each day', async (t, page) => {
  const url = 'https://api.weather.example/v1/forecast?token=1'
  stage.setClock(NOON - DAY_MS)
  await paid(url, 0.25)
  stage.setClock(NOON)
  await paid(url, 0.5)
  await paid(url, 1, OTHER)
  await open(page, 'services')
  const row = page.getByRole('row').filter({ hasText: 'api.weather.example' })
  t.regex(await row.innerText(), /\b3\b[^]*1\.75 USDC[^]*9 Jul 2031/)
  t.is(await row.locator('code').count(), 2)
  for (const recipient of [ONE, OTHER]) t.is(await row.getByTitle(recipient, { exact: true }).count(), 1)
  await row.getByRole('button', { name: 'Spend by day' }).click()
  const days = page.getByRole('dialog').getByRole('row')
  t.deepEqual((await days.allInnerTexts()).slice(1), ['9 Jul 2031\t1.50 USDC', '8 Jul 2031\t0.25 USDC'])
})

browse('Services leads to its payments, which the address filters by rail', async (t, page) => {
  await paid('https://api.weather.example/', 0.3)
  await stage.pay(buyer, 7)
  await open(page, 'services')
  await page.getByRole('link', { name: 'View payments' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: /api\.weather\.example[^]*by\s+x402/ })
    .first()
    .waitFor()
  t.regex(page.url(), /#\/payments\?rail=X402$/)
  t.is(await page.getByRole('combobox', { name: 'Rail', exact: true }).inputValue(), 'X402')
  t.is(await page.getByText('7.00 USDC').count(), 0)
  await page.getByRole('combobox', { name: 'Rail', exact: true }).selectOption('Transfer')
  await page.getByText('7.00 USDC').waitFor()
  t.is(await page.getByText(/by\sx402/).count(), 0)
})

browse('the page of a payment shows its steps, and follows them without a reload', async (t, page) => {
  const requestId = await bought('https://api.weather.example/v1/forecast?token=1', 0.5)
  await open(page, `payments/${requestId}`)
  const signed = await stepsOf(page)
  t.like(signed, { Resource: 'GET /v1/forecast', Recipient: '0x0000…00A1', Settled: 'not yet' })
  t.regex(signed['Service']!, /^api\.weather\.example\s+named by the agent$/)
  t.is(signed['Signature valid until'], '9 Jul 2031, 12:01')
  t.false('Delivered' in signed)
  await page.getByText('Signed: the server may be paid until the signature expires.').waitFor()
  await settle(stage.client, buyer.key, { requestId }, { httpStatus: 500 })
  await page.getByText('no: the server was paid and did not give the resource').waitFor()
  t.is((await stepsOf(page))['Settled'], '9 Jul 2031, 12:00')
  t.true((await page.locator('.facts').allInnerTexts()).some((text) => /Rail\s+x402/.test(text)))
  await cardOf(page).getByRole('link', { name: 'api.weather.example' }).click()
  await page.getByRole('heading', { name: 'Services' }).waitFor()
})

browse(
  'a signature that was not used is shown as expired, and what nobody complained of as delivered',
  async (t, page) => {
    const unused = await bought('https://api.weather.example/', 0.5)
    const used = await paid('https://api.weather.example/', 0.6)
    stage.setClock(NOON + HOUR_MS)
    await open(page, `payments/${unused}`)
    await page.getByRole('heading', { level: 1 }).getByText('Expired').waitFor()
    t.is((await stepsOf(page))['Settled'], 'no: the signature has expired')
    await page.goto(`${stage.url}/#/payments/${used}`)
    await page.getByText('nothing reported as missing').waitFor()
  },
)

browse(
  'services and payments by x402 fit a narrow screen, whatever the host is called',
  async (t, page) => {
    const requestId = await paid(`https://${LONG_HOST}/${'long-path'.repeat(30)}`, 0.4)
    await open(page, 'services')
    for (const place of ['services', 'payments?rail=X402', `payments/${requestId}`]) {
      await page.goto(`${stage.url}/#/${place}`)
      await page.getByText(LONG_HOST).first().waitFor()
      await settled(page)
      t.is(await beyond(page, 'document.documentElement'), 0, place)
    }
    await page.goto(`${stage.url}/#/services`)
    await page.getByRole('button', { name: `Spend by day ${LONG_HOST}` }).click()
    await page.getByRole('dialog').getByText('0.40 USDC').waitFor()
    t.is(await beyond(page, 'document.querySelector("dialog[open]")'), 0)
  },
  { viewport: { ...PHONE, width: 400 }, isMobile: true, hasTouch: true },
)
