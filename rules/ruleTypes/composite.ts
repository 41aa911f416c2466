// ALL_OF and ANY_OF: all conditions, or at least one, must be met. A condition is a rule without an action; the
// outermost composite's action applies to all.
import type { Json } from '../../src/domain/values/canonical.js'
import { refuseField, succeed } from '../../src/domain/outcomes/result.js'
import { predicateOf } from '../condition.js'
import { shownList, quoted } from '../shown.js'
import { within, type Operator, type ValuePlace } from './ruleType.js'
import type { Bound, Read, RuleType, Setting, Terms } from './ruleType.js'
import { faultsOf } from './faults.js'
import { countingOf, readTerms, isSharedBudget, type Catalogue, type StoredRule, type WrittenTerms } from './terms.js'
import { MAX_ENTRIES } from './values.js'

/** Nesting depth of composites, the rule itself included. */
const MAX_NESTED = 5

type Kind = 'ALL_OF' | 'ANY_OF'

/** A condition as it is stored. */
interface Part {
  ruleType: string
  /** Absent for a composite. */
  operator?: Operator
  value: Json
}

/** `catalogue` returns all rule types, this one included. */
export function composite(kind: Kind, catalogue: () => Catalogue): RuleType {
  return {
    operators: [],
    actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
    violation: 'COMPOSITE',
    isSum: false,
    counting: (value) => countingOf(value as unknown as Part[], catalogue()),
    sharesBudget: (value) => isSharedBudget(value as unknown as Part[], catalogue()),
    read: (operator, value, place) => read(kind, operator, value, place, catalogue()),
    bind: (terms, setting) => bind(kind, terms, setting, catalogue()),
  }
}

function read(kind: Kind, operator: unknown, value: unknown, place: ValuePlace, catalogue: Catalogue): Read {
  const [at, around] = [within(place.path, 'value'), [...place.within, kind]]
  if (operator !== undefined) return refuseField(within(place.path, 'operator'), `must be left out, ${kind} has none`)
  if (around.length > MAX_NESTED) return refuseField(at, `must not nest more than ${MAX_NESTED} deep`)
  if (!isList(value)) return refuseField(at, `must be a list of 1 to ${MAX_ENTRIES} conditions, not ${quoted(value)}`)
  place.room.conditions -= value.length
  if (place.room.conditions < 0)
    return refuseField(at, `must leave at most ${MAX_ENTRIES} conditions in the whole rule`)
  const parts = value.map((part, index) =>
    readTerms(part, [], { ...place, path: `${at}.${index}`, within: around }, catalogue),
  )
  const faults = faultsOf(parts)
  if (faults) return faults
  return succeed({ operator: null, value: parts.flatMap((part) => (part.ok ? [kept(part.value)] : [])) })
}

/** The number of conditions within a stored rule or condition, at any depth. */
export function conditionsIn({ ruleType, value }: StoredRule): number {
  if (!isComposite(ruleType)) return 0
  return (value as unknown as Part[]).reduce((sum, part) => sum + 1 + conditionsIn(part), 0)
}

export function isComposite(ruleType: string): boolean {
  return ruleType === 'ALL_OF' || ruleType === 'ANY_OF'
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= MAX_ENTRIES
}

function kept({ ruleType, operator, value }: WrittenTerms): Json {
  return operator === null ? { ruleType, value } : { ruleType, operator, value }
}

function bind(kind: Kind, { value, action }: Terms<Json>, setting: Setting, catalogue: Catalogue): Bound {
  const parts = (value as unknown as Part[]).map(({ ruleType, operator = null, value }) =>
    catalogue[ruleType]!.bind({ operator, value, action }, { ...setting, isPart: true }),
  )
  const conditions = parts.map(({ condition }) => condition)
  const holding = conditions.map(predicateOf)
  return {
    condition: kind === 'ALL_OF' ? { all: conditions } : { any: conditions },
    mentions: parts.flatMap(({ mentions = [] }) => mentions),
    limits: parts.flatMap(({ limits = [] }) => limits),
    explain(facts, met) {
      // The parts that decide: the unmet ones of an unmet ALL_OF, the met ones of a met ANY_OF.
      const decisive = parts.filter((_, at) => holding[at]!(facts) === met)
      const why = shownList(decisive, '; ', (part) => part.explain(facts, met))
      return `${OUTCOMES[kind][met ? 'met' : 'unmet']}: ${why}`
    },
  }
}

const OUTCOMES = {
  ALL_OF: { met: 'All conditions are met', unmet: 'Not all conditions are met' },
  ANY_OF: { met: 'One of the conditions is met', unmet: 'None of the conditions is met' },
} as const
