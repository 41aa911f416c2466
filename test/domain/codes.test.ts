// The code table against the rows of the specification.
import test from 'ava'
import { CODES } from '../../src/domain/outcomes/codes.js'

// Code and HTTP status as in the specification: its table of errors, then its further codes.
const SPECIFICATION = `
  | AUTH_FAILED               | 401 |
  | INSUFFICIENT_SCOPE        | 403 |
  | PAYMENT_DENIED            | 403 |
  | REQUIRES_APPROVAL         | 202 |
  | INSUFFICIENT_BALANCE      | 400 |
  | EXPIRED                   | 400 |
  | NOT_FOUND                 | 404 |
  | INVALID_STATUS            | 400 |
  | NO_WALLET                 | 400 |
  | LIMIT_EXCEEDED            | 400 |
  | WALLET_CONFIG_ERROR       | 400 |
  | CUSTODY_NOT_CONFIGURED    | 503 |
  | MANUAL_EXECUTION_REQUIRED | 400 |
  | ALREADY_EXECUTED          | 409 |
  | VALIDATION_ERROR          | 400 |
  | INVALID_AMOUNT            | 400 |
  | INVALID_ADDRESS           | 400 |
  | INVALID_JSON              | 400 |
  | INVALID_INPUT             | 400 |
  | ALREADY_EXISTS            | 409 |
  | RATE_LIMITED              | 429 |
  | TIMEOUT                   |   0 |
  | INTERNAL_ERROR            | 500 |
  | METHOD_NOT_ALLOWED        | 405 |
  | PAYLOAD_TOO_LARGE         | 413 |
  | UNSUPPORTED_MEDIA_TYPE    | 415 |
  | IDEMPOTENCY_CONFLICT      | 409 |
  | PRICE_CHANGED             | 409 |
  | INVALID_RECIPIENT         | 400 |
  | CARD_NUMBER_REFUSED       | 400 |
  | NOT_CONFIRMED             | 409 |
  | TRANSFER_MISMATCH         | 400 |
  | LIMIT_REACHED             | 409 |
  | CHECKPOINT_CONFLICT       | 409 |
  | VERSION_CONFLICT          | 412 |
  | POLICY_HAS_ASSIGNMENTS    | 409 |
  | POLICY_TESTS_FAILED       | 409 |
  | INVALID_TOKEN             | 403 |
  | SELF_APPROVAL             | 403 |
  | ALREADY_DECIDED           | 409 |
  | CSRF                      | 403 |
  | UNAVAILABLE               | 503 |
  | NO_OWNER                  | 503 |
  | ALREADY_RESOLVED          | 409 |
  | TEST_SETTLEMENT           | 409 |
  | CARD_NUMBER_REFUSED       | 400 |
`

function listed(): Record<string, number> {
  const rows = SPECIFICATION.trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
  return Object.fromEntries(rows.map(([, code = '', status]) => [code, Number(status)]))
}

test('The table has exactly the codes of the specification, each with its status', (t) => {
  const statuses = Object.fromEntries(Object.entries(CODES).map(([code, { status }]) => [code, status]))
  t.is(Object.keys(statuses).length, 45)
  t.deepEqual(statuses, listed())
})

test('Every message is one short sentence that tells what to do', (t) => {
  for (const [code, { message }] of Object.entries(CODES)) {
    t.regex(message, /^[A-Z][^.\n]{10,89}$/, code)
    t.notRegex(message, /^(The|This|It|Invalid|Error)\b/, code)
  }
})

test('Only INTERNAL_ERROR, NO_OWNER, NOT_CONFIRMED, RATE_LIMITED and UNAVAILABLE are retryable', (t) => {
  const advised = Object.entries(CODES).flatMap(([code, { retryable }]) => (retryable ? [code] : []))
  t.deepEqual(advised.toSorted(), ['INTERNAL_ERROR', 'NOT_CONFIRMED', 'NO_OWNER', 'RATE_LIMITED', 'UNAVAILABLE'])
})
