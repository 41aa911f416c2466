// The page "Needs attention" in a browser: what it lists, and what is done from it, with records of a real service; and
// freezing the organization from any page.
import test from 'ava'
import type { Page } from 'playwright-core'
import { approve, cardAgent } from '../../support/cards.js'
import {
  approved,
  newPayer,
  newRecipient,
  settled as confirmed,
  startChain,
  startLive,
  type Live,
  type Payer,
} from '../../support/chain.js'
import { NEEDS_PERSON } from '../../support/approvals.js'
import { newPerson, type Person } from '../../support/people.js'
import { startStage, type Stage } from '../../support/policies.js'
import { wholeFile } from '../../support/process.js'
import { execute } from '../../support/payments.js'
import { startReceiver } from '../../support/receiver.js'
import { authorizeFor } from '../../support/x402.js'
import { Proxy } from '../chain/proxy.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'
import type { AuditEntryList } from '../../../sdk/api.js'

const scope = wholeFile(test)
const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '50,100' }
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope, Date.now(), ENV)
})
let live: Live | undefined
const { browse } = browsing(test, () => stage.url)

const person = (role: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER' = 'ADMIN'): Promise<Person> =>
  newPerson(stage.client, role)
const counted = (page: Page, count: string) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: `Needs attention , ${count} open` })
    .first()
    .waitFor()
const line = (page: Page, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
const gone = (page: Page, text: string) => line(page, text).waitFor({ state: 'detached' })

browse('where nothing needs attention, the page says what would be listed', async (t, page) => {
  await openAs(page, await person('VIEWER'), stage.url, 'attention')
  await page.getByText('Nothing needs attention').waitFor()
  await page.getByText(/wallets without funds or gas/).waitFor()
  t.is(await page.getByRole('button', { name: /^Freeze / }).count(), 0)
})

browse(
  'tokens and signatures are listed until they are reported on, and a token is released with a reason',
  async (t, page) => {
    const card = await cardAgent(stage.client)
    const { body: permit } = await approve(stage.client, card, 12.5)
    const buyer = await stage.agent({ name: 'Report buyer' })
    await authorizeFor(stage.client, buyer.key, 0.05)
    await openAs(page, await person(), stage.url, 'attention')
    await counted(page, '2')
    await line(page, '0.05 USDC')
      .getByText(/api\.example\.com can collect this payment.* The signature expires in/)
      .waitFor()
    t.is(
      await line(page, '0.05 USDC')
        .getByRole('button', { name: /^Release/ })
        .count(),
      0,
    )
    await line(page, '0.05 USDC')
      .getByRole('button', { name: /^Look again/ })
      .click()
    await page
      .getByText(/0\.05 USDC to .*: nothing new/)
      .first()
      .waitFor()
    await line(page, 'Hosting Ltd')
      .getByRole('button', { name: /^Release/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Release 12.50 USD to a merchant by card?' })
    await dialog.getByText('The money may still move: look first whether Visa ending in 4242 was charged').waitFor()
    await dialog.getByLabel('Reason').fill('The order was cancelled')
    await dialog.getByRole('button', { name: 'Release' }).click()
    await gone(page, 'Hosting Ltd')
    await counted(page, '1')
    const { entries } = await stage.must<AuditEntryList>('GET', `/api/audit-logs?resourceId=${permit.requestId}`)
    t.deepEqual([entries[0]!.action, entries[0]!.actor.type], ['payment.release', 'PERSON'])
  },
)

browse('approvals that expire soon are listed, the soonest first, and others are not', async (t, page) => {
  const agent = await stage.agent({ name: 'Procurement' })
  await stage.assign((await stage.policy([NEEDS_PERSON])).id, agent)
  const hours = (approvalHours: number) =>
    stage.must('PATCH', '/api/organization', { paymentTimeouts: { approvalHours } })
  for (const [amount, until] of [
    [301, 3],
    [302, 2],
    [303, 24],
  ] as const) {
    await hours(until)
    await stage.ask(agent, amount)
  }
  await openAs(page, await person('VIEWER'), stage.url, 'attention')
  await line(page, '302.00 USDC').getByText('the request expires in 1 hour').waitFor()
  const shown = await page.getByRole('main').getByRole('listitem').allInnerTexts()
  t.deepEqual(
    shown.flatMap((text) => /^30\d\.00/.exec(text) ?? []),
    ['302.00', '301.00'],
  )
  await line(page, '302.00 USDC')
    .getByRole('link', { name: /^Review/ })
    .click()
  await page.getByRole('heading', { name: 'Why approval is required' }).waitFor()
})

browse('wallets that are short of funds and critical alerts are acknowledged and resolved', async (t, page) => {
  await stage.must('PATCH', '/api/alerts/settings', { lowBalanceBelow: 50 })
  const poor = await stage.agent({ name: 'Spender', balance: 60 })
  await stage.pay(poor, 20)
  const address = `0x${'b1'.repeat(20)}`
  await stage.must('POST', '/api/counterparties', { name: 'Lucky Gains', address, status: 'BLOCKED' })
  await stage.ask(poor, 5, { recipientAddress: address })
  await openAs(page, await person('MANAGER'), stage.url, 'attention')
  const low = line(page, 'Wallet of Spender').filter({ hasText: 'balance' })
  const blocked = line(page, 'Payment to a blocked address denied')
  await low.getByRole('button', { name: /^Acknowledge/ }).click()
  await low.waitFor({ state: 'detached' })
  await blocked.getByRole('button', { name: /^Resolve/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve “Payment to a blocked address denied”?' })
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await blocked.waitFor({ state: 'detached' })
  const { entries } = await stage.must<AuditEntryList>('GET', '/api/audit-logs?resource=alert')
  const actions = entries.map(({ action }) => action)
  t.true(actions.includes('alert.acknowledge') && actions.includes('alert.resolve'), actions.join())
})

browse('failed deliveries are sent again, and stay listed until their alerts are resolved', async (t, page) => {
  let answer = 400
  const receiver = await startReceiver(scope, (_, response) => void response.writeHead(answer).end())
  const config = { url: receiver.url }
  await stage.must('POST', '/api/channels', { name: 'On call', type: 'WEBHOOK', events: ['alert.raised'], config })
  await stage.must('PUT', '/api/webhooks', { url: receiver.url })
  const agent = await stage.agent({ name: 'Sender', balance: 60 })
  await stage.pay(agent, 20)
  await openAs(page, await person(), stage.url, 'attention')
  const message = line(page, 'the channel On call').first()
  await message.getByText('The receiver answered with 400').waitFor()
  const event = line(page, 'payment.executed').first()
  answer = 204
  await event.getByRole('button', { name: /^Redeliver/ }).click()
  await event.getByText('Sent again', { exact: true }).waitFor()
  await receiver.until((all) => all.some(({ body }) => body.event === 'payment.executed'))
  await page.getByRole('button', { name: /^Resolve.*alerts about failed deliveries$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve 2 alerts about failed deliveries?' })
  await dialog.getByText(/was not delivered to the channel On call/).waitFor()
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await gone(page, 'payment.executed')
  await stage.must('DELETE', '/api/webhooks')
  t.pass()
})

browse('the overview has the short form of the same list, and leads to the page', async (t, page) => {
  await openAs(page, await person('VIEWER'), stage.url)
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Needs attention' }) })
  await card.getByRole('link', { name: /302\.00 USDC/ }).waitFor()
  await card.getByRole('link', { name: 'View all' }).click()
  await page.getByRole('heading', { name: 'Approvals that expire soon' }).waitFor()
  t.is(await page.getByRole('button', { name: /^Release/ }).count(), 0)
})

browse(
  'the organization is frozen from any page; a banner says by whom and why until it is unfrozen',
  async (t, page) => {
    const admin = await person()
    await openAs(page, admin, stage.url, 'cards')
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^Freeze / })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Freeze .*\?$/ })
    await dialog.getByText('No payment of any agent is executed').waitFor()
    await dialog.getByLabel('Reason').fill('Payments that nobody asked for')
    await dialog.getByRole('button', { name: 'Freeze organization' }).click()
    await page
      .getByText(/is frozen\./)
      .first()
      .waitFor()
    await openAs(page, admin, stage.url, 'policies')
    const banner = page.getByRole('main').locator('.notice')
    await banner.getByText(/Frozen by .* on .*: Payments that nobody asked for/).waitFor()
    await banner.getByText(admin.email).waitFor()
    t.is(await page.getByRole('button', { name: /^Freeze / }).count(), 0)
    await banner.getByRole('button', { name: /^Unfreeze/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unfreeze' }).click()
    await banner.waitFor({ state: 'detached' })
  },
)

/** A transfer whose sending had no answer. */
async function lost(chain: Live['chain'], node: Proxy, { client }: Live): Promise<{ payer: Payer; requestId: string }> {
  const payer = await newPayer(client, chain, { balance: 100, name: 'On chain' })
  const requestId = await approved(client, payer.key, 40, newRecipient())
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { forward: false, answer: 'nothing' } : undefined)
  await execute(client, payer.key, requestId)
  return { payer, requestId }
}

browse(
  'a transfer whose outcome is unknown is listed until the chain shows it',
  async (t, page) => {
    const chain = await startChain(t)
    if (!chain) return
    const node = await Proxy.open(t, chain.url)
    live = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
    const { payer, requestId } = await lost(chain, node, live)
    await openAs(page, await newPerson(live.client, 'ADMIN'), live.service.url, 'attention')
    await page.getByRole('heading', { name: 'Transfers with an unknown outcome' }).waitFor()
    await line(page, '40.00 USDC')
      .getByRole('button', { name: /^Look again/ })
      .click()
    await page
      .getByText(/40\.00 USDC to .*: still unknown/)
      .first()
      .waitFor()
    t.is(await page.getByRole('button', { name: /^Release/ }).count(), 0)
    node.deed = () => undefined
    await confirmed({ chain, client: live.client }, payer.key, requestId)
    await page.getByText('Nothing needs attention').waitFor()
  },
  { goesTo: () => (live ? [live.service.url] : []) },
)
