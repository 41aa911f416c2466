// The examples of all operations. A test runs every one of them against a real service.
import { AGENTS } from './agents.js'
import { APPROVALS } from './approvals.js'
import { CARDS } from './cards.js'
import { COUNTERPARTIES } from './counterparties.js'
import type { Examples } from './example.js'
import { ALERTS, AUDIT, CHANNELS, ORGANIZATION, SERVICE, WALLETS, WEBHOOKS } from './organization.js'
import { MACHINES } from './machines.js'
import { PAYMENTS } from './payments.js'
import { POLICIES } from './policies.js'
import { X402 } from './x402.js'

export const EXAMPLES: Examples = {
  ...AGENTS,
  ...PAYMENTS,
  ...POLICIES,
  ...COUNTERPARTIES,
  ...APPROVALS,
  ...ORGANIZATION,
  ...WALLETS,
  ...CARDS,
  ...X402,
  ...WEBHOOKS,
  ...ALERTS,
  ...CHANNELS,
  ...AUDIT,
  ...MACHINES,
  ...SERVICE,
}
