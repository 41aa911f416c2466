// Channels of type EMAIL against a real SMTP server: STARTTLS and sign-in, what arrives, a recipient that is refused,
// and a server that is gone for an hour.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import test from 'ava'
import { attempted, type Delivery } from '../../../src/domain/outcomes/delivery.js'
import { email } from '../../../src/notifications/channels/email.js'
import type { ChannelOutcome } from '../../../src/notifications/channelType.js'
import { startChannels } from '../../support/channels.js'
import type { Scope } from '../../support/process.js'
import { approvalNotice } from '../../notifications/notices.js'
import { CERTIFICATE, KEY } from '../../webhooks/certificate.js'

interface Mail {
  from: string
  to: string[]
  isSecure: boolean
  user: string | undefined
  text: string
}

interface MailServer {
  port: number
  mails: Mail[]
  close(): Promise<void>
}

async function startMail(scope: Scope, options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username! }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('gone@') ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })) : done(),
    onData: (stream, { envelope, secure, user }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        mails.push({ from, to, isSecure: secure, user, text: Buffer.concat(parts).toString() })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  scope.teardown(close)
  return { port: (server.server.address() as AddressInfo).port, mails, close }
}

const FROM = 'Bursar <bursar@acme.com>'

function sendTo(recipients: string[], url: string, deliveryId = 'cdelivery'): Promise<ChannelOutcome> {
  const notice = approvalNotice({ purpose: 'paper\r\nBcc: mallory@evil.com' })
  const job = { deliveryId, event: 'approval.requested' as const, body: '', notice, sentAt: 0, earlier: [] }
  const ports = { mail: { url, from: FROM }, slackApi: '', post: () => Promise.reject(new Error('No HTTP here')) }
  return email.send(job, { recipients }, ports)
}

test('a mail says who wants to pay, as text and HTML, to all recipients, over TLS', async (t) => {
  const server = await startMail(t)
  const url = `smtp://bursar:secret@127.0.0.1:${server.port}/?tls.rejectUnauthorized=false`
  t.deepEqual(await sendTo(['a@acme.com', 'b@acme.com'], url), { statusCode: 250 })
  const [mail] = server.mails
  t.like(mail, { from: 'bursar@acme.com', to: ['a@acme.com', 'b@acme.com'], isSecure: true, user: 'bursar' })
  t.regex(mail!.text, /^From: Bursar <bursar@acme.com>\r$/m)
  t.regex(mail!.text, /^Message-ID: <cdelivery@acme.com>\r$/m)
  t.regex(mail!.text, /^Content-Type: text\/html; charset=utf-8\r$/m)
  t.notRegex(mail!.text, /^Bcc:/im)
})

test('a password is not sent without TLS, except to this machine', async (t) => {
  const server = await startMail(t, { hideSTARTTLS: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  t.is((await sendTo(['a@acme.com'], `smtp://bursar:secret@127.0.0.1:${server.port}`)).statusCode, 250)
  // Another name of this machine.
  const outcome = await sendTo(
    ['a@acme.com'],
    `smtp://bursar:secret@127.1:${server.port}`.replace('127.1', '[::ffff:127.0.0.1]'),
  )
  t.is(outcome.statusCode, undefined)
  t.is(server.mails.length, 1)
})

test('a server with a certificate that is not trusted gets no mail', async (t) => {
  const server = await startMail(t)
  const outcome = await sendTo(['a@acme.com'], `smtp://bursar:secret@127.0.0.1:${server.port}`)
  t.is(outcome.statusCode, undefined)
  t.is(server.mails.length, 0)
})

test('a recipient that is refused is told, the others get the mail, and nothing is retried', async (t) => {
  const server = await startMail(t, { disabledCommands: ['STARTTLS', 'AUTH'], hideSTARTTLS: true })
  const url = `smtp://127.0.0.1:${server.port}`
  t.deepEqual(await sendTo(['a@acme.com', 'gone@acme.com'], url), { statusCode: 250, error: 'Refused: gone@acme.com' })
  t.deepEqual(server.mails[0]!.to, ['a@acme.com'])
  const outcome = await sendTo(['gone@acme.com'], url)
  t.true(outcome.refused)
  t.regex(outcome.error!, /550/)
})

test('a server that is gone for an hour gets the mail when it is back', async (t) => {
  const first = await startMail(t, { disabledCommands: ['STARTTLS', 'AUTH'], hideSTARTTLS: true })
  const { port } = first
  await first.close()
  let [now, made] = [0, 0]
  let server: MailServer | undefined
  let delivery = { target: 'mailto:a@acme.com', attempts: [], status: 'PENDING', dueAt: 0 } as unknown as Delivery
  while (delivery.status === 'PENDING') {
    now = delivery.dueAt!
    if (now >= 3_600_000)
      server ??= await startMail(t, { disabledCommands: ['STARTTLS', 'AUTH'], hideSTARTTLS: true }, port)
    const outcome = await sendTo(['a@acme.com'], `smtp://127.0.0.1:${port}`)
    delivery = { ...delivery, ...attempted(delivery, { at: now, durationMs: 0, ...outcome }, [10_000, 300_000]) }
    made += 1
  }
  t.is(delivery.status, 'DELIVERED')
  t.true(now >= 3_600_000 && now <= 3_600_000 + 600_000, `delivered at ${now}`)
  t.is(server!.mails.length, 1)
  t.true(made < 12, `${made} attempts`)
})

test('a server that never comes back is given up within half a day', (t) => {
  let delivery = { target: '', attempts: [], status: 'PENDING', dueAt: 0 } as unknown as Delivery
  let now = 0
  while (delivery.status === 'PENDING') {
    now = delivery.dueAt!
    delivery = {
      ...delivery,
      ...attempted(delivery, { at: now, durationMs: 0, error: 'gone', keepsTrying: true }, [10_000, 300_000]),
    }
  }
  t.is(delivery.status, 'FAILED')
  t.true(now > 5 * 3_600_000 && now < 12 * 3_600_000)
})

test('a request reaches the recipients of a channel, and its test message, too', async (t) => {
  const server = await startMail(t, { disabledCommands: ['STARTTLS', 'AUTH'], hideSTARTTLS: true })
  const stage = await startChannels(t, { BURSAR_SMTP_URL: `smtp://127.0.0.1:${server.port}`, BURSAR_SMTP_FROM: FROM })
  const config = { recipients: ['ops@acme.com'] }
  const { id } = await stage.channel({ name: 'Mail', type: 'EMAIL', events: ['approval.requested'], config })
  const { approvalRequestId } = await stage.waiting({ purpose: 'Paper' })
  await stage.delivered(id)
  const [mail] = server.mails
  t.regex(mail!.text.replaceAll('=\r\n', ''), new RegExp(`/approvals/${approvalRequestId}`))
  await stage.must('POST', `/api/channels/${id}/test`)
  while (server.mails.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  t.regex(server.mails[1]!.text, /^Subject: Bursar: Test message\r$/m)
})
