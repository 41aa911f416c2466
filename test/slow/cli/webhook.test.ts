// bursar webhook: a test event from send-test to listen, and the input that both refuse.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { verifyWebhook } from '../../../sdk/webhook.js'
import { headersOf } from '../../../src/webhooks/sign.js'
import { startReceiver } from '../../support/receiver.js'

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url))
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

const THIRD = 'whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA='

interface Ran {
  status: number | null
  out: string
  error: string
}

const signing = (secret: string): NodeJS.ProcessEnv => ({ ...process.env, BURSAR_WEBHOOK_SECRET: secret })

async function bursar(secret: string, ...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, 'webhook', ...args], { env: signing(secret) })
  const ran: Ran = { status: null, out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.error += text))
  const [status] = (await once(child, 'close')) as [number | null]
  return { ...ran, status }
}

async function listen(t: ExecutionContext, secret: string) {
  const child = spawn(process.execPath, [MAIN, 'webhook', 'listen', '--port', '0'], { env: signing(secret) })
  t.teardown(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  while (!/^Listening at \S+$/m.test(out)) await once(child.stdout, 'data')
  const url = /^Listening at (\S+)$/m.exec(out)![1]!
  const end = async (): Promise<{ status: number; out: string }> => {
    child.kill('SIGTERM')
    const [status] = (await once(child, 'close')) as [number]
    return { status, out }
  }
  return { url, end }
}

test('send-test is verified and printed by listen', async (t) => {
  const { url, end } = await listen(t, SECRET)
  const sent = await bursar(SECRET, 'send-test', `${url}/in`)
  t.is(sent.status, 0, sent.error)
  t.regex(sent.out, /^Delivered c[a-z0-9]{24}: 204\n$/)
  const wrong = await bursar(OTHER, 'send-test', url)
  t.is(wrong.status, 1)
  t.regex(wrong.out, /^Not delivered c[a-z0-9]{24}: 401\n$/)
  const { status, out } = await end()
  t.is(status, 0)
  t.regex(out, /^verified {2}payment\.confirmed {2}c[a-z0-9]{24} {2}attempt 1$/m)
  t.regex(out, /"test": true/)
  t.regex(out, /^WRONG SIGNATURE {2}payment\.confirmed/m)
})

test('listen verifies with either secret during a rotation, and with the new one afterwards', async (t) => {
  const body = JSON.stringify({ event: 'payment.executed' })
  const signed = { deliveryId: 'cdelivery', event: 'payment.executed', at: 0, attempt: 1, sentAt: 0 }
  const during = headersOf(body, signed, { current: SECRET, previous: OTHER })
  const after = headersOf(body, signed, { current: SECRET })
  const told: [string, number[], string[]][] = [
    [SECRET, [204, 204], ['verified', 'verified']],
    [OTHER, [204, 401], ['verified', 'WRONG SIGNATURE']],
    [THIRD, [401, 401], ['WRONG SIGNATURE', 'WRONG SIGNATURE']],
  ]
  for (const [secret, answers, standings] of told) {
    const { url, end } = await listen(t, secret)
    const given: number[] = []
    for (const headers of [during, after]) given.push((await fetch(url, { method: 'POST', headers, body })).status)
    const { out } = await end()
    t.deepEqual(given, answers)
    t.deepEqual(
      [...out.matchAll(/^(.+) {2}payment\.executed {2}/gm)].map(([, standing]) => standing),
      standings,
    )
  }
})

test('listen on a port in use names --port', async (t) => {
  const { url } = await listen(t, SECRET)
  const { port } = new URL(url)
  const { status, error } = await bursar(SECRET, 'listen', '--port', port)
  t.deepEqual([status, error], [1, `Port ${port} is in use: choose another with --port\n`])
})

test('a body that is not an event cannot control the terminal', async (t) => {
  const { url, end } = await listen(t, SECRET)
  await fetch(url, { method: 'POST', body: '\u001b]0;mine\u0007' })
  const { out } = await end()
  t.false(out.includes('\u001b'))
  t.regex(out, /^WRONG SIGNATURE/m)
})

test('send-test needs no secret: it signs with a new one, and prints it', async (t) => {
  const receiver = await startReceiver(t)
  const { status, out, error } = await bursar('', 'send-test', receiver.url)
  t.is(status, 0)
  t.regex(out, /^Delivered c[a-z0-9]{24}: 204\n$/)
  const [, secret] = /^.*Signing with the new secret (whsec_\S+)$/m.exec(error) ?? []
  const [{ raw, headers }] = receiver.received as [(typeof receiver.received)[number]]
  t.like(await verifyWebhook(raw, headers, secret!), { event: 'payment.confirmed' })
})

test('send-test sends an event about a payment that does not exist', async (t) => {
  const receiver = await startReceiver(t)
  t.is((await bursar(SECRET, 'send-test', receiver.url)).status, 0)
  const [{ body }] = receiver.received as [(typeof receiver.received)[number]]
  t.is(body.event, 'payment.confirmed')
  t.true(body.data['test'])
  t.regex(String(body.data['paymentId']), /^test_/)
})

for (const url of [
  'https://example.com',
  'http://10.0.0.1',
  'http://169.254.169.254',
  'http://[fd00::1]',
  'ftp://localhost',
  'localhost:4400',
  'x',
]) {
  test(`send-test does not send to ${url}`, (t) => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'webhook', 'send-test', url], {
      encoding: 'utf8',
      env: signing(SECRET),
    })
    t.is(status, 2)
    t.regex(stderr, /^The URL must point to this machine/)
  })
}

for (const args of [
  ['send-test'],
  ['send-test', 'http://localhost', '--secret', 'x'],
  ['listen', '--port', 'x'],
  ['listen', 'x'],
]) {
  test(`bursar webhook ${args.join(' ')} is a usage error`, (t) => {
    t.is(spawnSync(process.execPath, [MAIN, 'webhook', ...args]).status, 2)
  })
}
