// bursar cards: lists cards, registers one, pauses and resumes it, and assigns it to agents.
import type { Card } from '../../sdk/index.js'
import { CARD_BRANDS } from '../domain/parties/card.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { choice } from './terminal/arguments.js'
import { idNamed, printedList } from './terminal/listed.js'
import { record, type Columns } from './terminal/show.js'

const COLUMNS: Columns<Card> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  CARD: ({ brand, last4 }) => `${brand} ${last4}`,
  STATUS: ({ status }) => status,
  'A DAY': ({ spendLimitDaily }) => spendLimitDaily,
  'LEFT TODAY': ({ remainingToday }) => remainingToday,
}

const shown = (card: Card): Shown => ({
  json: card,
  lines: (style) => {
    const { id, name, brand, last4, status, spendLimitPerTx, spendLimitDaily, remainingToday } = card
    const limits = {
      'limit per payment': spendLimitPerTx,
      'limit a day': spendLimitDaily,
      'left today': remainingToday,
    }
    return record({ id, name, card: `${brand} ${last4}`, status, ...limits }, style)
  },
})

function cardIdOf({ bursar, words: [card] }: ServiceCommand): Promise<string> {
  return idNamed(card!, () => bursar.cards.list())
}

async function update(asking: ServiceCommand, status: Card['status']): Promise<Shown> {
  return shown(await asking.bursar.cards.update(await cardIdOf(asking), { status }))
}

export const cardCommands = {
  'cards list': asking({
    usage: 'cards list [--limit N]',
    summary: 'list cards with what is left of their daily limits',
    run: async (asking) => printedList(asking, asking.bursar.cards.list(), COLUMNS),
  }),
  'cards create': asking({
    usage: 'cards create NAME LAST_FOUR BRAND [--per-payment AMOUNT] [--daily AMOUNT]',
    summary: `register a card; BRAND is one of ${CARD_BRANDS.join(', ')}`,
    run: async ({ bursar, words: [name, last4, given], text }) => {
      const brand = choice('BRAND', CARD_BRANDS, given)!
      const [spendLimitPerTx, spendLimitDaily] = [text('per-payment') ?? null, text('daily') ?? null]
      return shown(await bursar.cards.create({ name: name!, last4: last4!, brand, spendLimitPerTx, spendLimitDaily }))
    },
  }),
  'cards assign': asking({
    usage: 'cards assign CARD AGENT [--per-payment AMOUNT] [--daily AMOUNT]',
    summary: 'let an agent pay with a card',
    run: async (asking) => {
      const { bursar, words, text } = asking
      const agentId = await idNamed(words[1]!, () => bursar.agents.list())
      const cardId = await cardIdOf(asking)
      const limits = { spendLimitPerTx: text('per-payment') ?? null, spendLimitDaily: text('daily') ?? null }
      const assigned = await bursar.agents.cards.assign(agentId, { cardId, ...limits })
      return { json: assigned, lines: () => ['Assigned'] }
    },
  }),
  'cards pause': asking({
    usage: 'cards pause CARD',
    summary: 'let nobody pay with a card for now',
    run: (asking) => update(asking, 'PAUSED'),
  }),
  'cards resume': asking({
    usage: 'cards resume CARD',
    summary: 'let agents pay with a paused card again',
    run: (asking) => update(asking, 'ACTIVE'),
  }),
  'cards cancel': asking({
    usage: 'cards cancel CARD',
    summary: 'let nobody pay with a card ever again',
    run: (asking) => update(asking, 'CANCELLED'),
  }),
}
