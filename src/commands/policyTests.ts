// Cases kept with a policy: a change that makes one of them fail is refused unless it is forced.
import { categoryOf } from '../../rules/category.js'
import type { Facts as RuleFacts } from '../../rules/facts.js'
import type { PolicyContext } from '../../machines/policy.js'
import type { Actor } from '../actor/actor.js'
import { parseAddress } from '../domain/address.js'
import { parseAmount } from '../domain/money.js'
import type { PolicyDefinition, PolicyTest } from '../domain/policy.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { find, outcome, tell, type Done } from './ask.js'
import type { Caller, Services } from './ports.js'
import { snapshot } from './policySet.js'

export interface FailingTest {
  name: string
  message: string
}

/** Where nobody is named: an address that was never met. */
const NOBODY = '0x000000000000000000000000000000000000dead'

/** The facts of a case: those of a first payment, now, to nobody known, but for what the case says. */
function factsOf({ payment, facts }: PolicyTest, policyId: string, now: number): RuleFacts {
  const given = payment as { amount?: unknown; recipientAddress?: unknown; category?: string }
  const amount = parseAmount(given.amount) ?? 0
  const budgets = ['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'].map((period) => [`budget:${policyId}:${period}`, amount])
  const counts = ['MINUTE', 'HOUR', 'DAY', 'WEEK'].map((period) => [`count:${period}`, 1])
  return {
    amount,
    category: categoryOf(given.category ?? ''),
    counterpartyCategory: 'OTHER',
    recipient: parseAddress(given.recipientAddress)?.canonical ?? NOBODY,
    counterpartyStatus: 'UNKNOWN',
    trustScore: 20,
    newCounterparty: true,
    now,
    dayTotal: amount,
    weekTotal: amount,
    monthTotal: amount,
    total: amount,
    ...Object.fromEntries([...budgets, ...counts]),
    ...(facts as RuleFacts),
  }
}

/** Keeps these cases with the policy, in place of those before; refused where the policy does not pass them now. */
export async function keepTests(
  services: Services,
  caller: Caller,
  policyId: string,
  tests: readonly PolicyTest[],
): Promise<Done | Refused> {
  const found = await find(services, caller, 'policy', policyId)
  if (!found.ok) return found
  const { definition } = found.actor.context as unknown as PolicyContext
  const failing = await failingTests(services, found.actor, definition, tests)
  const details = failing.map(({ name, message }) => ({ path: name, message }))
  if (failing.length > 0) return refuse('POLICY_TESTS_FAILED', 'The policy does not pass these tests now', { details })
  return outcome(await tell(services, caller, found.actor.ref, 'TEST', { tests }))
}

/** The policy's cases that `definition` would decide otherwise than they expect. */
export async function failingTests(
  services: Services,
  policy: Actor,
  definition: PolicyDefinition,
  tests: readonly PolicyTest[] = (policy.context as unknown as PolicyContext).tests,
): Promise<FailingTest[]> {
  const { id, version } = policy.context as unknown as PolicyContext
  const policies = definition.isActive ? [snapshot(id, version, definition)] : []
  const failing: FailingTest[] = []
  for (const test of tests) {
    const facts = factsOf(test, id, services.now())
    const { outcome } = await services.rules.evaluate(policies, 'UTC', facts)
    if (outcome !== test.expect) {
      failing.push({ name: test.name, message: `expects ${test.expect}, and would be ${outcome}` })
    }
  }
  return failing
}
