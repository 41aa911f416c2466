// The codes that a route may answer, for the OpenAPI document and the reference: those that its row lists for its handler,
// and those that follow from the rest of the row, because the checks before the handler refuse so.
import { CODES, type Code } from '../../domain/outcomes/codes.js'
import { isIdempotent } from '../server/idempotency.js'
import { jsonSchemaOf } from './jsonSchema.js'
import type { DerivedCode, ListedCode, Route } from '../server/route.js'

type Condition = (route: Route) => boolean

const isKeyed: Condition = ({ access }) => access.key !== 'none'
const isWrite: Condition = ({ method }) => method !== 'GET'

/** True when this is part of the schema of the body or the query. */
const takes =
  (part: string): Condition =>
  ({ body, query }) =>
    [body, query].some((schema) => schema !== undefined && JSON.stringify(jsonSchemaOf(schema, '')).includes(part))

const DERIVED: Record<DerivedCode, Condition> & Partial<Record<ListedCode, Condition>> = {
  AUTH_FAILED: isKeyed,
  INSUFFICIENT_SCOPE: ({ access }) => 'scope' in access,
  CSRF: (route) => isWrite(route) && route.access.key !== 'agent' && route.access.key !== 'operator',
  VALIDATION_ERROR: ({ invalid }) => invalid !== 'INVALID_INPUT',
  INVALID_INPUT: ({ invalid }) => invalid === 'INVALID_INPUT',
  INVALID_AMOUNT: takes('"description":"An amount'),
  INVALID_ADDRESS: takes('"description":"An address'),
  CARD_NUMBER_REFUSED: takes('"x-free-text":true'),
  INVALID_JSON: isWrite,
  PAYLOAD_TOO_LARGE: isWrite,
  UNSUPPORTED_MEDIA_TYPE: isWrite,
  NOT_FOUND: ({ access, path }) => path.includes(':') || access.key === 'operator',
  IDEMPOTENCY_CONFLICT: isIdempotent,
  VERSION_CONFLICT: ({ versioned }) => versioned === true,
  RATE_LIMITED: (route) => isKeyed(route) || route.limit !== undefined,
  INTERNAL_ERROR: () => true,
  UNAVAILABLE: () => true,
  NO_OWNER: ({ everyNode }) => everyNode !== true,
}

/** Sorted by status, then in the order of the table of codes. */
export function codesOf(route: Route): Code[] {
  const listed: readonly Code[] = route.refuses ?? []
  const isDerived = (code: Code): boolean => (DERIVED as Partial<Record<Code, Condition>>)[code]?.(route) === true
  const codes = (Object.keys(CODES) as Code[]).filter((code) => listed.includes(code) || isDerived(code))
  return codes.sort((a, b) => CODES[a].status - CODES[b].status)
}

export function statusesOf(route: Route): number[] {
  return [...new Set(codesOf(route).map((code) => CODES[code].status))]
}
