// verifyWebhook accepts a delivery only if the secret signed exactly these bytes a short time ago.
import { createHmac, randomBytes } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { BursarError, verifyWebhook, type WebhookHeaders } from '../../sdk/index.js'
import { headersOf } from '../../src/webhooks/sign.js'
import { runs } from '../support/depth.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const SECRET = newSecret()
const OTHER = newSecret()

const EVENT = {
  deliveryId: 'cdelivery',
  event: 'payment.executed',
  timestamp: new Date(NOW).toISOString(),
  data: { amount: 5, name: 'Zürich 東京' },
}
const BODY = JSON.stringify(EVENT)

const hex = (body: string, secret: string): string => createHmac('sha256', secret).update(body).digest('hex')
function standard(body: string, secret: string, at: number): { [name: string]: string } {
  const seconds = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`cdelivery.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': 'cdelivery', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

async function codeOf(body: string | Uint8Array, headers: WebhookHeaders, secret = SECRET, now = NOW): Promise<string> {
  try {
    await verifyWebhook(body, headers, secret, { now })
    return 'taken'
  } catch (error) {
    return error instanceof BursarError ? error.code : String(error)
  }
}

test('A delivery is accepted as text or bytes, with headers of any kind and letter case', async (t) => {
  const headers = { 'X-Service-Signature': hex(BODY, SECRET) }
  const lower = { 'x-service-signature': hex(BODY, SECRET) }
  const several = { 'x-service-signature': [hex(BODY, SECRET)] }
  for (const body of [BODY, new TextEncoder().encode(BODY), Buffer.from(BODY)]) {
    for (const given of [headers, lower, several, new Headers(headers)]) {
      t.deepEqual(await verifyWebhook(body, given, SECRET, { now: NOW }), EVENT)
    }
  }
})

test('A delivery with another body, secret or signature is refused', async (t) => {
  const right = hex(BODY, SECRET)
  const flipped = right.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  for (const [what, body, headers] of [
    ['another body', BODY.replace('5', '6'), { 'X-Service-Signature': right }],
    ['another secret', BODY, { 'X-Service-Signature': hex(BODY, OTHER) }],
    ['no signature', BODY, {}],
    ['an empty signature', BODY, { 'X-Service-Signature': '' }],
    ['half a signature', BODY, { 'X-Service-Signature': right.slice(0, 32) }],
    ['capital letters', BODY, { 'X-Service-Signature': right.toUpperCase() }],
    ['one digit', BODY, { 'X-Service-Signature': flipped }],
    ['the signature twice', BODY, { 'X-Service-Signature': `${right}, ${right}` }],
    ['a standard signature of another secret', BODY, standard(BODY, OTHER, NOW)],
    ['a standard signature of another time', BODY, { ...standard(BODY, SECRET, NOW), 'webhook-timestamp': '1' }],
    ['a standard signature of another id', BODY, { ...standard(BODY, SECRET, NOW), 'webhook-id': 'x' }],
    ['a standard signature without its version', BODY, { ...standard(BODY, SECRET, NOW), 'webhook-signature': right }],
  ] as [string, string, WebhookHeaders][]) {
    t.is(await codeOf(body, headers), 'AUTH_FAILED', what)
  }
})

test('During a rotation both the old and the new secret verify', async (t) => {
  const both = [standard(BODY, OTHER, NOW), standard(BODY, SECRET, NOW)].map((one) => one['webhook-signature'])
  for (const headers of [
    { 'X-Service-Signature': hex(BODY, OTHER), 'X-Service-Signature-Previous': hex(BODY, SECRET) },
    { ...standard(BODY, SECRET, NOW), 'webhook-signature': both.join(' ') },
  ]) {
    t.is(await codeOf(BODY, headers, SECRET), 'taken')
    t.is(await codeOf(BODY, headers, newSecret()), 'AUTH_FAILED')
  }
})

test('A delivery more than five minutes old or early is EXPIRED, unless the tolerance is larger', async (t) => {
  const headers = { 'X-Service-Signature': hex(BODY, SECRET) }
  const minute = 60_000
  for (const offset of [0, 5, -5, 5.1, -5.1]) {
    const code = Math.abs(offset) <= 5 ? 'taken' : 'EXPIRED'
    t.is(await codeOf(BODY, headers, SECRET, NOW + offset * minute), code, `own, ${offset}`)
    t.is(await codeOf(BODY, standard(BODY, SECRET, NOW), SECRET, NOW + offset * minute), code, `standard, ${offset}`)
  }
  t.deepEqual(await verifyWebhook(BODY, headers, SECRET, { now: NOW + 9 * minute, toleranceSeconds: 600 }), EVENT)
})

test('A late attempt is accepted, because its own time is signed', async (t) => {
  const later = NOW + 30 * 60_000
  const headers = { 'X-Service-Signature': hex(BODY, SECRET), ...standard(BODY, SECRET, later) }
  t.is(await codeOf(BODY, headers, SECRET, later), 'taken')
  const unsignedTime = { ...headers, 'webhook-timestamp': String(later / 1000 + 60) }
  t.is(await codeOf(BODY, unsignedTime, SECRET, later), 'EXPIRED')
})

test('A signed body without a timestamp, or that is not JSON, is refused', async (t) => {
  for (const [body, code] of [
    ['{}', 'EXPIRED'],
    ['{"timestamp":7e99}', 'EXPIRED'],
    ['no', 'INVALID_JSON'],
    ['null', 'INVALID_JSON'],
  ] as const) {
    t.is(await codeOf(body, { 'X-Service-Signature': hex(body, SECRET) }), code, body)
  }
  await t.throwsAsync(() => verifyWebhook(BODY, {}, ''), { instanceOf: TypeError })
})

test('No arbitrary text is accepted as a signature', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (text) => {
      const own = { 'x-service-signature': text, 'x-service-signature-previous': text }
      const headers = { ...own, 'webhook-id': text, 'webhook-timestamp': '1', 'webhook-signature': text }
      t.is(await codeOf(BODY, headers), 'AUTH_FAILED')
    }),
    { numRuns: runs(200) },
  )
})

test("The service's own signature is accepted under the current and the previous secret", async (t) => {
  const sentAt = NOW + 20 * 60_000
  const signed = { deliveryId: 'cdelivery', event: EVENT.event, at: NOW, attempt: 3, sentAt }
  const headers = headersOf(BODY, signed, { current: SECRET, previous: OTHER })
  for (const secret of [SECRET, OTHER]) t.is(await codeOf(BODY, headers, secret, sentAt), 'taken')
  t.is(await codeOf(`${BODY} `, headers, SECRET, sentAt), 'AUTH_FAILED')
  t.is(await codeOf(BODY, headers, SECRET, sentAt + 301_000), 'EXPIRED')
})
