// Tests kept with a policy. An edit that makes one fail is refused unless it is forced.
import {
  checkFacts,
  isAmountFact,
  type FactName,
  type Facts as RuleFacts,
  type FactValue,
} from '../../../rules/facts.js'
import type { Actor } from '../../actor/actor.js'
import { parseAddress } from '../../domain/values/address.js'
import { categoryOf, LONGEST_CATEGORY } from '../../domain/values/category.js'
import { parseAmount } from '../../domain/values/money.js'
import type { PolicyDefinition, PolicyTest } from '../../domain/parties/policy.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Detail } from '../../domain/outcomes/result.js'
import { cleanText } from '../../domain/values/text.js'
import { BASE_SCORE } from '../../domain/parties/trust.js'
import type { Services } from '../ports.js'
import { snapshot } from '../payments/policySnapshot.js'

export interface FailingTest {
  name: string
  message: string
}

/** The default recipient: an address that was never met. */
const UNKNOWN_RECIPIENT = '0x000000000000000000000000000000000000dead'

/** The facts of a case: those of a first payment now, to an unknown recipient, overridden by the case. */
function factsOf({ payment, facts }: PolicyTest, policyId: string, now: number): RuleFacts {
  const given = payment as { amount?: unknown; recipientAddress?: unknown; category?: string }
  const amount = parseAmount(given.amount) ?? 0
  const budgets = ['DAILY', 'WEEKLY', 'MONTHLY', 'TOTAL'].map((period) => [`budget:${policyId}:${period}`, amount])
  const counts = ['MINUTE', 'HOUR', 'DAY', 'WEEK'].map((period) => [`count:${period}`, 1])
  return {
    amount,
    category: categoryOf(given.category ?? null),
    counterpartyCategory: 'OTHER',
    recipient: parseAddress(given.recipientAddress)?.canonical ?? UNKNOWN_RECIPIENT,
    counterpartyStatus: 'UNKNOWN',
    trustScore: BASE_SCORE,
    newCounterparty: true,
    now,
    dayTotal: amount,
    weekTotal: amount,
    monthTotal: amount,
    total: amount,
    ...Object.fromEntries([...budgets, ...counts]),
    ...readFacts(facts),
  }
}

/** Facts as a trace shows them, with amounts as numbers. A wrong amount stays as it is and is refused later. */
function readFacts(facts: Json): RuleFacts {
  const read = Object.entries(facts as { [name: string]: Json }).map(([name, value]): [string, FactValue] => {
    const amount = isAmountFact(name) ? (parseAmount(value, { zero: true }) ?? String(value)) : value
    return [name, amount as FactValue]
  })
  return Object.fromEntries(read) as RuleFacts
}

/** Fields of a payment that a case may give. */
const FIELDS = ['amount', 'recipientAddress', 'category']
/** As in a payment request. */
const CATEGORY = { min: 1, max: LONGEST_CATEGORY }

/** Problems of a case, by path in the body: a case that tests nothing must not pass for one that does. */
export function problemsOf({ payment, facts }: PolicyTest, index: number): Detail[] {
  const at = `tests.${index}`
  const given = payment as { [field: string]: Json }
  const details = Object.keys(given)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({
      path: `${at}.payment.${field}`,
      message: `is not a known field, known are ${FIELDS.join(', ')}`,
    }))
  const { amount, recipientAddress, category } = given
  const wrong = (isRight: boolean, field: string, message: string): void => {
    if (!isRight) details.push({ path: `${at}.payment.${field}`, message })
  }
  wrong(parseAmount(amount) !== undefined, 'amount', 'must be an amount, above 0 and with at most 6 decimals')
  const isAddress = recipientAddress === undefined || parseAddress(recipientAddress) !== undefined
  wrong(isAddress, 'recipientAddress', 'must be an EVM or a Solana address')
  const text = typeof category === 'string' ? cleanText(category, CATEGORY) : undefined
  wrong(
    category === undefined || text?.ok === true,
    'category',
    text?.ok === false ? text.refusal.message : 'must be text',
  )
  const read = readFacts(facts)
  const unfit = checkFacts(Object.keys(read) as FactName[], read)
  return [...details, ...unfit.map(({ path, message }) => ({ path: `${at}.facts.${path}`, message }))]
}

/** The policy's tests that fail under `definition`. */
export async function failingTests(
  services: Services,
  policy: Actor<'policy'>,
  definition: PolicyDefinition,
  tests: readonly PolicyTest[] = policy.context.tests,
): Promise<FailingTest[]> {
  const { id, version, organization } = policy.context
  if (tests.length === 0) return []
  const owner = services.host.peek(`organization/${organization}`)
  const { timezone } = owner!.context.fields
  return casesFailing({ ...services, timezone }, { id, version, definition }, tests)
}

export interface Trial extends Pick<Services, 'rules' | 'now'> {
  timezone: string
}

/** The same for a policy that need not be stored. */
export async function casesFailing(
  { rules, now, timezone }: Trial,
  { id, version, definition }: { id: string; version: number; definition: PolicyDefinition },
  tests: readonly PolicyTest[],
): Promise<FailingTest[]> {
  const policies = definition.isActive ? [snapshot(id, version, definition)] : []
  const failing: FailingTest[] = []
  for (const test of tests) {
    const { outcome } = await rules.explain(policies, timezone, factsOf(test, id, now()))
    if (outcome !== test.expect) {
      failing.push({ name: test.name, message: `expects ${test.expect}, and would be ${outcome}` })
    }
  }
  return failing
}
