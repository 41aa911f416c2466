// The error codes that each route can answer, for the OpenAPI document and the reference. A new code states here which
// routes can answer it.
import { CODES, type Code } from '../../domain/outcomes/codes.js'
import { isIdempotent } from '../server/idempotency.js'
import { jsonSchemaOf } from './jsonSchema.js'
import type { Route, Schema } from '../server/route.js'

type Condition = (route: Route) => boolean

const never: Condition = () => false
const always: Condition = () => true
const isKeyed: Condition = ({ access }) => access.key !== 'none'
const isWrite: Condition = ({ method }) => method !== 'GET'
const takesBody: Condition = ({ body }) => body !== undefined
const names: Condition = ({ path }) => path.includes(':')
const under =
  (...prefixes: string[]): Condition =>
  ({ path }) =>
    prefixes.some((prefix) => path.startsWith(prefix))
const endsWith =
  (...ends: string[]): Condition =>
  ({ path }) =>
    ends.some((end) => path.endsWith(end))
const all =
  (...conditions: Condition[]): Condition =>
  (route) =>
    conditions.every((one) => one(route))
const any =
  (...conditions: Condition[]): Condition =>
  (route) =>
    conditions.some((one) => one(route))
const refusesAs =
  (code: Route['invalid']): Condition =>
  ({ invalid = 'VALIDATION_ERROR' }) =>
    invalid === code

/** True when a field or parameter has this description, as those of amounts and addresses do. */
const takes =
  (description: string): Condition =>
  ({ body, query }) =>
    [body, query].some(mentions(`"description":"${description}`))

function mentions(part: string) {
  return (schema: Schema | undefined): boolean =>
    schema !== undefined && JSON.stringify(jsonSchemaOf(schema, '')).includes(part)
}

/** True for these routes, given like `POST /a/:id`. */
const are =
  (...titles: string[]): Condition =>
  ({ method, path }) =>
    titles.includes(`${method} ${path}`)
const not =
  (condition: Condition): Condition =>
  (route) =>
    !condition(route)

const isDecision = endsWith('/decision')
const isPayment = under('/api/sdk/payments/:')
const executes = all(isPayment, endsWith('/execute'))
const permits = all(isPayment, endsWith('/approve'))
const confirms = all(isPayment, endsWith('/confirm'))
const approvesCard = are('POST /api/sdk/cards/approve')
const confirmsCard = are('POST /api/sdk/cards/:requestId/confirm')
const isPolicyEdit = all(isWrite, under('/api/policies/:'))
const isRollback = endsWith('/rollback')
const isEntryProof = are('GET /api/audit-logs/:sequence/proof')

const takesText: Condition = ({ body, query }) => [body, query].some(mentions('"x-free-text":true'))

const takesRules = any(
  are(
    'POST /api/policies',
    'PATCH /api/policies/:policyId/rules/:ruleId',
    'POST /api/policies/impact',
    'POST /api/policies/:policyId/impact',
  ),
  are('POST /api/policies/:policyId/rules', 'PUT /api/policies/:policyId/rules'),
)

const POSSIBLE: { [Name in Code]: Condition } = {
  AUTH_FAILED: any(isKeyed, takesBody),
  INSUFFICIENT_SCOPE: ({ access }) => 'scope' in access,
  CSRF: all(isWrite, ({ access }) => access.key !== 'agent' && access.key !== 'operator'),
  INVALID_TOKEN: any(confirms, confirmsCard),
  SELF_APPROVAL: isDecision,

  // Used by clients only, or not an error.
  PAYMENT_DENIED: never,
  REQUIRES_APPROVAL: never,
  TIMEOUT: never,

  INSUFFICIENT_BALANCE: any(executes, permits),
  EXPIRED: any(executes, permits, isDecision, approvesCard),
  INVALID_STATUS: all(
    isWrite,
    any(
      names,
      under('/api/organization/', '/api/webhooks', '/api/channels'),
      are(
        'PATCH /api/organization',
        'POST /api/sdk/payments/approve',
        'POST /api/sdk/cards/approve',
        'POST /api/sdk/counterparties',
      ),
      are('DELETE /api/api-keys'),
    ),
    not(endsWith('/replay')),
  ),
  NO_WALLET: endsWith('/payments/request', '/payments/approve', '/policies/evaluate'),
  LIMIT_EXCEEDED: any(executes, permits, isDecision, approvesCard),
  WALLET_CONFIG_ERROR: any(executes, permits, confirms, are('POST /api/wallets', 'POST /api/sdk/payments/approve')),
  CUSTODY_NOT_CONFIGURED: executes,
  MANUAL_EXECUTION_REQUIRED: executes,
  NOT_CONFIRMED: confirms,
  TRANSFER_MISMATCH: confirms,
  ALREADY_EXECUTED: any(all(isWrite, isPayment), endsWith('/release'), confirmsCard),

  VALIDATION_ERROR: refusesAs('VALIDATION_ERROR'),
  INVALID_INPUT: refusesAs('INVALID_INPUT'),
  INVALID_AMOUNT: any(takes('An amount'), takesRules),
  INVALID_ADDRESS: any(takes('An address'), takesRules),
  CARD_NUMBER_REFUSED: takesText,
  INVALID_RECIPIENT: endsWith('/payments/request', '/payments/approve', '/policies/evaluate'),
  INVALID_JSON: isWrite,
  PAYLOAD_TOO_LARGE: isWrite,
  UNSUPPORTED_MEDIA_TYPE: isWrite,

  NOT_FOUND: any(names, isKeyed),
  // The route exists and has the method.
  METHOD_NOT_ALLOWED: never,
  ALREADY_EXISTS: are(
    'POST /api/agents',
    'PATCH /api/agents/:agentId',
    'POST /api/agents/:agentId/wallets',
    'POST /api/agents/:agentId/cards',
    'POST /api/wallets',
    'POST /api/wallets/:walletId/proof',
    'POST /api/counterparties',
    'POST /api/members',
  ),
  ALREADY_DECIDED: isDecision,
  ALREADY_RESOLVED: under('/api/alerts/'),
  IDEMPOTENCY_CONFLICT: isIdempotent,
  PRICE_CHANGED: any(are('POST /api/sdk/payments/request', 'POST /api/sdk/payments/approve'), approvesCard),
  CHECKPOINT_CONFLICT: any(endsWith('/receipt', '/audit-logs/checkpoint', '/consistency'), isEntryProof),
  LIMIT_REACHED: any(
    are(
      'POST /api/agents/:agentId/sdk-keys',
      'POST /api/approval-workflows',
      'POST /api/channels',
      'POST /api/agents',
      'POST /api/agents/:agentId/wallets',
      'POST /api/agents/:agentId/cards',
      'POST /api/agents/:agentId/policies',
      'POST /api/wallets/:walletId/policies',
      'POST /api/cards/:cardId/policies',
      'POST /api/policies',
      'PATCH /api/policies/:policyId',
      'POST /api/counterparties',
      'POST /api/sdk/counterparties',
    ),
    endsWith('/payments/request', '/payments/approve', '/policies/evaluate'),
    approvesCard,
    isRollback,
  ),
  POLICY_HAS_ASSIGNMENTS: any(are('PATCH /api/policies/:policyId', 'DELETE /api/policies/:policyId'), isRollback),
  POLICY_TESTS_FAILED: all(isPolicyEdit, not(are('DELETE /api/policies/:policyId'))),
  VERSION_CONFLICT: ({ versioned }) => versioned === true,

  RATE_LIMITED: any(isKeyed, ({ limit }) => limit !== undefined),
  INTERNAL_ERROR: always,
  UNAVAILABLE: always,
}

/** Sorted by status, then in the order of the table of codes. */
export function codesOf(route: Route): Code[] {
  const codes = (Object.keys(CODES) as Code[]).filter((code) => POSSIBLE[code](route))
  return codes.sort((a, b) => CODES[a].status - CODES[b].status)
}

export function statusesOf(route: Route): number[] {
  return [...new Set(codesOf(route).map((code) => CODES[code].status))]
}
