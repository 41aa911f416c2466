// The figures of the overview in a browser: they are those of GET /api/stats, for the period in the address; the chart
// has its values by keyboard; and it fits every screen.
import test from 'ava'
import type { Page } from 'playwright-core'
import type { Stats } from '../../../sdk/api.js'
import { dayNameAt } from '../../../src/domain/time/windows.js'
import { newPerson, type Person } from '../../support/people.js'
import { DAY_MS, startStage, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { browsing, mountAll, settled } from './browser.js'
import { openAs } from './people.js'

const DAYS = 16
/** Its days begin elsewhere than those of the browser. */
const ZONE = 'Pacific/Auckland'
const SHOP = `0x${'5'.repeat(40)}`

const scope = wholeFile(test)
let stage: Stage
let person: Person
test.before('agents have paid for some days', async () => {
  const now = Date.now()
  stage = await startStage(scope, now - DAYS * DAY_MS)
  await stage.must('PATCH', '/api/organization', { timezone: ZONE })
  const rule = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 100 }
  const { id: policyId } = await stage.policy([rule], { name: 'Nothing above a hundred' })
  const agents = [await stage.agent({ name: 'Buyer' }), await stage.agent({ name: 'Crawler' })]
  for (const agent of agents) await stage.assign(policyId, agent)
  for (let day = DAYS; day >= 0; day -= 1) {
    stage.setClock(now - day * DAY_MS)
    await stage.pay(agents[0]!, 20 + day / 8, { recipientAddress: SHOP, recipientName: 'Shop', category: 'DATA' })
    await stage.pay(agents[1]!, 3.000001)
    if (day % 3 === 0) await stage.ask(agents[1]!, 500 + day)
  }
  person = await newPerson(stage.client, 'VIEWER')
})
const { browse } = browsing(test, () => stage.url)

const day = (ago: number): string => dayNameAt(Date.now() - ago * DAY_MS, ZONE)
const stats = (query: string): Promise<Stats> => stage.must('GET', `/api/stats?${query}`)

/** What the page says of a figure, in lines. */
async function figure(page: Page, name: string): Promise<string> {
  return page.getByRole('link', { name: new RegExp(`^${name}`) }).innerText()
}

const shownAmount = (amount: number): string =>
  amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

const PERIODS = [
  { place: '?period=1', from: 0, to: 0 },
  { place: '?period=7', from: 6, to: 0 },
  { place: '', from: 29, to: 0 },
  { place: '?period=90', from: 89, to: 0 },
  { place: () => `?period=custom&from=${day(9)}&to=${day(4)}`, from: 9, to: 4 },
] as const

browse('the figures of each period are those of the statistics', async (t, page) => {
  for (const { place, from, to } of PERIODS) {
    const where = typeof place === 'string' ? place : place()
    await openAs(page, person, stage.url, where)
    await page.getByRole('heading', { name: 'Where it went' }).waitFor()
    await settled(page)
    const { totals, rows } = await stats(`from=${day(from)}&to=${day(to)}&by=agent`)
    t.true((await figure(page, 'Spent')).includes(shownAmount(totals.executed.amount)), where)
    t.true((await figure(page, 'Spent')).includes(`${totals.executed.count} payments`), where)
    t.true((await figure(page, 'Requested')).includes(`\n${totals.requested.count}\n`), where)
    t.true((await figure(page, 'Denied')).includes(`\n${totals.denied.count}\n`), where)
    const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'By agent' }) })
    for (const { name, executed } of rows) {
      const line = card.getByRole('listitem').filter({ hasText: name! })
      t.true((await line.innerText()).includes(shownAmount(executed.amount)), `${where} ${name}`)
    }
  }
})

browse('a period is compared with as many days before it', async (t, page) => {
  await openAs(page, person, stage.url, `?period=custom&from=${day(6)}&to=${day(3)}`)
  await page.getByRole('heading', { name: 'Where it went' }).waitFor()
  const now = await stats(`from=${day(6)}&to=${day(3)}`)
  const before = await stats(`from=${day(10)}&to=${day(7)}`)
  const percent = Math.round((now.totals.executed.amount / before.totals.executed.amount - 1) * 100)
  t.true(percent < 0)
  t.regex(await figure(page, 'Spent'), new RegExp(`−${-percent} % on the 4 days before$`))
  await openAs(page, person, stage.url, '?period=90')
  await page.getByText('none in the 90 days before').first().waitFor()
})

browse('the period is chosen, and stays in the address', async (t, page) => {
  await openAs(page, person, stage.url)
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '7 days' }).click()
  await page.getByText('on the 7 days before').first().waitFor()
  t.true(page.url().endsWith('#/?period=7'))
  await page.getByRole('link', { name: 'Custom' }).click()
  await page.getByLabel('From').fill(day(2))
  await page.getByLabel('From').blur()
  await page.getByText('on the 3 days before').first().waitFor()
  await page.reload()
  await page.getByText('on the 3 days before').first().waitFor()
  t.is(await page.getByLabel('From').inputValue(), day(2))
  await page.getByLabel('To').fill(day(5))
  await page.getByText('The last day is before the first').waitFor()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByText('on the day before').first().waitFor()
  t.is(await page.getByRole('slider').count(), 0)
})

browse('the arrow keys lead through the days of the chart, with their values', async (t, page) => {
  await openAs(page, person, stage.url, '?period=7')
  const chart = page.getByRole('slider', { name: 'Spent by day' })
  await page.locator('.plot path').first().waitFor()
  const { rows } = await stats(`from=${day(6)}&to=${day(0)}&by=day`)
  const text = (index: number): RegExp => new RegExp(`USDC ${shownAmount(rows[index]!.executed.amount)}$`)
  await chart.focus()
  await chart.press('Home')
  t.regex((await chart.getAttribute('aria-valuetext'))!, text(0))
  await chart.press('ArrowRight')
  t.regex((await chart.getAttribute('aria-valuetext'))!, text(1))
  const legend = page.locator('.legend').first()
  t.true((await legend.innerText()).includes(shownAmount(rows[1]!.executed.amount)))
  await chart.press('End')
  await chart.press('ArrowLeft')
  t.regex((await chart.getAttribute('aria-valuetext'))!, text(5))
  await chart.press('Escape')
  t.true((await legend.innerText()).includes('Point at a day'))
  const box = (await chart.boundingBox())!
  await page.mouse.move(box.x + box.width - 50, box.y + 60)
  await legend.getByText(shownAmount(rows[6]!.executed.amount)).waitFor()
})

browse('a chart has its values as a table, which is filled when it is opened', async (t, page) => {
  await openAs(page, person, stage.url, '?period=7')
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Decisions by day' }) })
  await card.locator('.plot svg').waitFor()
  t.is(await card.locator('table').count(), 0)
  await card.getByText('Show as table').click()
  await card.getByRole('row').first().waitFor()
  t.is(await card.getByRole('row').count(), 8)
})

browse('what was denied is shown with its reason, and who named a recipient', async (t, page) => {
  await openAs(page, person, stage.url)
  await page.getByRole('heading', { name: 'Where it went' }).waitFor()
  await mountAll(page)
  const denied = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Denied, and why' }) })
  await denied.getByRole('link', { name: /^500\.00 USDC to / }).waitFor()
  t.regex(await denied.getByRole('listitem').first().innerText(), /100/)
  await page.getByTitle('Name given by an agent, not verified').getByText('Shop').waitFor()
  await page.getByRole('link', { name: 'Nothing above a hundred' }).waitFor()
  await page.getByRole('link', { name: 'Buyer' }).first().click()
  await page.getByRole('heading', { name: 'Payments' }).waitFor()
  t.regex(page.url(), /agent=[^&]+&status=EXECUTED&from=[\d-]+&until=[\d-]+$/)
})

browse('the lists of agents and policies have sums', async (t, page) => {
  await openAs(page, person, stage.url, 'agents')
  const today = await stats(`from=${day(0)}&to=${day(0)}&by=agent`)
  const buyer = page.getByRole('row').filter({ hasText: 'Buyer' })
  const spent = today.rows.find(({ name }) => name === 'Buyer')!.executed.amount
  await buyer.getByRole('cell', { name: shownAmount(spent), exact: true }).waitFor()
  await buyer.getByRole('cell', { name: 'no daily limit' }).waitFor()
  await openAs(page, person, stage.url, 'policies')
  const [policy] = (await stats('by=policy')).rows
  const { requested, denied } = policy!
  await page.getByRole('cell', { name: `${requested.count} ${denied.count} denied`, exact: true }).waitFor()
  t.pass()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1440]) {
    browse(
      `nothing goes beyond a screen of ${width} pixels, ${colorScheme}`,
      async (t, page) => {
        for (const place of ['', '?period=1', '?period=custom', 'agents', 'policies']) {
          await openAs(page, person, stage.url, place)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await settled(page)
          const beyond = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          t.is(beyond, 0, place)
        }
      },
      { colorScheme, viewport: { width, height: 800 } },
    )
  }
}
