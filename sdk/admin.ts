// What an organization holds: every route of its side, by noun. Its key is an organization key (`service_…`), an
// operator's for `organizations`, or none on a page of the service's own origin, where the session's cookie stands in.
import { agents } from './admin/agents.js'
import { approvals, workflows } from './admin/approvals.js'
import { audit } from './admin/audit.js'
import { counterparties } from './admin/counterparties.js'
import { governance } from './admin/governance.js'
import { keys, members, organization, organizations } from './admin/organization.js'
import { machines } from './admin/machines.js'
import { payments, transactions } from './admin/payments.js'
import { policies } from './admin/policies.js'
import { service } from './admin/service.js'
import { session } from './admin/session.js'
import { wallets } from './admin/wallets.js'
import { webhooks } from './admin/webhooks.js'
import { connect } from './call.js'
import type { ClientOptions } from './send.js'

export interface BursarAdminOptions extends ClientOptions {
  apiKey?: string | undefined
}

export class BursarAdmin {
  readonly agents: ReturnType<typeof agents>
  readonly wallets: ReturnType<typeof wallets>
  readonly policies: ReturnType<typeof policies>
  readonly payments: ReturnType<typeof payments>
  readonly transactions: ReturnType<typeof transactions>
  readonly counterparties: ReturnType<typeof counterparties>
  readonly approvals: ReturnType<typeof approvals>
  readonly workflows: ReturnType<typeof workflows>
  readonly governance: ReturnType<typeof governance>
  readonly webhooks: ReturnType<typeof webhooks>
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
    this.policies = policies(client)
    this.payments = payments(client)
    this.transactions = transactions(client)
    this.counterparties = counterparties(client)
    this.approvals = approvals(client)
    this.workflows = workflows(client)
    this.governance = governance(client)
    this.webhooks = webhooks(client)
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
