// What a model is told to do about each code: it is sent to a person only with what is not in its own power.
import test from 'ava'
import { BursarError, type Code } from '../../sdk/index.js'
import { CODES } from '../../src/domain/outcomes/codes.js'
import { failureAnswer } from '../../src/mcp/failure.js'

const stepFor = (code: Code): string => {
  const [step = ''] = failureAnswer(new BursarError('It was refused', { code, status: 400 })).nextSteps
  return step
}

/** Another call of the agent's can help. */
const OWN: readonly Code[] = [
  'VALIDATION_ERROR',
  'INVALID_INPUT',
  'INVALID_AMOUNT',
  'INVALID_ADDRESS',
  'INVALID_RECIPIENT',
  'INVALID_JSON',
  'CARD_NUMBER_REFUSED',
  'PAYLOAD_TOO_LARGE',
  'IDEMPOTENCY_CONFLICT',
  'PAYMENT_DENIED',
  'REQUIRES_APPROVAL',
  'NOT_CONFIRMED',
  'NOT_FOUND',
  'EXPIRED',
  'RATE_LIMITED',
  'TIMEOUT',
  'UNAVAILABLE',
  'NO_OWNER',
  'INTERNAL_ERROR',
]

for (const code of OWN) {
  test(`${code} is not left to a person`, (t) => t.notRegex(stepFor(code), /not in your power/))
}

/** Nothing that an agent sends helps. */
const OF_PEOPLE: readonly Code[] = [
  'AUTH_FAILED',
  'INSUFFICIENT_SCOPE',
  'NO_WALLET',
  'INSUFFICIENT_BALANCE',
  'WALLET_CONFIG_ERROR',
  'CUSTODY_NOT_CONFIGURED',
  'MANUAL_EXECUTION_REQUIRED',
  'LIMIT_REACHED',
  'TEST_SETTLEMENT',
]

for (const code of OF_PEOPLE) {
  test(`${code} is for a person`, (t) => t.regex(stepFor(code), /the person you work for/))
}

test('each code has a step', (t) => {
  for (const code of Object.keys(CODES)) t.not(stepFor(code as Code), '', code)
})

const messageOf = (message: string, details: { path: string; message: string }[]): string =>
  failureAnswer(new BursarError(message, { code: 'VALIDATION_ERROR', status: 400, details })).failure!.message

test('what the details repeat is said once', (t) => {
  const said = 'must be text'
  t.is(messageOf(said, [{ path: 'purpose', message: said }]), 'purpose must be text')
  t.is(messageOf(`purpose ${said}`, [{ path: 'purpose', message: said }]), 'purpose must be text')
  t.is(
    messageOf('Correct the fields', [{ path: 'purpose', message: said }]),
    'Correct the fields; purpose must be text',
  )
})

for (const { path, message, said } of [
  { path: 'recipientAddress', message: 'recipientAddress is the zero address', said: undefined },
  { path: 'walletId', message: 'Wallet w1 is not on chain 8453', said: undefined },
  { path: 'txHash', message: 'is of another transfer', said: 'txHash is of another transfer' },
]) {
  test(`a field is named once: ${message}`, (t) => {
    const error = new BursarError(message, { code: 'INVALID_STATUS', status: 400, details: [{ path, message }] })
    t.is(failureAnswer(error).failure?.message, said ?? message)
  })
}
