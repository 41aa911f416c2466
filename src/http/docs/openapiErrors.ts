// The error answers of the OpenAPI document: one per status, with its codes, in both forms of `errorBody`.
import { CODES, type Code } from '../../domain/outcomes/codes.js'
import type { JsonSchema } from './jsonSchema.js'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const DETAIL: JsonSchema = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
}

/** The members beside `error` and `code`; some codes add each of them. */
const MORE: { [member: string]: JsonSchema } = {
  details: { type: 'array', items: DETAIL, description: 'What is wrong with which field or parameter.' },
  reasons: { type: 'array', items: { type: 'string' }, description: 'Why the payment was refused.' },
  approvalRequestId: text('What a person has to approve first.'),
}

const ERROR = text('What was wrong with which value.')

/** The codes that an answer can carry, by status; codes that only clients use are left out. */
function codesByStatus(): Map<number, Code[]> {
  const byStatus = new Map<number, Code[]>()
  for (const code of Object.keys(CODES) as Code[]) {
    const { status } = CODES[code]
    if (status >= 400 && code !== 'PAYMENT_DENIED') byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

const BY_STATUS = codesByStatus()

function errorSchema(status: number): JsonSchema {
  const code = { type: 'string', enum: BY_STATUS.get(status)! }
  const standing = status === 503 ? { status: text('`starting`, `waiting` or `failed`, of `/readyz`.') } : {}
  return { type: 'object', required: ['error', 'code'], properties: { error: ERROR, code, ...MORE, ...standing } }
}

/** RFC 9457, with the members of the plain form; its `status` is the number. */
const PROBLEM: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'error', 'code'],
  properties: {
    type: text('Where the code is explained, relative to the service.'),
    title: text('What the code means.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('The same as `error`.'),
    error: ERROR,
    code: { type: 'string', enum: [...BY_STATUS.values()].flat() },
    ...MORE,
  },
}

const content = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } })

/** The schemas of errors with these statuses, by name, such as `Error400`. */
export function errorSchemas(statuses: readonly number[]): [name: string, schema: JsonSchema][] {
  return [
    ...statuses.map((status) => [`Error${status}`, errorSchema(status)] as [string, JsonSchema]),
    ['Problem', PROBLEM],
  ]
}

/** The responses with these statuses, by name, such as `Error400`. */
export function errorResponses(statuses: readonly number[]): { [name: string]: unknown } {
  const responses = statuses.map((status) => {
    const description = BY_STATUS.get(status)!.map((code) => `\`${code}\`: ${CODES[code].message}.`)
    const forms = { 'application/json': content(`Error${status}`), 'application/problem+json': content('Problem') }
    return [`Error${status}`, { description: description.join('\n\n'), content: forms }]
  })
  return Object.fromEntries(responses)
}
