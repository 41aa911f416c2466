// The error responses of the OpenAPI document: one per status, with its codes.
import { CODES, type Code } from '../domain/codes.js'
import type { JsonSchema } from './jsonSchema.js'

const BY_STATUS = codesByStatus()

/** The common error body; some codes add members. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What was wrong with which value.' },
    code: { type: 'string', enum: [...BY_STATUS.values()].flat() },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    reasons: { type: 'array', items: { type: 'string' } },
  },
}

/** The codes that an answer can carry, by status; codes that only clients use are left out. */
function codesByStatus(): Map<number, Code[]> {
  const byStatus = new Map<number, Code[]>()
  for (const code of Object.keys(CODES) as Code[]) {
    const { status } = CODES[code]
    if (status >= 400 && code !== 'PAYMENT_DENIED') byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

/** The responses by name, such as `Error400`. */
export function errorResponses(): { [name: string]: unknown } {
  const responses = [...BY_STATUS].map(([status, codes]) => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] }
    const description = codes.map((code) => `\`${code}\`: ${CODES[code].message}.`).join('\n\n')
    return [`Error${status}`, { description, content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(responses)
}
