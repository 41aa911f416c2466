// Stands between a finished attempt and its commit: what would be one more than the organization may keep is not made.
import { counterpartiesOf } from '../domain/parties/counterparty.js'
import { policiesOf } from '../../machines/policy.js'
import { agentsOf } from '../../machines/agent.js'
import { paymentsOf } from '../domain/payment/lists.js'
import { type List } from '../domain/values/lists.js'
import { charts } from '../../machines/index.js'
import { isGone } from '../actor/turn.js'
import { kindOf, type Actor } from '../actor/actor.js'
import type { Attempt } from '../actor/attempt.js'
import { LIMITED, LIMITED_KINDS, type Limited, type OrganizationLimits } from '../domain/parties/organizationLimits.js'
import { refuseFields, type Refused } from '../domain/outcomes/result.js'
import type { Services } from './ports.js'

/**
 * LIMIT_REACHED where the attempt makes more than the organization may keep. Lists are counted with what is on its way
 * to the disk, and nothing comes between this and the commit: the count is exact.
 */
export function limitReached(
  services: Services,
  organization: string,
  attempt: Attempt,
): Refused<'LIMIT_REACHED'> | undefined {
  const limits = limitsOf(services, organization)
  if (limits === undefined || LIMITED.every((name) => limits[name] === null)) return undefined
  const made = attempt.changed().flatMap(kindMade)
  for (const name of new Set(made)) {
    const full = noRoomFor(services, organization, name, made.filter((other) => other === name).length)
    if (full) return full
  }
  return undefined
}

/** The same before an attempt, where that leaves something behind; the attempt decides. */
export function noRoomFor(
  services: Services,
  organization: string,
  name: Limited,
  more = 1,
): Refused<'LIMIT_REACHED'> | undefined {
  const limit = limitsOf(services, organization)?.[name] ?? null
  if (limit === null) return undefined
  const kept = services.query.size(LISTS[name](organization))
  return kept + more <= limit ? undefined : refused(name, limit, kept)
}

/** Undefined while the organization itself is being made. */
function limitsOf({ host }: Services, organization: string): OrganizationLimits | undefined {
  const actor = host.peek(`organization/${organization}`)
  return actor && actor.context.fields.limits
}

function kindMade({ before, after }: { before: Actor | undefined; after: Actor }): Limited[] {
  const name = LIMITED_KINDS[kindOf(after.ref)]
  return name === undefined || isGone(charts, after) || (before && !isGone(charts, before)) ? [] : [name]
}

const LISTS: Record<Limited, (organization: string) => List> = {
  payments: paymentsOf,
  agents: agentsOf,
  policies: policiesOf,
  counterparties: counterpartiesOf,
}

const SINGULAR: Record<Limited, string> = {
  payments: 'payment',
  agents: 'agent',
  policies: 'policy',
  counterparties: 'counterparty',
}

function refused(name: Limited, limit: number, kept: number): Refused<'LIMIT_REACHED'> {
  // A payment is history from its request on.
  const remedy =
    name === 'payments'
      ? 'they cannot be removed, so have the operator raise it'
      : 'remove some, or have the operator raise it'
  const noun = limit === 1 ? SINGULAR[name] : name
  const message = `allows ${limit} ${noun}, and the organization has ${kept}: ${remedy}`
  return refuseFields([{ path: `limits.${name}`, message }], 'LIMIT_REACHED')
}
