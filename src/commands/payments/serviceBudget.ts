// What an agent has paid to a service by x402, for X402_MAX_PER_SERVICE. The service is the widest entry of the allowed
// services that covers the host: else a host could multiply the limit by its subdomains.
import type { PolicySnapshot } from '../../../rules/compile.js'
import { servicesListed } from '../../../rules/rule.js'
import type { Ref } from '../../domain/limits/gate.js'
import { NO_TALLY, tallyAt } from '../../domain/limits/tally.js'
import { registeredPart, widestScope } from '../../domain/payment/x402.js'
import { derivedId } from '../../domain/values/ids.js'
import type { Services } from '../ports.js'
import type { SharedBudget } from './budgets.js'

/** The name of the budget among those of policies, whose names are ids. */
export const SERVICE_BUDGET = 'service'

/** The service that a host belongs to, under these policies. */
export function serviceOf(host: string, policies: readonly PolicySnapshot[]): string {
  const listed = new Set(policies.flatMap(({ rules }) => servicesListed(rules)))
  return widestScope(host, listed) ?? registeredPart(host)
}

/** It counts from the agent's first payment under such a limit. */
export function serviceBudget(
  { host: actors }: Services,
  agentId: string,
  host: string,
  policies: readonly PolicySnapshot[],
  { now, timezone }: { now: number; timezone: string },
): SharedBudget {
  const ref: Ref<'budget'> = `budget/${derivedId('service-budget', agentId, serviceOf(host, policies))}`
  const tally = actors.peek(ref)?.context.tally ?? NO_TALLY
  return { ref, tally: tallyAt(tally, now, timezone) }
}
