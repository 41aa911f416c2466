// The route table: all routes, by noun. The router and /openapi.json are made from it.
import type { Services } from '../../commands/ports.js'
import { agentRoutes } from './agents.js'
import { alertRoutes } from './alerts.js'
import { auditRoutes } from './audit.js'
import { agentCounterpartyRoutes } from './counterparties/agents.js'
import { channelRoutes } from './channels/channels.js'
import { slackRoutes } from './channels/slack.js'
import { changeRoutes } from './changes.js'
import { counterpartyRoutes } from './counterparties/counterparties.js'
import { counterpartyImportRoute } from './counterparties/imports.js'
import { counterpartyReadRoutes } from './counterparties/reads.js'
import { approvalRoutes } from './approvals.js'
import { delegationRoutes } from './delegations.js'
import { externalPaymentRoutes } from './payments/externalPayments.js'
import { agentKeyRoutes, organizationKeyRoutes } from './people/keys.js'
import { inspectRoutes } from './inspect.js'
import { machineRoutes } from './machines.js'
import { memberRoutes } from './people/members.js'
import { freezeRoutes, organizationRoutes } from './organizations.js'
import { pageRoutes } from './pages.js'
import { organizationPaymentRoutes, paymentRoutes } from './payments/payments.js'
import { receiptRoutes } from './payments/receipts.js'
import type { Route } from '../server/route.js'
import { policyRoutes } from './policies/policies.js'
import { policyImpactRoutes } from './policies/impact.js'
import { policyTrialRoutes } from './policies/dryRun.js'
import { policyVersionRoutes } from './policies/versions.js'
import { sessionRoutes } from './people/sessions.js'
import { sanctionsRoutes } from './counterparties/sanctions.js'
import { setupRoutes } from './people/setup.js'
import { transactionRoutes } from './payments/transactions.js'
import { walletRoutes } from './wallets.js'
import { webhookRoutes } from './webhooks.js'
import { workflowRoutes } from './people/workflows.js'

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
    ...alertRoutes(services),
    ...channelRoutes(services),
    ...slackRoutes(services),
  ]
}
