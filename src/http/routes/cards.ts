// Card routes, and the records of cards and of their assignments to agents.
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import {
  assignCard,
  createCard,
  findCard,
  listCardAssignments,
  listCards,
  unassignCard,
  updateCard,
} from '../../commands/cards/cards.js'
import { cardStatus } from '../../commands/status.js'
import type { Caller, Services } from '../../commands/ports.js'
import { counted, sumsAt, type Sums } from '../../domain/limits/sums.js'
import { CARD_BRANDS, CARD_PROVIDERS, CARD_STATUSES, smallerLimit } from '../../domain/parties/card.js'
import { WEEKDAYS } from '../../domain/time/schedule.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import { page } from '../input/querySchemas.js'
import { amountSchema, enumOf, id, name, recordSchema, setSchema, wholeFrom } from '../input/schemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../server/respond.js'
import { route } from '../server/route.js'
import type { Paging } from '../../actor/query.js'

const limit = v.nullable(v.number())
/** Of today, in the zone of the limits. */
const usedEntries = { spentToday: v.number(), reserved: v.number(), remainingToday: limit }

const cardSchema = recordSchema('Card', {
  id: v.string(),
  name: v.string(),
  provider: v.picklist(CARD_PROVIDERS),
  last4: v.string(),
  brand: v.picklist(CARD_BRANDS),
  currency: v.literal('USD'),
  spendLimitPerTx: limit,
  spendLimitDaily: limit,
  status: v.picklist(CARD_STATUSES),
  ...usedEntries,
  createdAt: v.string(),
  updatedAt: v.string(),
})

const assignedCardSchema = recordSchema('AssignedCard', {
  id: v.string(),
  agentId: v.string(),
  cardId: v.string(),
  name: v.string(),
  last4: v.string(),
  brand: v.picklist(CARD_BRANDS),
  currency: v.literal('USD'),
  spendLimitPerTx: limit,
  spendLimitDaily: limit,
  allowedHoursStart: v.number(),
  allowedHoursEnd: v.number(),
  allowedDays: v.array(v.picklist(WEEKDAYS)),
  blockedCategories: v.array(v.string()),
  timezone: v.string(),
  status: v.picklist(CARD_STATUSES),
  ...usedEntries,
  createdAt: v.string(),
  updatedAt: v.string(),
})

const assignedCardListSchema = recordSchema('AssignedCardList', {
  cards: v.array(assignedCardSchema),
  pagination: paginationSchema,
})

const shownLimit = (micros: Micros | null): number | null => (micros === null ? null : toNumber(micros))

function usedOf(
  { sums, clock }: { sums: Sums; clock: number },
  timezone: string,
  limit: Micros | null,
  now: number,
): v.InferOutput<v.ObjectSchema<typeof usedEntries, undefined>> {
  const current = sumsAt(sums, Math.max(now, clock), timezone)
  return {
    spentToday: toNumber(current.day.spent),
    reserved: toNumber(current.held),
    remainingToday: shownLimit(limit === null ? null : Math.max(0, limit - counted(current, 'day'))),
  }
}

function cardRecord(card: Actor<'card'>, now: number): v.InferOutput<typeof cardSchema> {
  const context = card.context
  const { id, fields, timezone, createdAt, updatedAt } = context
  return {
    id,
    ...fields,
    currency: 'USD',
    spendLimitPerTx: shownLimit(fields.spendLimitPerTx),
    spendLimitDaily: shownLimit(fields.spendLimitDaily),
    status: cardStatus(card),
    ...usedOf(context, timezone, fields.spendLimitDaily, now),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** With the card's limits, where they are the smaller ones. */
function assignedCardRecord(
  assignment: Actor<'cardAssignment'>,
  card: Actor<'card'>,
  now: number,
): v.InferOutput<typeof assignedCardSchema> {
  const context = assignment.context
  const { id, agentId, cardId, terms, createdAt, updatedAt } = context
  const { fields } = card.context
  const { name: cardName, last4, brand } = fields
  const perTx = smallerLimit(terms.spendLimitPerTx, fields.spendLimitPerTx)
  const daily = smallerLimit(terms.spendLimitDaily, fields.spendLimitDaily)
  return {
    id,
    agentId,
    cardId,
    name: cardName,
    last4,
    brand,
    currency: 'USD',
    ...terms,
    spendLimitPerTx: shownLimit(perTx),
    spendLimitDaily: shownLimit(daily),
    status: cardStatus(card),
    ...usedOf(context, terms.timezone, daily, now),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** The cards that an agent may pay with. */
async function assignedCards(services: Services, caller: Caller, agentId: string, paging: Paging) {
  const found = await listCardAssignments(services, caller, agentId, paging)
  if (!found.ok) return found
  const now = services.now()
  // Those on the page are on disk, and so are their cards.
  const record = (one: Actor<'cardAssignment'>) =>
    assignedCardRecord(one, services.host.peek(`card/${one.context.cardId}`)!, now)
  return pageAnswer('cards', found.value, paging, record)
}

const spendLimit = () => v.optional(v.nullable(amountSchema({ zero: true })))
export const fourDigits = () =>
  v.pipe(v.string('must be a text'), v.regex(/^[0-9]{4}$/, 'must be four digits'), v.examples(['5734']))

const limits = { spendLimitPerTx: spendLimit(), spendLimitDaily: spendLimit() }
const read = { key: 'organization', scope: 'cards:read' } as const
const write = { key: 'organization', scope: 'cards:write' } as const

const managedRoutes = [
  route({
    operationId: 'createCard',
    method: 'POST',
    path: '/api/cards',
    access: write,
    summary: 'Register a card',
    body: v.strictObject({
      name: name(100),
      provider: v.optional(enumOf(CARD_PROVIDERS), 'MANUAL'),
      last4: fourDigits(),
      brand: enumOf(CARD_BRANDS),
      ...limits,
    }),
    answers: { 201: cardSchema },
    handler: (call) => {
      const { spendLimitPerTx = null, spendLimitDaily = null, ...fields } = call.body
      const record = (card: Actor<'card'>) => ok(cardRecord(card, call.services.now()), 201)
      return answered(call, record, (caller) =>
        createCard(call.services, caller, { ...fields, spendLimitPerTx, spendLimitDaily }),
      )
    },
  }),
  route({
    operationId: 'listCards',
    method: 'GET',
    path: '/api/cards',
    access: read,
    summary: 'List cards',
    query: v.strictObject({ ...page, status: v.optional(enumOf(CARD_STATUSES)) }),
    answers: { 200: recordSchema('CardList', { cards: v.array(cardSchema), pagination: paginationSchema }) },
    handler: async ({ services, caller, query }) => {
      const now = services.now()
      return pageAnswer('cards', await listCards(services, caller, query), query, (card) => cardRecord(card, now))
    },
  }),
  route({
    operationId: 'getCard',
    method: 'GET',
    path: '/api/cards/:cardId',
    access: read,
    summary: 'Read a card',
    answers: { 200: cardSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findCard(services, caller, params.cardId)
      return found.ok ? ok(cardRecord(found.value, services.now())) : found
    },
  }),
  route({
    operationId: 'updateCard',
    method: 'PATCH',
    path: '/api/cards/:cardId',
    access: write,
    summary: 'Change a card; null removes a limit, and CANCELLED is permanent',
    body: v.strictObject({
      name: v.optional(name(100)),
      last4: v.optional(fourDigits()),
      brand: v.optional(enumOf(CARD_BRANDS)),
      ...limits,
      status: v.optional(enumOf(CARD_STATUSES)),
    }),
    answers: { 200: cardSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(
        call,
        (card: Actor<'card'>) => ok(cardRecord(card, call.services.now())),
        (caller) => updateCard(call.services, caller, call.params.cardId, call.body),
      ),
  }),
]

const assignmentRoutes = [
  route({
    operationId: 'assignCard',
    method: 'POST',
    path: '/api/agents/:agentId/cards',
    access: write,
    summary: 'Let an agent pay with a card',
    governed: 'delegation.create',
    body: v.strictObject({
      cardId: id(),
      ...limits,
      allowedHoursStart: v.optional(wholeFrom(0, 23)),
      allowedHoursEnd: v.optional(wholeFrom(1, 24)),
      allowedDays: v.optional(setSchema(enumOf(WEEKDAYS), { max: 7 })),
      blockedCategories: v.optional(setSchema(fourDigits(), { max: 1_000 })),
    }),
    answers: { 201: assignedCardSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXISTS', 'LIMIT_REACHED'],
    handler: (call) => {
      const { cardId, ...given } = call.body
      const now = call.services.now()
      return answered(
        call,
        (one: Actor<'cardAssignment'>, view: View) => ok(assignedCardRecord(one, view(`card/${cardId}`)!, now), 201),
        (caller) => assignCard(call.services, caller, call.params.agentId, cardId, given),
      )
    },
  }),
  route({
    operationId: 'listAssignedCards',
    method: 'GET',
    path: '/api/agents/:agentId/cards',
    access: read,
    summary: 'List the cards that an agent may pay with',
    query: v.strictObject(page),
    answers: { 200: assignedCardListSchema },
    handler: ({ services, caller, params, query }) => assignedCards(services, caller, params.agentId, query),
  }),
  route({
    operationId: 'unassignCard',
    method: 'DELETE',
    path: '/api/agents/:agentId/cards',
    access: write,
    summary: 'Take a card from an agent',
    query: v.strictObject({ cardId: id() }),
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, succeeded, (caller) =>
        unassignCard(call.services, caller, call.params.agentId, call.query.cardId),
      ),
  }),
  route({
    operationId: 'listOwnCards',
    method: 'GET',
    path: '/api/sdk/cards',
    access: { key: 'agent', scope: 'wallets:read' },
    summary: "List the agent's cards",
    query: v.strictObject(page),
    answers: { 200: assignedCardListSchema },
    refuses: ['NOT_FOUND'],
    handler: ({ services, caller, principal, query }) => assignedCards(services, caller, principal.agent!, query),
  }),
]

export const cardRoutes = [...managedRoutes, ...assignmentRoutes]
