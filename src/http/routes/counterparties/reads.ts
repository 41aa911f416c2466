// Read routes for counterparties: by address, by payments, across all organizations, and by agent.
import { transactionStatus } from '../../../commands/status.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { Paging } from '../../../actor/query.js'
import { isVisible } from '../../../commands/send.js'
import {
  counterpartyIn,
  findCounterparty,
  counterpartyAt,
  relationshipsOf,
  transactionsWith,
} from '../../../commands/counterparties/counterparties.js'
import { networkTrust } from '../../../commands/counterparties/networkTrust.js'
import type { Services } from '../../../commands/ports.js'
import { COUNTERPARTY_STATUSES } from '../../../domain/parties/counterparty.js'
import type { Ref } from '../../../domain/limits/gate.js'
import { averageAmount } from '../../../domain/parties/paymentHistory.js'
import { toNumber } from '../../../domain/values/money.js'
import { TRANSACTION_STATUSES } from '../../../domain/payment/terms.js'
import { invalid, read } from './counterparties.js'
import { listItem, listItemSchema, nameSourceSchema, networkRecord, networkSchema } from './records.js'
import { page } from '../../input/querySchemas.js'
import { iso, ok, pageAnswer, paginationSchema, wrongCursor } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { addressSchema, recordSchema } from '../../input/schemas.js'

const lookupSchema = recordSchema('CounterpartyLookup', {
  found: v.boolean(),
  counterparty: v.nullable(
    v.object({
      id: v.string(),
      name: v.string(),
      nameSource: nameSourceSchema,
      address: v.string(),
      status: v.picklist(COUNTERPARTY_STATUSES),
      trustScore: v.number(),
    }),
  ),
  networkTrust: v.object({
    globalScore: v.number(),
    transactionCount: v.number(),
    status: v.picklist(COUNTERPARTY_STATUSES),
  }),
})

const networkTrustSchema = recordSchema('NetworkTrust', {
  address: v.string(),
  networkTrust: networkSchema,
  riskIndicators: v.object({ ofacMatch: v.boolean(), highRiskCountry: v.boolean(), unusualPattern: v.boolean() }),
})

const historySchema = recordSchema('CounterpartyTransactions', {
  transactions: v.array(
    v.object({
      id: v.string(),
      amount: v.number(),
      currency: v.string(),
      status: v.picklist(TRANSACTION_STATUSES),
      agentId: v.string(),
      agentName: v.string(),
      purpose: v.nullable(v.string()),
      createdAt: v.string(),
    }),
  ),
  summary: v.object({ totalVolume: v.number(), transactionCount: v.number(), averageAmount: v.number() }),
  pagination: paginationSchema,
})

const relatedSchema = recordSchema('RelatedCounterparties', {
  counterparties: v.array(
    v.object({
      ...listItemSchema.entries,
      relationship: v.object({ kind: v.literal('TRANSACTS_WITH'), createdAt: v.string() }),
    }),
  ),
  pagination: paginationSchema,
})

export const counterpartyReadRoutes = [
  route({
    operationId: 'lookUpCounterparty',
    method: 'GET',
    path: '/api/counterparties/lookup',
    access: read,
    summary: 'Find a counterparty by its address',
    query: v.strictObject({ address: addressSchema() }),
    invalid,
    answers: { 200: lookupSchema },
    handler: async ({ services, caller, principal, query }) => {
      const known = await counterpartyAt(services, caller, query.address)
      const { trust } = await networkTrust(services, query.address.canonical, known)
      const { globalScore, transactionCount, status } = trust
      const found = isVisible(known, principal.organization)
      const counterparty = found ? briefly(known, services.now()) : null
      return ok({ found, counterparty, networkTrust: { globalScore, transactionCount, status } })
    },
  }),
  route({
    operationId: 'getNetworkTrust',
    method: 'GET',
    path: '/api/counterparties/network-trust',
    access: read,
    summary: 'The network trust of an address: the payments of all organizations to it',
    query: v.strictObject({ address: addressSchema() }),
    invalid,
    answers: { 200: networkTrustSchema },
    handler: async ({ services, caller, query }) => {
      const { canonical, display } = query.address
      const known = await counterpartyAt(services, caller, query.address)
      const { trust, risk } = await networkTrust(services, canonical, known)
      return ok({ address: display, networkTrust: networkRecord(trust), riskIndicators: { ...risk } })
    },
  }),
  route({
    operationId: 'listCounterpartyTransactions',
    method: 'GET',
    path: '/api/counterparties/:counterpartyId/transactions',
    access: read,
    summary: 'List the transactions with a counterparty',
    query: v.strictObject(page),
    invalid,
    answers: { 200: historySchema },
    handler: async ({ services, caller, params, query }) => {
      const found = await findCounterparty(services, caller, params.counterpartyId)
      return found.ok ? history(services, found.value, query) : found
    },
  }),
  route({
    operationId: 'listAgentCounterparties',
    method: 'GET',
    path: '/api/agents/:agentId/counterparties',
    access: { key: 'organization', scope: 'agents:read' },
    summary: 'List the counterparties that an agent has named itself, with POST /api/sdk/counterparties',
    query: v.strictObject(page),
    answers: { 200: relatedSchema },
    handler: async ({ services, caller, params, query }) => {
      const related = await relationshipsOf(services, caller, params.agentId, query)
      if (!related.ok) return related
      const now = services.now()
      const { page: found, counterparties } = related.value
      // Leaves out counterparties deleted between the two reads.
      const actors = found?.actors.filter((one) => counterparties.has(counterpartyIn(one))) ?? []
      return pageAnswer('counterparties', found && { ...found, actors }, query, (relationship) => {
        const { kind, createdAt } = relationship.context
        const counterparty = counterparties.get(counterpartyIn(relationship))!
        return { ...listItem(counterparty, now), relationship: { kind, createdAt: iso(createdAt) } }
      })
    },
  }),
]

function briefly(actor: Actor<'counterparty'>, now: number): v.InferOutput<typeof lookupSchema>['counterparty'] {
  const { id, name, nameSource, address: shown, status, trustScore } = listItem(actor, now)
  return { id, name, nameSource, address: shown, status, trustScore }
}

async function history(services: Services, counterparty: Actor<'counterparty'>, query: Paging) {
  const { transactionCount, totalVolume, ...rest } = counterparty.context
  const found = await transactionsWith(services, counterparty, query)
  if (!found) return wrongCursor(invalid)
  const refs = [...new Set(found.actors.map((payment): Ref<'agent'> => `agent/${payment.context.terms!.agentId}`))]
  const agents = new Map((await services.host.read(refs)).map((agent) => [agent!.ref, agent!]))
  const listed = pageAnswer('transactions', found, query, (payment) => transactionItem(payment, agents))
  if (!listed.ok) return listed
  const average = averageAmount({ ...rest, transactionCount, totalVolume })
  const summary = { totalVolume: toNumber(totalVolume), transactionCount, averageAmount: toNumber(average) }
  return ok({ ...listed.value.body, summary })
}

function transactionItem(
  payment: Actor<'payment'>,
  agents: ReadonlyMap<Ref, Actor<'agent'>>,
): v.InferOutput<typeof historySchema>['transactions'][number] {
  const { terms, transactionId, executedAt } = payment.context
  const { amount, currency, agentId, purpose } = terms!
  const status = transactionStatus({ state: payment.state, terms: terms! })!
  const { name: agentName } = agents.get(`agent/${agentId}`)!.context
  const paid = { id: transactionId, amount: toNumber(amount), currency, status }
  return { ...paid, agentId, agentName, purpose, createdAt: iso(executedAt!) }
}
