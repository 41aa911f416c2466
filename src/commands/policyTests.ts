// Cases kept with a policy: a change that makes one of them fail is refused unless it is forced.
import type { FactValues } from '../../rules/evaluate.js'
import type { PolicyContext } from '../../machines/policy.js'
import type { Actor } from '../actor/actor.js'
import { parseAddress } from '../domain/address.js'
import { parseAmount } from '../domain/money.js'
import type { PolicyDefinition, PolicyTest } from '../domain/policy.js'
import type { Services } from './ports.js'
import { rulesHash } from './policies.js'

export interface FailingTest {
  name: string
  message: string
}

/** Where nobody is named: an address that was never met. */
const NOBODY = '0x000000000000000000000000000000000000dead'

/** The facts of a case: those of a first payment, now, to nobody known, but for what the case says. */
function factsOf({ payment, facts }: PolicyTest, policyId: string, now: number): FactValues {
  const given = payment as { amount?: unknown; recipientAddress?: unknown; category?: string }
  const amount = parseAmount(given.amount) ?? 0
  const budgets = ['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'].map((period) => [`budget:${policyId}:${period}`, amount])
  const counts = ['MINUTE', 'HOUR', 'DAY', 'WEEK'].map((period) => [`count:${period}`, 1])
  return {
    amount,
    category: (given.category ?? '').normalize('NFC').toUpperCase(),
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
    ...(facts as FactValues),
  }
}

/** The policy's cases that `definition` would decide otherwise than they expect. */
export async function failingTests(
  services: Services,
  policy: Actor,
  definition: PolicyDefinition,
  tests: readonly PolicyTest[] = (policy.context as unknown as PolicyContext).tests,
): Promise<FailingTest[]> {
  const { id, version } = policy.context as unknown as PolicyContext
  const { name, priority, rules, isActive } = definition
  const snapshot = { id, version, name, priority, contentHash: rulesHash(rules), rules }
  const failing: FailingTest[] = []
  for (const test of tests) {
    const facts = factsOf(test, id, services.now())
    const { outcome } = await services.rules.evaluate(isActive ? [snapshot] : [], 'UTC', facts)
    if (outcome !== test.expect) {
      failing.push({ name: test.name, message: `expects ${test.expect}, and would be ${outcome}` })
    }
  }
  return failing
}
