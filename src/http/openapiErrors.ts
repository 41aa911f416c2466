// The errors' share of the OpenAPI document: one response a status, with the codes that answer it.
import { CODES, type Code } from '../domain/codes.js'
import type { JsonSchema } from './jsonSchema.js'
import type { Route } from './route.js'

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

/** The statuses that a row can answer with besides its own. */
export function errorStatuses(route: Route): number[] {
  return [...BY_STATUS.keys()].filter((status) => isPossible(status, route)).sort()
}

/** The row exists and takes the method, so that 405 is not its own. */
function isPossible(status: number, { access, method, path, body }: Route): boolean {
  if (status === 405) return false
  if (status === 401 || status === 403 || status === 429) return access.key !== 'none' || body !== undefined
  if (status === 404) return path.includes(':') || access.key !== 'none'
  const isWrite = method !== 'GET'
  return isWrite || (status !== 409 && status !== 412 && status !== 413 && status !== 415)
}
