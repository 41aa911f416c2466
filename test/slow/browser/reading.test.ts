// How pages read data, in a browser: slow answers are awaited, late ones are not shown under a newer filter, and days
// and sums are exact.
import test from 'ava'
import type { Page, Request, Route } from 'playwright-core'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { wholeFile } from '../../support/process.js'
import type { FundedAgent } from '../../support/payments.js'
import { browsing, PHONE } from './browser.js'
import { openAs } from './people.js'

/** More than a list shows at first. */
const PAYMENTS = 55

const scope = wholeFile(test)
let stage: ApprovalStage
let agent: FundedAgent
let paid: string[]
test.before('the service runs, and has many payments', async () => {
  stage = await startApprovals(scope)
  agent = await stage.agent({ name: 'Exact' })
  const decided = await Promise.all(Array.from({ length: PAYMENTS }, () => stage.pay(agent, 1.005)))
  paid = decided.map(({ requestId }) => requestId)
})
const { browse } = browsing(test, () => stage.url)

const open = async (page: Page, place: string): Promise<void> =>
  openAs(page, await stage.person('VIEWER'), stage.url, place)

interface Held {
  request: Promise<Request>
  release(): void
}

/** Holds back the next answer from this address. */
async function holdAnswer(page: Page, address: RegExp): Promise<Held> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let isAsked: (request: Request) => void = () => {}
  const request = new Promise<Request>((resolve) => (isAsked = resolve))
  const answer = async (route: Route): Promise<void> => {
    isAsked(route.request())
    await released
    await route.fulfill({ response: await route.fetch() })
  }
  await page.route(address, answer, { times: 1 })
  return { request, release }
}

/** Waits until the page has its answer, or has cancelled the request. */
async function isOver(page: Page, request: Request): Promise<void> {
  const predicate = (one: Request): boolean => one === request
  const [finished, failed] = ['requestfinished', 'requestfailed'] as const
  await Promise.race([page.waitForEvent(finished, { predicate }), page.waitForEvent(failed, { predicate })])
}

/** Of the list. What needs attention is read under a status. */
const FIRST_PAGE = /\/api\/payments$/
const NEXT_PAGE = /\/api\/audit-logs\?.*cursor=/

browse('a read that takes longer than the polling interval is awaited', async (t, page) => {
  await page.clock.install()
  await open(page, 'payments')
  await page.getByRole('table').waitFor()
  const { request, release } = await holdAnswer(page, FIRST_PAGE)
  await page.clock.runFor('00:05')
  const over = isOver(page, await request)
  let asked = 0
  page.on('request', (request) => (asked += FIRST_PAGE.test(request.url()) ? 1 : 0))
  await page.clock.runFor('00:20')
  t.is(asked, 0)
  release()
  await over
  const next = page.waitForRequest(FIRST_PAGE)
  await page.clock.runFor('00:05')
  await next
})

browse('a next page that arrives late is not shown under another filter', async (t, page) => {
  await open(page, 'audit')
  const { request, release } = await holdAnswer(page, NEXT_PAGE)
  await page.getByRole('button', { name: 'Show more' }).click()
  const over = isOver(page, await request)
  await page.getByLabel('Resource type').selectOption('Wallet')
  await page.getByText('Payment request').first().waitFor({ state: 'detached' })
  const shown = page.locator('.entries > li')
  await shown.first().waitFor()
  const before = await shown.count()
  release()
  await over
  await page
    .getByText(`${before} shown`)
    .or(page.getByText(`${before} of ${before}`))
    .waitFor()
  t.is(await page.getByText('Payment request').count(), 0)
  t.is(await shown.count(), before)
})

browse('a poll of the first page while the next one is read leaves no gap', async (t, page) => {
  await page.clock.install()
  await open(page, 'payments')
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  const { request, release } = await holdAnswer(page, FIRST_PAGE)
  await page.clock.runFor('00:05')
  const over = isOver(page, await request)
  await stage.pay(await stage.agent({ name: 'Newest' }), 2)
  await page.getByRole('button', { name: 'Show more' }).click()
  const links = page.locator('a.row-link')
  await links.nth(PAYMENTS - 1).waitFor()
  release()
  await over
  const places = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  t.deepEqual(
    paid.filter((id) => !places.includes(`#/payments/${id}`)),
    [],
  )
})

browse('a freeze by somebody else shows on an open page, and so does its end', async (t, page) => {
  await page.clock.install()
  await open(page, 'agents')
  await page.getByRole('table').waitFor()
  await stage.must('POST', '/api/organization/freeze', { reason: 'A drill' })
  await page.clock.runFor('00:11')
  await page.getByText('No payment is executed until it is unfrozen').waitFor()
  await stage.must('POST', '/api/organization/unfreeze')
  await page.clock.runFor('00:11')
  await page.getByText('No payment is executed until it is unfrozen').waitFor({ state: 'detached' })
  t.pass()
})

const DAYS = [
  { day: '2026-03-29', from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' },
  { day: '2026-10-25', from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' },
]
for (const { day, from, to } of DAYS) {
  browse(
    `a day in a filter is the whole local day: ${day} in Berlin`,
    async (t, page) => {
      for (const [place, address] of [
        // The payments that need attention are read, too.
        ['payments', /\/api\/payments\?.*from=/],
        ['audit', /\/api\/audit-logs\?/],
      ] as const) {
        const asked = page.waitForRequest(address)
        await open(page, `${place}?from=${day}&until=${day}`)
        const query = new URL((await asked).url()).searchParams
        t.deepEqual([query.get('from'), query.get('to')], [from, to], place)
      }
    },
    { timezoneId: 'Europe/Berlin' },
  )
}

browse('an audit action is found by its label and by its name', async (t, page) => {
  await stage.person()
  for (const written of ['Member set up', 'member.set_up']) {
    await open(page, 'audit')
    await page.getByLabel('Action').fill(written)
    await page.getByText('Payment request').first().waitFor({ state: 'detached' })
    await page.getByText('Member set up').first().waitFor()
  }
  t.pass()
})

browse('what an agent spent is shown exactly, to the last digit', async (t, page) => {
  // The figures are those of the last thirty days.
  await page.clock.install({ time: stage.now() })
  await open(page, '')
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'By agent' }) })
  const share = card.getByRole('listitem').filter({ hasText: 'Exact' })
  await share.getByText('55.275', { exact: true }).waitFor()
  t.is(await share.count(), 1)
})

/** The dashboard is offered only the newest agent; `read` has the path of each reading of agents. */
async function offerOne(page: Page): Promise<{ read: string[] }> {
  const read: string[] = []
  await page.route(/\/api\/agents\?.*limit=100/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
  )
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/agents')) read.push(pathname)
  })
  return { read }
}

const NEWEST_ONE = 'Agent (the newest 1)'

browse('the filter of payments offers the agent of its address, however many newer ones there are', async (t, page) => {
  await stage.agent({ name: 'Newer' })
  await offerOne(page)
  await open(page, `payments?agent=${agent.agentId}`)
  const choice = page.getByLabel(NEWEST_ONE)
  await choice.getByText('Exact').waitFor({ state: 'attached' })
  t.deepEqual(await choice.locator('option').allInnerTexts(), ['All', 'Exact', 'Newer'])
  t.is(await choice.inputValue(), agent.agentId)
})

browse(
  'a choice of the filter of payments stays if its agent cannot be read, and says if it was removed',
  async (t, page) => {
    const removed = await stage.agent({ name: 'Removed' })
    await stage.must('DELETE', `/api/agents/${removed.agentId}`)
    const newest = await stage.agent({ name: 'Last' })
    const { read } = await offerOne(page)
    await page.route(`**/api/agents/${agent.agentId}`, (route) =>
      route.fulfill({ status: 403, json: { error: 'Not with this role', code: 'INSUFFICIENT_SCOPE' } }),
    )
    await open(page, 'payments')
    const choice = page.getByLabel(NEWEST_ONE)
    await choice.waitFor()
    const choose = async (id: string): Promise<void> => {
      const answered = page.waitForResponse(`**/api/agents/${id}`)
      await page.evaluate((place) => (location.hash = place), `#/payments?agent=${id}`)
      await answered
    }
    await choose(agent.agentId)
    await choose(removed.agentId)
    await choice.getByText('a removed agent').waitFor({ state: 'attached' })
    await choose(agent.agentId)
    t.is(await choice.inputValue(), agent.agentId)
    t.deepEqual(await choice.locator('option').allInnerTexts(), ['All', agent.agentId, 'Last'])
    await choice.selectOption('Last')
    t.is(await choice.inputValue(), newest.agentId)
    t.is(read.filter((path) => path === '/api/agents').length, 1)
  },
)

/** The first page of the log under this filter is empty, as if nothing fitted in the entries that it scanned. */
async function emptyFirst(page: Page, filter: RegExp): Promise<void> {
  await page.route(filter, async (route) => {
    const url = new URL(route.request().url())
    if (url.searchParams.get('cursor') === null) return route.fulfill({ json: { entries: [], nextCursor: 'further' } })
    url.searchParams.delete('cursor')
    return route.continue({ url: url.href })
  })
}

browse('the history of a payment is read on until its request', async (t, page) => {
  await emptyFirst(page, /\/api\/audit-logs\?.*resourceId=/)
  await open(page, `payments/${paid[0]!}`)
  const further = page.getByRole('button', { name: 'Load older entries' })
  await further.click()
  await page.getByText('asked to pay').waitFor()
  t.is(await further.count(), 0)
})

interface Streaming {
  stream: EventSource
  heard: Promise<void>
}

/** Keeps the stream that the page opens, so that a test can wait for what the page hears. */
async function keepStream(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const construct = (Source: typeof EventSource, [url]: string[]): EventSource =>
      Object.assign(window, { stream: new Source(url!) }).stream
    window.EventSource = new Proxy(EventSource, { construct })
  })
}

/** Resolves with a function that waits until the page has heard of a payment since. */
async function nextPayment(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { stream } = window as unknown as Streaming
    const heard = new Promise<void>((resolve) => {
      stream.addEventListener('transition', ({ data }: MessageEvent<string>) => {
        if ((JSON.parse(data) as { machine: string }).machine === 'payment') resolve()
      })
    })
    Object.assign(window, { heard })
  })
  return () => page.evaluate(() => (window as unknown as Streaming).heard)
}

browse('the actors of a machine are looked for further back, and a later transition keeps them', async (t, page) => {
  await page.clock.install()
  await keepStream(page)
  await emptyFirst(page, /\/api\/audit-logs\?.*resource=payment/)
  await open(page, 'inspect/payment')
  await page.getByText('No results so far').waitFor()
  await page.getByRole('button', { name: 'Load older entries' }).click()
  const table = page.getByRole('table', { name: 'Actors' })
  await table.waitFor()
  const heard = await nextPayment(page)
  let asked = 0
  page.on('request', (request) => (asked += request.url().includes('/api/audit-logs') ? 1 : 0))
  await stage.pay(agent, 1)
  await heard()
  // The page reads at most once a second.
  await page.clock.runFor('00:02')
  t.true(await table.isVisible())
  t.is(asked, 0)
})

browse(
  'the menu of a phone opens with the focus inside, closes when a page is chosen, and opens again',
  async (t, page) => {
    await open(page, 'payments')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    for (const name of ['Wallets', 'Policies']) {
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      const close = menu.getByRole('button', { name: 'Close the menu' })
      await close.waitFor()
      t.true(await close.evaluate((element) => element === element.ownerDocument.activeElement))
      await menu.getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      t.false(await menu.isVisible())
    }
  },
  { viewport: PHONE },
)
