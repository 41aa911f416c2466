// Transaction routes for agents and organizations.
import { amountOf } from '../../../domain/payment/terms.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { Services } from '../../../commands/ports.js'
import { findTransaction, listTransactions, type TransactionList } from '../../../commands/payments/transactions.js'
import type { Ref } from '../../../domain/limits/gate.js'
import { toNumber } from '../../../domain/values/money.js'
import { transactionOf, transactionSchema } from './records.js'
import { page } from '../../input/querySchemas.js'
import { iso, ok, pageAnswer, paginationSchema } from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'
import { id, timestamp, recordSchema } from '../../input/schemas.js'

const transactionRecordSchema = recordSchema('TransactionRecord', {
  ...transactionSchema.entries,
  requestId: v.string(),
  amount: v.number(),
  currency: v.string(),
  /** Null, as the wallet, for a payment on a card. */
  recipientAddress: v.nullable(v.string()),
  walletId: v.nullable(v.string()),
  agentId: v.string(),
  agentName: v.string(),
  purpose: v.nullable(v.string()),
  category: v.nullable(v.string()),
  createdAt: v.string(),
})
const listSchema = recordSchema('TransactionList', {
  transactions: v.array(transactionRecordSchema),
  pagination: paginationSchema,
})

function transactionRecord(
  payment: Actor<'payment'>,
  agent: Actor<'agent'>,
): v.InferOutput<typeof transactionRecordSchema> {
  const { id: requestId, terms, executedAt, updatedAt } = payment.context
  const { currency, recipientAddress, walletId, agentId, purpose, category } = terms!
  return {
    ...transactionOf(payment)!,
    requestId,
    amount: toNumber(amountOf(payment.context)),
    currency,
    recipientAddress,
    walletId,
    agentId,
    agentName: agent.context.name,
    purpose,
    category,
    createdAt: iso(executedAt ?? updatedAt),
  }
}

const filters = { ...page, from: v.optional(timestamp()), to: v.optional(timestamp()) }

const agentRef = (payment: Actor<'payment'>): Ref<'agent'> => `agent/${payment.context.terms!.agentId}`

export const transactionRoutes = [
  route({
    operationId: 'listTransactions',
    method: 'GET',
    path: '/api/transactions',
    access: { key: 'organization', scope: 'transactions:read' },
    summary: 'List transactions',
    query: v.strictObject({ ...filters, agentId: v.optional(id()) }),
    answers: { 200: listSchema },
    handler: (call) => transactionPage(call.services, call, call.query),
  }),
  route({
    operationId: 'getTransaction',
    method: 'GET',
    path: '/api/transactions/:transactionId',
    access: { key: 'organization', scope: 'transactions:read' },
    summary: 'Read a transaction',
    answers: { 200: transactionRecordSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findTransaction(services, caller, params.transactionId)
      if (!found.ok) return found
      const [agent] = await services.host.read([agentRef(found.value)])
      return ok(transactionRecord(found.value, agent!))
    },
  }),
  route({
    operationId: 'listOwnTransactions',
    method: 'GET',
    path: '/api/sdk/transactions',
    access: { key: 'agent', scope: 'transactions:read' },
    summary: "List the agent's transactions",
    query: v.strictObject(filters),
    answers: { 200: listSchema },
    handler: (call) => transactionPage(call.services, call, call.query),
  }),
]

async function transactionPage(services: Services, call: Pick<HandlerInput, 'caller'>, query: TransactionList) {
  const found = await listTransactions(services, call.caller, query)
  const refs = [...new Set((found?.actors ?? []).map(agentRef))]
  const agents = await services.host.read(refs)
  return pageAnswer('transactions', found, query, (payment) =>
    transactionRecord(payment, agents[refs.indexOf(agentRef(payment))]!),
  )
}
