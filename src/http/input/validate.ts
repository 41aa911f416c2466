// Validates input against a route's schema: a value of the schema's type, or a refusal that lists the errors. It knows
// no route.
import * as v from 'valibot'
import { hasCardNumber } from '../../domain/values/cardNumber.js'
import type { Code } from '../../domain/outcomes/codes.js'
import { passed, refuse, type Checked, type Detail, type Refused } from '../../domain/outcomes/result.js'
import type { Route, Schema } from '../server/route.js'

/** The `expected` of issues that have codes of their own. */
export const EXPECTED = { amount: 'an amount', address: 'an address', cardless: 'text without a card number' } as const
/** Of several issues the first of these decides: what may not be stored stands above what is only wrong. */
const OWN_CODES: readonly [expected: string, code: Code][] = [
  [EXPECTED.cardless, 'CARD_NUMBER_REFUSED'],
  [EXPECTED.amount, 'INVALID_AMOUNT'],
  [EXPECTED.address, 'INVALID_ADDRESS'],
]

export type Invalid = NonNullable<Route['invalid']>

const MAX_DETAILS = 20
const MAX_SHOWN = 200

/** The word for a value in messages. */
export type Where = 'field' | 'query parameter'

export function validate(
  schema: Schema,
  input: unknown,
  invalid: Invalid,
  where: Where,
  whole = 'The body',
): Checked<unknown> {
  if (!isRecord(input)) return invalidInput(invalid, [{ path: '', message: 'must be a JSON object' }], whole)
  const result = v.safeParse(schema, input, CONFIGS[where])
  return result.success ? passed(result.output) : refuseIssues(result.issues, invalid)
}

/** Messages for issues whose schema gives none. */
const CONFIGS = {
  field: { message: (issue: v.BaseIssue<unknown>) => messageOf(issue, 'field') },
  'query parameter': { message: (issue: v.BaseIssue<unknown>) => messageOf(issue, 'query parameter') },
}

/** A refusal with `details`; its message is the first of them. `whole` names the value of a detail without a path. */
export function invalidInput(invalid: Invalid, details: readonly [Detail, ...Detail[]], whole?: string): Refused {
  const shownDetails = details.map(({ path, message }) => ({ path: shortInput(path), message: shortInput(message) }))
  return refuse(invalid, sentence(details[0], whole), { details: shownDetails })
}

function isRecord(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

type Issues = [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]

function refuseIssues(issues: Issues, invalid: Invalid): Refused {
  const special = specialIssue(issues)
  if (special !== undefined) return refuse(special.code, sentence(detailOf(special.issue)))
  const [first, ...rest] = issues
  return invalidInput(invalid, [detailOf(first), ...rest.slice(0, MAX_DETAILS - 1).map(detailOf)])
}

/** The issue that has a code of its own, which takes precedence over other issues. */
function specialIssue(issues: Issues): { code: Code; issue: v.BaseIssue<unknown> } | undefined {
  for (const [expected, code] of OWN_CODES) {
    const issue = issues.find((one) => one.expected === expected)
    if (issue !== undefined) return { code, issue }
  }
  return undefined
}

function detailOf(issue: v.BaseIssue<unknown>): Detail {
  return { path: (issue.path ?? []).map(({ key }) => String(key)).join('.'), message: issue.message }
}

function messageOf(issue: v.BaseIssue<unknown>, where: Where): string {
  const isKey = issue.type === 'strict_object' && issue.path?.at(-1)?.origin === 'key'
  if (!isKey) return `expected ${issue.expected}, received ${issue.received}`
  return issue.expected === 'never' ? `is not a known ${where}` : 'is required'
}

/** Shortens the caller's text, which may be long, and repeats none with a card number. */
export function shortInput(text: string): string {
  if (hasCardNumber(text)) return '…'
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
}

function sentence({ path, message }: Detail, whole = 'The body'): string {
  return path === '' ? `${whole} ${shortInput(message)}` : `${shortInput(path)}: ${shortInput(message)}`
}
