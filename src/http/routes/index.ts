// The route table: all routes, by noun. The router and /openapi.json are made from it.
import { agentRoutes } from './agents.js'
import { alertRoutes } from './alerts.js'
import { auditRoutes } from './audit.js'
import { agentCounterpartyRoutes } from './counterparties/agents.js'
import { cardRoutes } from './cards.js'
import { cardPaymentRoutes } from './payments/cardPayments.js'
import { changeRoutes } from './changes.js'
import { channelRoutes } from './channels/channels.js'
import { slackRoutes } from './channels/slack.js'
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
import { oauthRoutes } from './oauth.js'
import { organizationPaymentRoutes, paymentRoutes } from './payments/payments.js'
import { receiptRoutes } from './payments/receipts.js'
import { paymentSearchRoutes } from './payments/search.js'
import type { Operation } from '../server/route.js'
import { policyRoutes } from './policies/policies.js'
import { policyImpactRoutes } from './policies/impact.js'
import { policyTrialRoutes } from './policies/dryRun.js'
import { policyVersionRoutes } from './policies/versions.js'
import { sessionRoutes } from './people/sessions.js'
import { sanctionsRoutes } from './counterparties/sanctions.js'
import { setupRoutes } from './people/setup.js'
import { setUpLinkRoutes } from './people/setUpLinks.js'
import { statsRoutes } from './stats.js'
import { testPaymentRoute } from './payments/testPayment.js'
import { transactionRoutes } from './payments/transactions.js'
import { walletRoutes } from './wallets.js'
import { x402Routes } from './payments/x402.js'
import { webhookRoutes } from './webhooks.js'
import { workflowRoutes } from './people/workflows.js'

export const operations: readonly Operation[] = [
  ...agentRoutes,
  testPaymentRoute,
  ...delegationRoutes,
  ...agentKeyRoutes,
  ...organizationKeyRoutes,
  ...oauthRoutes,
  ...walletRoutes,
  ...paymentRoutes,
  ...externalPaymentRoutes,
  ...cardRoutes,
  ...cardPaymentRoutes,
  ...x402Routes,
  ...paymentSearchRoutes,
  ...organizationPaymentRoutes,
  ...approvalRoutes,
  ...changeRoutes,
  ...workflowRoutes,
  ...transactionRoutes,
  ...statsRoutes,
  ...policyRoutes,
  ...policyVersionRoutes,
  ...policyImpactRoutes,
  ...policyTrialRoutes,
  ...auditRoutes,
  ...receiptRoutes,
  ...machineRoutes,
  ...inspectRoutes,
  ...counterpartyRoutes,
  ...counterpartyReadRoutes,
  counterpartyImportRoute,
  ...agentCounterpartyRoutes,
  ...sanctionsRoutes,
  ...setupRoutes,
  ...organizationRoutes,
  ...freezeRoutes,
  ...memberRoutes,
  ...sessionRoutes,
  ...setUpLinkRoutes,
  ...webhookRoutes,
  ...alertRoutes,
  ...channelRoutes,
  ...slackRoutes,
]
