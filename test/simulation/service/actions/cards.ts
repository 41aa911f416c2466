// Purchases on cards: approved, then charged with the amount, with more or with less, or not at all.
import { one, recent, request, somebody, type Action, type Stage } from '../stage.js'
import { keyOf, note } from './payments.js'

async function buy(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const card = one(stage, organization.cards)
  const agent = card && one(stage, card.agents)
  if (!agent) return
  const purchase = { amount: 1 + random.below(40), merchantName: 'Shop', merchantCategory: '5734' }
  const paymentKey = random.chance(0.4) ? `order-${random.below(3)}` : undefined
  const told = await request(stage, {
    by: keyOf(stage, agent),
    method: 'POST',
    path: '/api/sdk/cards/approve',
    body: { cardId: card.id, ...purchase, ...(paymentKey && { paymentKey }) },
    needs: 'payments:approve',
  })
  const more = {
    rail: 'card',
    agent,
    recipient: undefined,
    wallet: undefined,
    card,
    paymentKey,
    at: world.now,
  } as const
  note(organization, told.body, () => more)
}

async function charge(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const permitted = organization.payments.filter(({ rail, token }) => rail === 'card' && token !== undefined)
  const payment = recent(stage, permitted)
  if (!payment) return
  const token = random.chance(0.15) ? random.pick(permitted).token : payment.token
  const amount = random.pick([payment.amount, payment.amount, payment.amount + 3, 1])
  const status = random.pick(['COMPLETED', 'COMPLETED', 'COMPLETED', 'VOIDED'])
  const body = { approvalToken: token!, transactionReference: `t${random.below(20)}`, amount, status }
  const path = `/api/sdk/cards/${payment.id}/confirm`
  const by = keyOf(stage, payment.agent)
  const told = await request(stage, { by, method: 'POST', path, body, needs: 'payments:confirm' })
  if (told.status < 300) note(organization, told.body, () => payment)
}

async function pauseCard(stage: Stage): Promise<void> {
  const card = one(stage, stage.organization.cards)
  if (!card) return
  const status = card.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED'
  const needs = 'cards:write'
  const wanted = { method: 'PATCH', path: `/api/cards/${card.id}`, body: { status } }
  await request(stage, { ...wanted, by: somebody(stage, needs), needs }, () => {
    card.status = status
  })
}

export const cards: Action[] = [
  { name: 'buy on a card', share: 7, act: buy },
  { name: 'tell of a charge', share: 6, act: charge },
  { name: 'pause a card', share: 1, act: pauseCard },
]
