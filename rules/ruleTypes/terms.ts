// Reads the common part of rules and of conditions inside them: a known type, its operator and its value, and no other
// field. A value may be JSON or a string that holds JSON.
import type { Counting } from '../../src/domain/limits/counting.js'
import type { Json } from '../../src/domain/values/canonical.js'
import { refuseField, succeed, type Result } from '../../src/domain/outcomes/result.js'
import { readJsonText } from '../jsonText.js'
import { quoted, shortText } from '../shown.js'
import type { FaultCode } from './faults.js'
import { within, wrongChoice, type Operator, type ValuePlace, type RuleType } from './ruleType.js'

/** All rule types by name. */
export type Catalogue = Readonly<Record<string, RuleType>>

export interface WrittenTerms {
  ruleType: string
  operator: Operator | null
  value: Json
}

const FIELDS = ['ruleType', 'operator', 'value']

/** `more` names the fields allowed besides these three. */
export function readTerms(
  input: unknown,
  more: readonly string[],
  place: ValuePlace,
  catalogue: Catalogue,
): Result<WrittenTerms, FaultCode> {
  const { path } = place
  if (!isRecord(input)) return refuseField(path, `must be a JSON object, not ${quoted(input)}`)
  const known = [...FIELDS, ...more]
  const unknown = Object.keys(input).find((field) => !known.includes(field))
  if (unknown !== undefined) {
    return refuseField(within(path, shortText(unknown)), `is not a known field, known are ${known.join(', ')}`)
  }
  const { ruleType: name, operator, value } = input
  const type = typeOf(name, catalogue)
  if (type === undefined) return refuseField(within(path, 'ruleType'), wrongChoice(Object.keys(catalogue), name))
  const misplaced = misplacement(String(name), type, place)
  if (misplaced !== undefined) return refuseField(within(path, 'ruleType'), misplaced)
  if (value === undefined) return refuseField(within(path, 'value'), 'is required')
  const given = typeof value === 'string' ? readJsonText(value) : value
  const read = type.read(operator ?? undefined, given, place)
  return read.ok ? succeed({ ...read.value, ruleType: String(name) }) : read
}

/** A rule or a condition as it is kept, as far as this is asked of it. */
export interface StoredRule {
  ruleType: string
  value: Json
}

/** True where one of these limits what all agents under the policy pay together. */
export function isSharedBudget(parts: readonly StoredRule[], catalogue: Catalogue): boolean {
  return parts.some(({ ruleType, value }) => typeOf(ruleType, catalogue)?.sharesBudget(value) === true)
}

/** What these count of an agent's payments. */
export function countingOf(parts: readonly StoredRule[], catalogue: Catalogue): Counting[] {
  return parts.flatMap(({ ruleType, value }) => typeOf(ruleType, catalogue)?.counting(value) ?? [])
}

export function isRecord(input: unknown): input is { [field: string]: unknown } {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

export function typeOf(name: unknown, catalogue: Catalogue): RuleType | undefined {
  return typeof name === 'string' && Object.hasOwn(catalogue, name) ? catalogue[name] : undefined
}

/** Why a condition of this type cannot stand here: it would mean the opposite, or could not be enforced. */
function misplacement(name: string, { actions, isSum, rail }: RuleType, place: ValuePlace): string | undefined {
  const { action, within: around } = place
  if (around.length === 0) return undefined
  const remedy = 'make it a rule of its own'
  if (rail !== undefined) return `${name} is about the rail ${rail} alone, ${remedy}`
  if (isSum && around.includes('ANY_OF')) return `${name} is a sum or count and cannot stand inside ANY_OF, ${remedy}`
  const never = action === 'ALLOW' ? !actions.includes('ALLOW') : actions.every((allowed) => allowed === 'ALLOW')
  return never ? `${name} never goes with ${action}, which is the action of the rule around it, ${remedy}` : undefined
}
