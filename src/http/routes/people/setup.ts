// Routes that tell an agent about its setup: itself, its organization, its wallets with balances, its key.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { findAgent } from '../../../commands/agents/agents.js'
import { listPoliciesOf } from '../../../commands/payments/policySet.js'
import { remainingLimits, type AgentLimits, type WalletLimits } from '../../../commands/payments/limits/remaining.js'
import { toNumber, type Micros } from '../../../domain/values/money.js'
import { SETTLEMENT_MODES } from '../../../domain/payment/settlement.js'
import { agentRecord, agentSchema } from '../agents.js'
import { activeDelegations, delegationPage, delegationSchema } from '../delegations.js'
import { policySummaries, policySummary, policySummarySchema } from '../policies/summaries.js'
import { page } from '../../input/querySchemas.js'
import { iso, ok, pageAnswer, paginationSchema } from '../../server/respond.js'
import { recordSchema } from '../../input/schemas.js'
import { route } from '../../server/route.js'

/** What would freeze it is for those who watch it. */
const { autoFreeze: _thresholds, frozenFor: _cause, ...ownEntries } = agentSchema.entries

const setupSchema = recordSchema('Setup', {
  agent: recordSchema('OwnAgent', ownEntries),
  organization: v.object({ id: v.string(), name: v.string() }),
  wallets: v.array(v.object({ ...delegationSchema.entries, balance: v.number(), currency: v.string() })),
  policies: v.array(policySummarySchema),
  key: v.object({
    name: v.string(),
    keyPrefix: v.string(),
    scopes: v.array(v.string()),
    expiresAt: v.nullable(v.string()),
  }),
  settlementMode: v.picklist(SETTLEMENT_MODES),
})
const walletsSchema = recordSchema('AgentWallets', {
  wallets: setupSchema.entries.wallets,
  pagination: paginationSchema,
})
const leftSchema = v.nullable(v.number())
const limitsSchema = recordSchema('AgentLimits', {
  wallets: v.array(
    v.object({
      walletId: v.string(),
      currency: v.string(),
      balance: v.number(),
      perPayment: leftSchema,
      remaining: v.object({ day: leftSchema, week: leftSchema, month: leftSchema }),
      resetsAt: v.object({ day: v.string(), week: v.string(), month: v.string() }),
      openNow: v.boolean(),
      opensAt: v.optional(v.string()),
    }),
  ),
  approvalAbove: v.optional(v.number()),
  recipients: v.picklist(['ANY', 'LISTED']),
  updatedAt: v.string(),
})
const policiesSchema = recordSchema('AgentPolicies', {
  policies: setupSchema.entries.policies,
  pagination: paginationSchema,
})

export const setupRoutes = [
  route({
    operationId: 'getSetup',
    method: 'GET',
    path: '/api/sdk/setup',
    access: { key: 'agent' },
    summary: 'The agent of the key, and the wallets that it may spend from',
    answers: { 200: setupSchema },
    refuses: ['NOT_FOUND'],
    handler: async ({ services, caller, principal }) => {
      const { agent, organization, name, keyPrefix, scopes, expiresAt } = principal
      const found = await findAgent(services, caller, agent!)
      if (!found.ok) return found
      const [owner] = await services.host.read([`organization/${organization}`])
      const wallets = await activeDelegations(services, caller, agent!, fundsOf)
      if (!wallets.ok) return wallets
      const { autoFreeze: _shownTo, frozenFor: _others, ...own } = agentRecord(found.value)
      return ok({
        agent: own,
        organization: { id: organization, name: owner!.context.fields.name },
        wallets: wallets.value,
        policies: await policySummaries(services, caller, agent!),
        key: { name, keyPrefix, scopes, expiresAt: expiresAt ?? null },
        settlementMode: services.settlementMode,
      })
    },
  }),
  route({
    operationId: 'listOwnWallets',
    method: 'GET',
    path: '/api/sdk/wallets',
    access: { key: 'agent', scope: 'wallets:read' },
    summary: 'The wallets the agent may spend from',
    query: v.strictObject(page),
    answers: { 200: walletsSchema },
    refuses: ['NOT_FOUND'],
    handler: (call) => {
      const query = { ...call.query, ended: false }
      return delegationPage(call.services, call.caller, call.principal.agent!, query, fundsOf)
    },
  }),
  route({
    operationId: 'getOwnLimits',
    method: 'GET',
    path: '/api/sdk/limits',
    access: { key: 'agent', scope: 'wallets:read' },
    summary: 'What the agent may spend now',
    answers: { 200: limitsSchema },
    handler: async ({ services, caller }) => ok(limitsRecord(await remainingLimits(services, caller))),
  }),
  route({
    operationId: 'getAgentLimits',
    method: 'GET',
    path: '/api/agents/:agentId/limits',
    access: { key: 'organization', scope: 'agents:read' },
    summary: 'What an agent may spend now',
    answers: { 200: limitsSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findAgent(services, caller, params.agentId)
      if (!found.ok) return found
      const asAgent = { ...caller, principal: { ...caller.principal, agent: params.agentId } }
      return ok(limitsRecord(await remainingLimits(services, asAgent)))
    },
  }),
  route({
    operationId: 'listOwnPolicies',
    method: 'GET',
    path: '/api/sdk/policies',
    access: { key: 'agent', scope: 'policies:read' },
    summary: 'The policies that apply to the agent',
    query: v.strictObject(page),
    answers: { 200: policiesSchema },
    handler: async ({ services, caller, principal, query }) => {
      const found = await listPoliciesOf(services, caller, principal.agent!, query)
      return pageAnswer('policies', found, query, policySummary)
    },
  }),
]

/** What is left, in whole and for each wallet. */
function limitsRecord({ wallets, approvalAbove, recipients, updatedAt }: AgentLimits) {
  return {
    wallets: wallets.map(walletLimits),
    ...(approvalAbove !== undefined && { approvalAbove: toNumber(approvalAbove) }),
    recipients,
    updatedAt: iso(updatedAt),
  }
}

function walletLimits({ balance, perPayment, remaining, resetsAt, opensAt, ...limits }: WalletLimits) {
  const { walletId, currency, openNow } = limits
  const left = (amount: Micros | null): number | null => amount && toNumber(amount)
  return {
    walletId,
    currency,
    balance: toNumber(balance),
    perPayment: left(perPayment),
    remaining: { day: left(remaining.day), week: left(remaining.week), month: left(remaining.month) },
    resetsAt: { day: iso(resetsAt.day), week: iso(resetsAt.week), month: iso(resetsAt.month) },
    openNow,
    ...(opensAt !== undefined && { opensAt: iso(opensAt) }),
  }
}

/** A wallet's funds, as far as the agent may see them. */
function fundsOf(wallet: Actor<'wallet'>): { balance: number; currency: string } {
  const { balance, fields } = wallet.context
  return { balance: toNumber(balance), currency: fields.currency }
}
