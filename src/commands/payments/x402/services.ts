// The services that were paid by x402: those of an organization, and those of one agent.
import { agentNamedPaymentsOf } from '../../../../machines/payment/lists.js'
import { servicesOf } from '../../../../machines/service.js'
import type { Actor } from '../../../actor/actor.js'
import type { Page, Paging } from '../../../actor/query.js'
import { paymentName } from '../../../domain/payment/terms.js'
import { addCapped, type Micros } from '../../../domain/values/money.js'
import type { Caller, Services } from '../../ports.js'
import { holdOf } from '../../status.js'

export function listServices(
  { query }: Services,
  { principal }: Caller,
  paging: Paging,
): Promise<Page<'service'> | undefined> {
  return query.page({ ...paging, list: servicesOf(principal.organization) })
}

export interface PaidService {
  host: string
  payTo: string[]
  payments: number
  total: Micros
  /** Epoch ms. */
  lastAt: number
}

/** The latest payments of an agent that are looked through, so that the work stays bounded. */
const LOOKED_AT = 1_000
const AT_A_TIME = 100

/** Those that its latest payments by x402 went to, the latest first. */
export async function servicesPaidBy({ query }: Services, agentId: string): Promise<PaidService[]> {
  const list = agentNamedPaymentsOf(agentId, paymentName('rail', 'X402'))
  const byHost = new Map<string, PaidService>()
  let cursor: string | undefined
  for (let seen = 0; seen < LOOKED_AT; seen += AT_A_TIME) {
    const page = await query.page({ list, limit: AT_A_TIME, offset: 0, cursor })
    for (const payment of page?.actors ?? []) count(byHost, payment)
    cursor = page?.nextCursor
    if (cursor === undefined) break
  }
  return [...byHost.values()]
}

/** What was signed counts, as long as it may be paid. */
function count(byHost: Map<string, PaidService>, payment: Actor<'payment'>): void {
  const { terms, createdAt } = payment.context
  if (holdOf(payment) !== 'captured') return
  const { x402, recipientAddress, amount } = terms!
  const { host } = x402!
  const known = byHost.get(host) ?? { host, payTo: [], payments: 0, total: 0, lastAt: createdAt }
  known.payments += 1
  known.total = addCapped(known.total, amount)
  if (!known.payTo.includes(recipientAddress!)) known.payTo.push(recipientAddress!)
  byHost.set(host, known)
}
