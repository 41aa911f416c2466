// Which codes a row can answer besides its own answers: for the OpenAPI document, which the reference is made of. A new
// code says here where it can be met.
import { CODES, type Code } from '../domain/codes.js'
import { jsonSchemaOf } from './jsonSchema.js'
import type { Route, Schema } from './route.js'

type Condition = (route: Route) => boolean

const never: Condition = () => false
const always: Condition = () => true
const isKeyed: Condition = ({ access }) => access.key !== 'none'
const isWrite: Condition = ({ method }) => method !== 'GET'
const isPost: Condition = ({ method }) => method === 'POST'
const takesBody: Condition = ({ body }) => body !== undefined
const names: Condition = ({ path }) => path.includes(':')
const under = (...prefixes: string[]): Condition => ({ path }) => prefixes.some((prefix) => path.startsWith(prefix))
const endsWith = (...ends: string[]): Condition => ({ path }) => ends.some((end) => path.endsWith(end))
const all = (...conditions: Condition[]): Condition => (route) => conditions.every((one) => one(route))
const any = (...conditions: Condition[]): Condition => (route) => conditions.some((one) => one(route))
const refusesAs = (code: Route['invalid']): Condition => ({ invalid = 'VALIDATION_ERROR' }) => invalid === code

/** Some field or parameter is described so: the schemas of amounts and addresses say what they are. */
const takes = (description: string): Condition => ({ body, query }) => [body, query].some(describes(description))

function describes(description: string) {
  return (schema: Schema | undefined): boolean =>
    schema !== undefined && JSON.stringify(jsonSchemaOf(schema, '')).includes(`"description":"${description}`)
}

const isDecision = endsWith('/decision')
const isAgents = under('/api/sdk/payments/')
/** Asks or executes: what may stop an execution may be answered. */
const pays = all(isPost, isAgents)
const isPolicyWrite = all(isWrite, under('/api/policies/'))

const POSSIBLE: { [Name in Code]: Condition } = {
  AUTH_FAILED: any(isKeyed, takesBody),
  INSUFFICIENT_SCOPE: ({ access }) => 'scope' in access,
  CSRF: all(isWrite, ({ access }) => access.key !== 'agent' && access.key !== 'operator'),
  INVALID_TOKEN: endsWith('/confirm'),
  SELF_APPROVAL: isDecision,

  // Of clients alone, or no error.
  PAYMENT_DENIED: never,
  REQUIRES_APPROVAL: never,
  TIMEOUT: never,

  INSUFFICIENT_BALANCE: any(pays, isDecision),
  EXPIRED: any(all(pays, names), isDecision),
  INVALID_STATUS: all(isKeyed, isWrite, any(names, under('/api/organization', '/api/webhooks', '/api/policies'))),
  NO_WALLET: all(isPost, any(isAgents, endsWith('/evaluate'))),
  LIMIT_EXCEEDED: any(pays, isDecision),
  WALLET_CONFIG_ERROR: any(pays, all(isPost, under('/api/wallets'))),
  CUSTODY_NOT_CONFIGURED: any(pays, all(isPost, under('/api/wallets'))),
  MANUAL_EXECUTION_REQUIRED: pays,
  ALREADY_EXECUTED: any(all(pays, names), isDecision, endsWith('/release')),

  VALIDATION_ERROR: refusesAs('VALIDATION_ERROR'),
  INVALID_INPUT: refusesAs('INVALID_INPUT'),
  INVALID_AMOUNT: takes('An amount'),
  INVALID_ADDRESS: takes('An address'),
  INVALID_JSON: isWrite,
  PAYLOAD_TOO_LARGE: isWrite,
  UNSUPPORTED_MEDIA_TYPE: isWrite,

  NOT_FOUND: any(names, isKeyed),
  // The row exists, and takes the method.
  METHOD_NOT_ALLOWED: never,
  ALREADY_EXISTS: all(isKeyed, isWrite, takesBody, under('/api/agents', '/api/wallets', '/api/counterparties', '/api/members')),
  ALREADY_DECIDED: isDecision,
  IDEMPOTENCY_CONFLICT: all(isPost, ({ memory }) => memory !== 'none'),
  LIMIT_REACHED: all(isPost, any(endsWith('/sdk-keys'), under('/api/approval-workflows'))),
  POLICY_HAS_ASSIGNMENTS: isPolicyWrite,
  POLICY_TESTS_FAILED: isPolicyWrite,
  VERSION_CONFLICT: any(isPolicyWrite, all(pays, names), isDecision),

  RATE_LIMITED: any(isKeyed, ({ limit }) => limit !== undefined),
  INTERNAL_ERROR: always,
  UNAVAILABLE: always,
}

/** By status, as the table of codes has them. */
export function codesOf(route: Route): Code[] {
  const codes = (Object.keys(CODES) as Code[]).filter((code) => POSSIBLE[code](route))
  return codes.sort((a, b) => CODES[a].status - CODES[b].status)
}

export function statusesOf(route: Route): number[] {
  return [...new Set(codesOf(route).map((code) => CODES[code].status))]
}
