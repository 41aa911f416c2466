// ALLOWED_CATEGORIES and BLOCKED_CATEGORIES: payments by category, both the payment's own and, unless it is OTHER, the
// one that an administrator gave the counterparty. A payment without a category never passes.
import type { Condition } from '../condition.js'
import type { Facts } from '../facts.js'
import { shownList } from '../shown.js'
import { ruleType, type Action, type Bound, type RuleType, type Terms } from './ruleType.js'
import { category, setOf } from './values.js'

/** How a message begins about the category that an administrator gave the counterparty. */
export const OF_COUNTERPARTY = "The counterparty's category "

/** The category of a counterparty without one. */
const UNSET = 'OTHER'

export const allowedCategories = categories(['ALLOW', 'DENY', 'REQUIRE_APPROVAL'])
export const blockedCategories = categories(['DENY', 'REQUIRE_APPROVAL'])

function categories(actions: RuleType['actions']): RuleType {
  return ruleType({
    operators: ['IN_LIST'],
    actions,
    violation: 'CATEGORY_RESTRICTION',
    schema: setOf(category),
    bind: ({ value, action }: Terms<string[]>): Bound => ({
      condition: action === 'ALLOW' ? allWithin(value) : noneOrSomeWithin(value),
      mentions: ['category', 'counterpartyCategory'],
      explain: (facts) => explain(facts, value, action),
    }),
  })
}

function allWithin(value: string[]): Condition {
  return {
    all: [
      { fact: 'category', operator: 'in', value },
      { fact: 'counterpartyCategory', operator: 'in', value: [...new Set([...value, UNSET])] },
    ],
  }
}

/** For DENY and REQUIRE_APPROVAL: leaving out the category must not evade the rule. */
function noneOrSomeWithin(value: string[]): Condition {
  const set = value.filter((entry) => entry !== UNSET)
  const some: Condition[] = [
    { fact: 'category', operator: 'equal', value: '' },
    { fact: 'category', operator: 'in', value },
  ]
  return { any: set.length === 0 ? some : [...some, { fact: 'counterpartyCategory', operator: 'in', value: set }] }
}

/** Names the deciding category: the first on the wrong side of the list, else the payment's. */
function explain({ category: own = '', counterpartyCategory = UNSET }: Facts, value: string[], action: Action): string {
  if (own === '') return `The payment names no category, as a rule about ${shownList(value)} needs`
  const isWrong = (entry: string): boolean => value.includes(entry) !== (action === 'ALLOW')
  const isOwn = isWrong(own) || counterpartyCategory === UNSET || !isWrong(counterpartyCategory)
  const decisive = isOwn ? own : counterpartyCategory
  const is = value.includes(decisive) ? 'is' : 'is not'
  return `${isOwn ? "The payment's category " : OF_COUNTERPARTY}${decisive} ${is} one of ${shownList(value)}`
}
