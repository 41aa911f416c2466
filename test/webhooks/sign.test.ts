// Signatures, checked by a verifier that shares nothing with the service but node:crypto.
import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import test from 'ava'
import { verifyWebhook } from '../../sdk/webhook.js'
import { headersOf, newSecret } from '../../src/webhooks/sign.js'
import { Sealing } from '../../src/webhooks/sealing.js'
import '../support/depth.js'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const SIGNED = {
  deliveryId: 'msg_1',
  event: 'payment.executed',
  at: 1_614_265_330_000,
  attempt: 2,
  sentAt: 1_614_265_330_999,
}

/** The Standard Webhooks signature of a body under `SIGNED`. */
function standard(secret: string, body: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`msg_1.1614265330.${body}`).digest('base64')}`
}

test('every header is as specified', (t) => {
  t.deepEqual(headersOf('{"test": 2432232314}', SIGNED, { current: SECRET }), {
    'Content-Type': 'application/json',
    'User-Agent': 'Bursar-Webhooks/1',
    'X-Service-Signature': createHmac('sha256', Buffer.from(SECRET, 'utf8'))
      .update('{"test": 2432232314}')
      .digest('hex'),
    'X-Service-Delivery-Id': 'msg_1',
    'X-Service-Event': 'payment.executed',
    'X-Service-Timestamp': '2021-02-25T15:02:10.000Z',
    'X-Service-Delivery-Attempt': '2',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1614265330',
    'webhook-signature': standard(SECRET, '{"test": 2432232314}'),
  })
})

test("the signature matches the Standard Webhooks libraries' own example", (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const signed = { ...SIGNED, deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: 1_614_265_330_000 }
  const headers = headersOf('{"test": 2432232314}', signed, { current: secret })
  t.is(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('during a rotation both secrets sign', (t) => {
  const previous = newSecret(randomBytes)
  const headers = headersOf('{}', SIGNED, { current: SECRET, previous })
  const hex = (secret: string): string => createHmac('sha256', secret).update('{}').digest('hex')
  t.is(headers['X-Service-Signature'], hex(SECRET))
  t.is(headers['X-Service-Signature-Previous'], hex(previous))
  t.is(headers['webhook-signature'], `${standard(SECRET, '{}')} ${standard(previous, '{}')}`)
})

test('a secret is whsec_ and 32 bytes, different each time', (t) => {
  const secret = newSecret(randomBytes)
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.is(Buffer.from(secret.slice(6), 'base64').length, 32)
  t.not(newSecret(randomBytes), secret)
})

test('a signature holds for exactly the text that was signed', async (t) => {
  const text = fc.string({ unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(text, text, async (signed, sent) => {
      const headers = headersOf(JSON.stringify({ signed }), SIGNED, { current: SECRET })
      const verified = verifyWebhook(JSON.stringify({ signed: sent }), headers, SECRET, { toleranceSeconds: Infinity })
      const isAccepted = await verified.then(
        () => true,
        () => false,
      )
      t.is(isAccepted, signed === sent)
    }),
  )
})

test('a sealed secret opens only for its organization, under its key and unchanged', (t) => {
  const vault = new Sealing(randomBytes(32))
  const sealed = vault.seal('one', SECRET)
  t.false(sealed.includes(SECRET.slice(6)))
  t.is(vault.open('one', sealed), SECRET)
  t.throws(() => vault.open('two', sealed))
  t.throws(() => new Sealing(randomBytes(32)).open('one', sealed))
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1]! ^= 1
  t.throws(() => vault.open('one', bytes.toString('base64')))
})
