// Sorting the list of agents in a browser: by each column, also by keyboard, kept in the address, and always all of them
// or none.
import test from 'ava'
import type { Page } from 'playwright-core'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { browsing, PHONE, settled, widthBeyond } from './browser.js'
import { openAs } from './people.js'

/** More than are read at once. */
const OTHERS = 120
/** As the service orders them, the newest first. */
const PAYING = ['Beta', 'agent 10', 'Agent 9']

const scope = wholeFile(test)
let stage: Stage
let person: Person
test.before('some of many agents have paid', async () => {
  const now = Date.now()
  stage = await startStage(scope, now - 60_000)
  const nine = await stage.agent({ name: 'Agent 9', terms: { spendLimitDaily: 100 } })
  const ten = await stage.agent({ name: 'agent 10', terms: { spendLimitDaily: 30 } })
  const beta = await stage.agent({ name: 'Beta', terms: { spendLimitDaily: 500 } })
  await stage.pay(ten, 9)
  stage.setClock(now - 40_000)
  await stage.pay(beta, 80)
  stage.setClock(now - 20_000)
  await stage.pay(nine, 11)
  for (let at = 0; at < OTHERS; at += 1)
    await stage.must('POST', '/api/agents', { name: `X ${at}`, agentType: 'CUSTOM' })
  person = await newPerson(stage.client, 'VIEWER')
})
const { browse } = browsing(test, () => stage.url)

/** The names of the first three rows, and how many there are. */
async function listed(page: Page): Promise<{ first: string[]; count: number }> {
  await page.getByRole('row').nth(1).waitFor()
  await settled(page)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const texts = await rows.locator('td:first-child a').allInnerTexts()
  return { first: texts.slice(0, 3), count: texts.length }
}

for (const [sort, first] of [
  ['name', ['Agent 9', 'agent 10', 'Beta']],
  ['-name', ['X 119', 'X 118', 'X 117']],
  ['-spent', ['Beta', 'Agent 9', 'agent 10']],
  ['left', ['agent 10', 'Agent 9', 'Beta']],
  ['-left', ['Beta', 'Agent 9', 'agent 10']],
  ['-last', ['Agent 9', 'Beta', 'agent 10']],
  ['last', ['agent 10', 'Beta', 'Agent 9']],
] as const) {
  browse(`all agents are sorted by ${sort}, which the address keeps`, async (t, page) => {
    await openAs(page, person, stage.url, `agents?sort=${sort}`)
    await page.locator('th[aria-sort]').waitFor()
    t.deepEqual(await listed(page), { first, count: OTHERS + PAYING.length })
    const order = sort.startsWith('-') ? 'descending' : 'ascending'
    t.is(await page.locator('th[aria-sort]').getAttribute('aria-sort'), order)
  })
}

browse('the head of a column sorts by keyboard, and again for the other direction', async (t, page) => {
  await openAs(page, person, stage.url, 'agents')
  t.is(await page.locator('th[aria-sort]').count(), 0)
  const { count } = await listed(page)
  t.is(count, 50)
  await page.getByRole('button', { name: 'Spent today' }).focus()
  await page.keyboard.press('Enter')
  const head = page.getByRole('columnheader', { name: 'Spent today' })
  await page.locator('th[aria-sort="descending"]').waitFor()
  t.is(await head.getAttribute('aria-sort'), 'descending')
  t.true(page.url().endsWith('#/agents?sort=-spent'))
  // The table was away while the rest of the list was read.
  await head.locator('button:focus').waitFor()
  await page.keyboard.press('Space')
  await page.locator('th[aria-sort="ascending"]').waitFor()
  t.true(page.url().endsWith('#/agents?sort=spent'))
  await page.getByLabel('Search').fill('agent')
  await page.waitForURL(/sort=spent&search=agent$/)
  await page.getByText('2 of 2').waitFor()
  t.deepEqual((await listed(page)).first, ['agent 10', 'Agent 9'])
  await page.getByLabel('Sort').selectOption('Newest first')
  await page.waitForURL(/search=agent$/)
  t.is(await page.locator('th[aria-sort]').count(), 0)
})

browse('on a phone the order is chosen beside the filters', async (t, page) => {
  await page.setViewportSize(PHONE)
  await openAs(page, person, stage.url, 'agents')
  await page.getByLabel('Sort').selectOption('Spent today, most first')
  await page.waitForURL(/sort=-spent$/)
  t.deepEqual((await listed(page)).first, ['Beta', 'Agent 9', 'agent 10'])
  t.is(await widthBeyond(page), 0)
})

browse('more agents than are sorted stay in their order, and the page says so', async (t, page) => {
  await page.route(/\/api\/agents\?/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as object
    await route.fulfill({ response, json: { ...body, total: 1001 } })
  })
  await openAs(page, person, stage.url, 'agents?sort=name')
  await page.getByText('Not sorted: the newest of 1,001 agents come first.').waitFor()
  t.is(await page.locator('th[aria-sort]').count(), 0)
  t.deepEqual((await listed(page)).first, ['X 119', 'X 118', 'X 117'])
})

browse('agents are not sorted by figures that cannot be read', async (t, page) => {
  await page.route(/\/api\/stats/, (route) =>
    route.fulfill({ status: 400, json: { error: 'No', code: 'INVALID_INPUT' } }),
  )
  await openAs(page, person, stage.url, 'agents?sort=-spent')
  await page.getByText('The figures to sort by cannot be read').waitFor()
  t.is(await page.locator('th[aria-sort]').count(), 0)
})
