// The errors' share of the OpenAPI document: one response a status, with the codes that answer it.
import { CODES, type Code } from '../domain/codes.js'
import type { JsonSchema } from './jsonSchema.js'

const BY_STATUS = codesByStatus()

/** Every error body; what else a code tells stands beside. */
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

/** The codes an answer can carry, by status; what only a client sees is no answer. */
function codesByStatus(): Map<number, Code[]> {
  const byStatus = new Map<number, Code[]>()
  for (const code of Object.keys(CODES) as Code[]) {
    const { status } = CODES[code]
    if (status >= 400 && code !== 'PAYMENT_DENIED') byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

/** `Error400` and so on. */
export function errorResponses(): { [name: string]: unknown } {
  const responses = [...BY_STATUS].map(([status, codes]) => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] }
    const description = codes.map((code) => `\`${code}\`: ${CODES[code].message}.`).join('\n\n')
    return [`Error${status}`, { description, content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(responses)
}
