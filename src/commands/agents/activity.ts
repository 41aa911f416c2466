// What a list shows of each agent: what it may still spend today, and its last payment.
import { agentPaymentsOf } from '../../../machines/payment/lists.js'
import { delegationsOf } from '../../../machines/delegation.js'
import type { Actor } from '../../actor/actor.js'
import { sumsAt } from '../../domain/limits/sums.js'
import { addCapped, type Micros } from '../../domain/values/money.js'
import { SLICES_OF_READ } from '../overdue.js'
import type { Caller, Services } from '../ports.js'

export interface RecentActivity {
  /** The number of its delegations in force, and their sums together. */
  wallets: number
  spentToday: Micros
  reserved: Micros
  /** Null where one of them has no daily limit, or there is none. */
  dailyLimit: Micros | null
  lastPayment: Actor<'payment'> | undefined
}

/** In the order of the agents, which are those of a page. */
export async function activitiesOf(services: Services, caller: Caller, agentIds: readonly string[]) {
  const { query, overdue } = services
  const held = agentIds.flatMap((agentId) => query.refs(delegationsOf(agentId, 'active')))
  await overdue.endAt(caller.principal.organization, held, SLICES_OF_READ)
  const found: RecentActivity[] = []
  // One after the other: an agent may have many wallets, and payments go on between them.
  for (const agentId of agentIds) {
    found.push(await activityOf(services, agentId))
    await services.breathe()
  }
  return found
}

async function activityOf({ query, now }: Services, agentId: string): Promise<RecentActivity> {
  const [delegations, latest] = await Promise.all([
    query.all(delegationsOf(agentId, 'active')),
    query.page({ list: agentPaymentsOf(agentId), limit: 1, offset: 0 }),
  ])
  return { ...today(delegations, now()), lastPayment: latest?.actors[0] }
}

function today(delegations: readonly Actor<'delegation'>[], now: number): Omit<RecentActivity, 'lastPayment'> {
  let spentToday = 0
  let reserved = 0
  let dailyLimit: Micros | null = delegations.length === 0 ? null : 0
  for (const { context } of delegations) {
    const { terms, sums, clock } = context
    const current = sumsAt(sums, Math.max(now, clock), terms.timezone)
    spentToday = addCapped(spentToday, current.day.spent)
    reserved = addCapped(reserved, current.held)
    const limit = terms.spendLimitDaily
    dailyLimit = dailyLimit === null || limit === null ? null : addCapped(dailyLimit, limit)
  }
  return { wallets: delegations.length, spentToday, reserved, dailyLimit }
}
