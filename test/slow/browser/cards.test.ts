// Cards in a browser: registering, limits, assigning to an agent and to a policy, pausing and cancelling.
import test from 'ava'
import type { AssignedCardList, Card, CardList, Policy, TracedPayment } from '../../../sdk/api.js'
import { startChannels, type ChannelStage } from '../../support/channels.js'
import { approve } from '../../support/cards.js'
import { wholeFile } from '../../support/process.js'
import { browsing } from './browser.js'
import { openAs } from './people.js'

const scope = wholeFile(test)
let stage: ChannelStage
test.before('the service runs', async () => {
  stage = await startChannels(scope)
})
const { browse } = browsing(test, () => stage.url)

const CARD = { name: 'Travel', brand: 'VISA', last4: '4242', spendLimitPerTx: 100, spendLimitDaily: 1000 }

browse('a card is registered, edited, paused and cancelled', async (t, page) => {
  await openAs(page, await stage.person(), stage.url, 'cards')
  await page.getByRole('button', { name: 'New card' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ads')
  await dialog.getByLabel('Last four digits').fill('4242')
  await dialog.getByLabel('Daily, USD').fill('')
  await dialog.getByRole('button', { name: 'Create card' }).click()
  await page.getByText('Visa ending in 4242').waitFor()
  await page.getByRole('button', { name: 'Edit Ads' }).click()
  await dialog.getByLabel('Per payment, USD').fill('50.5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Ads was updated').waitFor()
  const { cards } = await stage.must<CardList>('GET', '/api/cards')
  const card = cards.find(({ name }) => name === 'Ads')!
  t.like(card, { brand: 'VISA', last4: '4242', spendLimitPerTx: 50.5, spendLimitDaily: null, status: 'ACTIVE' })
  for (const [name, done, status] of [
    ['Pause', 'Ads is paused', 'PAUSED'],
    ['Resume', 'Ads is active', 'ACTIVE'],
    ['Cancel', 'Ads is cancelled', 'CANCELLED'],
  ] as const) {
    await page.getByRole('button', { name: `${name} Ads` }).click()
    await dialog
      .getByRole('button', { name: `${name}` })
      .last()
      .click()
    await page.getByText(done).waitFor()
    t.is((await stage.must<Card>('GET', `/api/cards/${card.id}`)).status, status)
  }
  t.is(await page.getByRole('button', { name: 'Resume Ads' }).count(), 0)
})

browse('a card is assigned to an agent and to a policy, and its payment names it', async (t, page) => {
  const agent = await stage.agent({ name: 'Traveller' })
  const card = await stage.must<Card>('POST', '/api/cards', CARD)
  const rules = [{ ruleType: 'CARD_MAX_AMOUNT', value: 80 }]
  const policy = await stage.must<Policy>('POST', '/api/policies', { name: 'Trips', policyType: 'COMPOSITE', rules })
  await openAs(page, await stage.person(), stage.url, `agents/${agent.agentId}`)
  await page.getByRole('button', { name: 'Assign card' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Daily, USD').fill('200')
  await dialog.getByLabel('Blocked categories').fill('7995, 7801')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await page.getByText('7995, 7801').waitFor()
  const { cards } = await stage.must<AssignedCardList>('GET', `/api/agents/${agent.agentId}/cards`)
  t.like(cards[0]!, {
    cardId: card.id,
    spendLimitPerTx: 100,
    spendLimitDaily: 200,
    blockedCategories: ['7995', '7801'],
  })
  await page.goto(`${stage.url}/#/policies/${policy.id}?part=applies`)
  await page.getByRole('button', { name: 'Assign to card' }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await page.getByText('Travel was assigned').waitFor()
  const { key } = agent
  const { body: denied } = await approve(stage.client, { agentId: agent.agentId, cardId: card.id, key }, 90)
  t.is(denied.status, 'DENIED')
  const { body: permit } = await approve(stage.client, { agentId: agent.agentId, cardId: card.id, key }, 70)
  t.is((await stage.must<TracedPayment>('GET', `/api/payments/${permit.requestId}`)).rail, 'CARD')
  await page.goto(`${stage.url}/#/payments/${permit.requestId}`)
  await page.getByText('Visa ending in 4242').first().waitFor()
  await page.goto(`${stage.url}/#/agents/${agent.agentId}`)
  await page.getByRole('button', { name: 'Unassign Travel' }).click()
  await dialog.getByRole('button', { name: 'Unassign' }).last().click()
  await page.getByText('No card is assigned').waitFor()
})

browse('who may not write cards reads them', async (t, page) => {
  await stage.must('POST', '/api/cards', { ...CARD, name: 'Seen' })
  await openAs(page, await stage.person('MANAGER'), stage.url, 'cards')
  await page.getByText('Seen').waitFor()
  t.is(await page.getByRole('button', { name: 'New card' }).count(), 0)
  t.is(await page.getByRole('button', { name: 'Pause Seen' }).count(), 0)
})
