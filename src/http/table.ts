// The route table: all routes, by noun. The router and /openapi.json are made from it.
import type { Services } from '../commands/ports.js'
import { agentRoutes } from './agents.js'
import { auditRoutes } from './audit.js'
import { agentCounterpartyRoutes } from './agentCounterparties.js'
import { changeRoutes } from './changes.js'
import { counterpartyRoutes } from './counterparties.js'
import { counterpartyImportRoute } from './counterpartyImports.js'
import { counterpartyReadRoutes } from './counterpartyReads.js'
import { approvalRoutes } from './approvals.js'
import { delegationRoutes } from './delegations.js'
import { externalPaymentRoutes } from './externalPayments.js'
import { agentKeyRoutes, organizationKeyRoutes } from './keys.js'
import { inspectRoutes } from './inspect.js'
import { machineRoutes } from './machines.js'
import { memberRoutes } from './members.js'
import { freezeRoutes, organizationRoutes } from './organizations.js'
import { pageRoutes } from './pages.js'
import { organizationPaymentRoutes, paymentRoutes } from './payments.js'
import { receiptRoutes } from './receipts.js'
import type { Route } from './route.js'
import { policyRoutes } from './policies.js'
import { policyImpactRoutes } from './policyImpact.js'
import { policyTrialRoutes } from './policyTrials.js'
import { policyVersionRoutes } from './policyVersions.js'
import { sessionRoutes } from './sessions.js'
import { sanctionsRoutes } from './sanctions.js'
import { setupRoutes } from './setup.js'
import { transactionRoutes } from './transactions.js'
import { walletRoutes } from './wallets.js'
import { webhookRoutes } from './webhooks.js'
import { workflowRoutes } from './workflows.js'

export function routeTable(services: Services): Route[] {
  return [
    ...agentRoutes(services),
    ...delegationRoutes(services),
    ...agentKeyRoutes(services),
    ...organizationKeyRoutes(services),
    ...walletRoutes(services),
    ...paymentRoutes(services),
    ...externalPaymentRoutes(services),
    ...organizationPaymentRoutes(services),
    ...approvalRoutes(services),
    ...changeRoutes(services),
    ...workflowRoutes(services),
    ...transactionRoutes(services),
    ...policyRoutes(services),
    ...policyVersionRoutes(services),
    ...policyImpactRoutes(services),
    ...policyTrialRoutes(services),
    ...auditRoutes(services),
    ...receiptRoutes(services),
    ...machineRoutes(services),
    ...inspectRoutes(services),
    ...counterpartyRoutes(services),
    ...counterpartyReadRoutes(services),
    counterpartyImportRoute(services),
    ...agentCounterpartyRoutes(services),
    ...sanctionsRoutes(services),
    ...setupRoutes(services),
    ...organizationRoutes(services),
    ...freezeRoutes(services),
    ...memberRoutes(services),
    ...sessionRoutes(services),
    ...pageRoutes(),
    ...webhookRoutes(services),
  ]
}
