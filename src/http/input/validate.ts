// Validates input against a route's schema: a value of the schema's type, or a refusal that lists the errors. It knows
// no route.
import * as v from 'valibot'
import { hasCardNumber } from '../../domain/values/cardNumber.js'
import { refuse, succeed, type Detail, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { Route, Schema } from '../server/route.js'

/** Codes that take precedence over the route's, the weightiest first; an issue carries its own as `expected`. */
const OWN_CODES = ['CARD_NUMBER_REFUSED', 'INVALID_AMOUNT', 'INVALID_ADDRESS'] as const
export type OwnCode = (typeof OWN_CODES)[number]

export type Invalid = NonNullable<Route['invalid']>

const MAX_DETAILS = 20
const MAX_SHOWN = 200

/** The word for a value in messages. */
export type Where = 'field' | 'query parameter'

export function validate<C extends Invalid>(
  schema: Schema,
  input: unknown,
  invalid: C,
  where: Where,
  whole = 'The body',
): Result<unknown, C | OwnCode> {
  if (!isRecord(input)) return invalidInput(invalid, [{ path: '', message: 'must be a JSON object' }], whole)
  const result = v.safeParse(schema, input, CONFIGS[where])
  return result.success ? succeed(result.output) : refuseIssues(result.issues, invalid)
}

/** Messages for issues whose schema gives none. */
const CONFIGS = {
  field: { message: (issue: v.BaseIssue<unknown>) => messageOf(issue, 'field') },
  'query parameter': { message: (issue: v.BaseIssue<unknown>) => messageOf(issue, 'query parameter') },
}

/** A refusal with `details`; its message is the first of them. `whole` names the value of a detail without a path. */
export function invalidInput<C extends Invalid | OwnCode>(
  invalid: C,
  details: readonly [Detail, ...Detail[]],
  whole?: string,
): Refused<C> {
  const shownDetails = details.map(({ path, message }) => ({ path: shortInput(path), message: shortInput(message) }))
  return refuse(invalid, sentence(details[0], whole), { details: shownDetails })
}

function isRecord(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

type Issues = [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]

function refuseIssues<C extends Invalid>(issues: Issues, invalid: C): Refused<C | OwnCode> {
  for (const code of OWN_CODES) {
    const issue = issues.find(({ expected }) => expected === code)
    if (issue) return invalidInput(code, detailsOf([issue, ...issues.filter((other) => other !== issue)]))
  }
  return invalidInput(invalid, detailsOf(issues))
}

function detailsOf([first, ...rest]: Issues): [Detail, ...Detail[]] {
  return [detailOf(first), ...rest.slice(0, MAX_DETAILS - 1).map(detailOf)]
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
