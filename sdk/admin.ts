// The client for organizations: a method for each of their routes, grouped by noun. It authenticates with an
// organization key (`service_…`), with the operator's key for `organizations`, or, on a page of the service's own
// origin, with the session's cookie instead of a key.
import { agents } from './admin/agents.js'
import { alerts } from './admin/alerts.js'
import { approvals, workflows } from './admin/approvals.js'
import { audit } from './admin/audit.js'
import { cards } from './admin/cards.js'
import { channels } from './admin/channels.js'
import { counterparties } from './admin/counterparties.js'
import { governance } from './admin/governance.js'
import { keys, members, organization, organizations } from './admin/organization.js'
import { machines } from './admin/machines.js'
import { payments, transactions } from './admin/payments.js'
import { policies } from './admin/policies.js'
import { service } from './admin/service.js'
import { session } from './admin/session.js'
import { stats } from './admin/stats.js'
import { wallets } from './admin/wallets.js'
import { webhooks } from './admin/webhooks.js'
import { x402 } from './admin/x402.js'
import { connect } from './call.js'
import type { ClientOptions } from './send.js'

export interface BursarAdminOptions extends ClientOptions {
  /** An organization key, or the operator's key; undefined to use the session's cookie. */
  apiKey?: string | undefined
}

/**
 * Calls the service for one organization. Amounts are USDC: requests take decimal text or a number with at most 6
 * decimals, answers have numbers. Times in answers are ISO 8601. Methods throw `BursarError`, the reason of `signal` if
 * that ends the call, and a TypeError for an empty id. A change that governance holds back throws REQUIRES_APPROVAL
 * with the `approvalRequestId`.
 */
export class BursarAdmin {
  readonly agents: ReturnType<typeof agents>
  readonly wallets: ReturnType<typeof wallets>
  readonly cards: ReturnType<typeof cards>
  readonly policies: ReturnType<typeof policies>
  readonly payments: ReturnType<typeof payments>
  readonly transactions: ReturnType<typeof transactions>
  readonly stats: ReturnType<typeof stats>
  readonly x402: ReturnType<typeof x402>
  readonly counterparties: ReturnType<typeof counterparties>
  readonly approvals: ReturnType<typeof approvals>
  readonly workflows: ReturnType<typeof workflows>
  readonly governance: ReturnType<typeof governance>
  readonly webhooks: ReturnType<typeof webhooks>
  readonly alerts: ReturnType<typeof alerts>
  readonly channels: ReturnType<typeof channels>
  readonly audit: ReturnType<typeof audit>
  readonly machines: ReturnType<typeof machines>
  readonly organization: ReturnType<typeof organization>
  readonly organizations: ReturnType<typeof organizations>
  readonly keys: ReturnType<typeof keys>
  readonly members: ReturnType<typeof members>
  readonly session: ReturnType<typeof session>
  readonly service: ReturnType<typeof service>

  constructor(options: BursarAdminOptions) {
    const client = connect(options)
    this.agents = agents(client)
    this.wallets = wallets(client)
    this.cards = cards(client)
    this.policies = policies(client)
    this.payments = payments(client)
    this.transactions = transactions(client)
    this.stats = stats(client)
    this.x402 = x402(client)
    this.counterparties = counterparties(client)
    this.approvals = approvals(client)
    this.workflows = workflows(client)
    this.governance = governance(client)
    this.webhooks = webhooks(client)
    this.alerts = alerts(client)
    this.channels = channels(client)
    this.audit = audit(client)
    this.machines = machines(client)
    this.organization = organization(client)
    this.organizations = organizations(client)
    this.keys = keys(client)
    this.members = members(client)
    this.session = session(client)
    this.service = service(client)
  }
}
