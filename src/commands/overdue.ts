// Which holds may be to blame for a denial: those at gates whose sums or balances a violation is about. Commands have
// the overdue ones among them ended before they deny, because a hold that is over denies nothing and asks nobody.
import { kindOf } from '../actor/actor.js'
import type { Gate, Ref } from '../domain/limits/gate.js'
import type { Violation, ViolationType } from '../domain/outcomes/violation.js'
import type { Evaluated } from './payments/evaluate.js'
import type { GatheredFacts } from './payments/facts.js'
import type { Services } from './ports.js'

/** Violations that may come from holds: those of sums, counts and balances. */
const OF_SUMS: ReadonlySet<ViolationType> = new Set([
  'DAILY_LIMIT',
  'WEEKLY_LIMIT',
  'MONTHLY_LIMIT',
  'BUDGET_EXCEEDED',
  'VELOCITY_LIMIT',
  'X402_SERVICE_LIMIT',
  'COMPOSITE',
  'INSUFFICIENT_BALANCE',
])

/** Reads end so much of what is overdue before they show sums and lists: some hundred payments. */
export const SLICES_OF_READ = 40

export function isOfSums({ type }: Violation): boolean {
  return OF_SUMS.has(type)
}

/** The gates at which holds may be to blame that a route denies the payment. No rule asks a person for its sums. */
export function gatesToBlame({ agent }: GatheredFacts, { considered, evaluation }: Evaluated): Ref[] {
  const { route, numbers } = considered
  const ofSums = evaluation.violations.filter(isOfSums)
  const isFunds = ({ type }: Violation): boolean => type === 'INSUFFICIENT_BALANCE'
  const isTally = ({ type, policyId }: Violation): boolean => policyId !== undefined || type === 'BUDGET_EXCEEDED'
  const budgets = [...numbers.budgets.values()].map(({ ref }) => ref)
  return [
    ...(ofSums.some(isTally) ? [agent.ref, ...budgets] : []),
    ...(ofSums.some((one) => !isTally(one) && !isFunds(one)) ? [route.leave.ref] : []),
    ...(ofSums.some(isFunds) ? [route.ref] : []),
  ]
}

/** The gates of these kinds. */
export function gatesOfKinds(gates: readonly Gate[], kinds: readonly string[]): Ref[] {
  return gates.map(({ ref }) => ref).filter((ref) => kinds.includes(kindOf(ref)))
}

/**
 * Decides again and again, while there are overdue holds at the gates that `toBlame` finds in the decision: each time
 * twice as many slices of them are ended before. The last decision is made after that: holds that others ended during
 * the one before deny nothing either.
 */
export async function withoutOverdue<Decided>(
  { overdue }: Services,
  organization: string,
  decide: () => Promise<Decided>,
  toBlame: (decided: Decided) => readonly Ref[],
): Promise<Decided> {
  let isLast = false
  for (let slices = 1; ; slices *= 2) {
    const wasAny = overdue.isAny(organization)
    const decided = await decide()
    const gates: readonly Ref[] = isLast ? [] : toBlame(decided)
    if (gates.length === 0) return decided
    isLast = (await overdue.endAt(organization, gates, slices)) === 0
    if (isLast && !wasAny) return decided
  }
}
