// What follows from an attempt: the status for each answer, the waits, and never more than three attempts.
import fc from 'fast-check'
import test from 'ava'
import {
  attempted,
  isDue,
  nextAttempt,
  type Delivery,
  type AttemptOutcome,
} from '../../src/domain/outcomes/delivery.js'
import '../support/depth.js'

const WAITS = [10_000, 300_000] as const
const AT = 1_000_000
const outcome = (more: Partial<AttemptOutcome>): AttemptOutcome => ({ at: AT, durationMs: 100, ...more })

const STATUSES: [statusCode: number, first: Delivery['status']][] = [
  ...[200, 201, 202, 204, 226, 299].map((code): [number, 'DELIVERED'] => [code, 'DELIVERED']),
  ...[408, 429, 500, 501, 502, 503, 504, 507, 599].map((code): [number, 'PENDING'] => [code, 'PENDING']),
  ...[300, 301, 302, 303, 304, 307, 308].map((code): [number, 'FAILED'] => [code, 'FAILED']),
  ...[400, 401, 403, 404, 405, 407, 409, 410, 413, 415, 422, 425, 428, 431, 451, 499, 600, 999].map(
    (code): [number, 'FAILED'] => [code, 'FAILED'],
  ),
]

for (const [statusCode, status] of STATUSES) {
  test(`an answer of ${statusCode} leaves a delivery ${status}`, (t) => {
    t.is(nextAttempt(1, outcome({ statusCode }), WAITS).status, status)
    t.is(nextAttempt(3, outcome({ statusCode }), WAITS).status, status === 'PENDING' ? 'FAILED' : status)
  })
}

test('a delivery stores only what its owner may know of an outcome', (t) => {
  const delivery = { attempts: [] } as unknown as Delivery
  const { attempts } = attempted(
    delivery,
    outcome({ error: 'Refused', refused: true, detail: '10.0.0.1', retryAfterMs: 5 }),
    WAITS,
  )
  t.deepEqual(attempts, [{ at: AT, durationMs: 100, error: 'Refused' }])
})

test('a missing answer is retried, a refused destination is not', (t) => {
  t.is(nextAttempt(1, outcome({ error: 'ECONNRESET' }), WAITS).status, 'PENDING')
  t.is(nextAttempt(1, outcome({ error: 'private', refused: true }), WAITS).status, 'FAILED')
})

const RETRY_AFTER: [retryAfterMs: number | undefined, made: number, waitMs: number][] = [
  [undefined, 1, 10_000],
  [undefined, 2, 300_000],
  [1_000, 1, 10_000],
  [60_000, 1, 60_000],
  [600_000, 2, 600_000],
  [600_001, 1, 600_000],
  [86_400_000, 2, 600_000],
]

for (const [retryAfterMs, made, waitMs] of RETRY_AFTER) {
  test(`after attempt ${made} and a Retry-After of ${retryAfterMs ?? 'nothing'} the wait is ${waitMs} ms`, (t) => {
    const busy = outcome({ statusCode: 503, ...(retryAfterMs !== undefined && { retryAfterMs }) })
    t.deepEqual(nextAttempt(made, busy, WAITS), { status: 'PENDING', dueAt: AT + 100 + waitMs })
  })
}

for (const [wait, due] of [
  [-1, true],
  [0, true],
  [1, false],
  [600_000, false],
  [3_600_000, false],
  [3_700_000, true],
  [Infinity, false],
] as const) {
  test(`where the longest wait is an hour, a time ${wait} ms ahead is ${due ? 'due' : 'not due'}`, (t) => {
    t.is(isDue(AT + wait, AT, [10_000, 3_600_000]), due)
  })
}

test('whatever receivers answer, a delivery ends after at most three attempts', (t) => {
  const outcomes = fc.array(
    fc.record({ statusCode: fc.integer({ min: 100, max: 999 }), retryAfterMs: fc.nat() }, { requiredKeys: [] }),
    { minLength: 9, maxLength: 9 },
  )
  const property = fc.property(outcomes, (answers) => {
    let delivery = { status: 'PENDING', attempts: [] } as unknown as Delivery
    for (const answer of answers) {
      if (delivery.status !== 'PENDING') break
      delivery = { ...delivery, ...attempted(delivery, outcome(answer as Partial<AttemptOutcome>), WAITS) }
    }
    return delivery.status !== 'PENDING' && delivery.dueAt === null && delivery.attempts.length <= 3
  })
  t.notThrows(() => fc.assert(property))
})
