// Channels of type EMAIL: one mail to the recipients, through the SMTP server of the installation. nodemailer is loaded
// with the first mail.
import type { Transporter } from 'nodemailer'
import * as v from 'valibot'
import type { ChannelOutcome, ChannelType, MailServer } from '../channelType.js'
import { mailTextOf } from '../mailText.js'
import { messageOf } from '../message.js'

/** An address that is nothing else: no list, name, comment or quoted part. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i
const MOST_RECIPIENTS = 20
const TIMEOUT_MS = 10_000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const recipient = v.pipe(
  v.string('must be text'),
  v.maxLength(254, 'must have at most 254 characters'),
  v.regex(ADDRESS, 'must be an e-mail address'),
)

let transport: { of: MailServer; transporter: Promise<Transporter> } | undefined

function transporterOf(server: MailServer): Promise<Transporter> {
  if (transport?.of === server) return transport.transporter
  transport = { of: server, transporter: connect(server) }
  return transport.transporter
}

async function connect({ url }: MailServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { username, hostname } = new URL(url)
  return createTransport({
    url,
    // A password is never sent over a connection that anybody may read.
    ...(username !== '' && !LOOPBACK.test(hostname) && { requireTLS: true }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

export const email: ChannelType = {
  config: v.strictObject({
    recipients: v.pipe(
      v.array(recipient, 'must be a list'),
      v.minLength(1, 'must have at least 1 recipient'),
      v.maxLength(MOST_RECIPIENTS, `must have at most ${MOST_RECIPIENTS} recipients`),
      v.check((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, 'must name each once'),
    ),
  }),
  secrets: [],
  urls: [],
  missing: (mail) =>
    mail === null ? 'This installation sends no mails: set BURSAR_SMTP_URL and BURSAR_SMTP_FROM' : undefined,
  target: ({ recipients }) => `mailto:${(recipients as string[]).join(',')}`,
  send: async ({ deliveryId, event, notice }, config, { mail }) => {
    if (mail === null) return { error: 'BURSAR_SMTP_URL is not set' }
    const { subject, text, html } = mailTextOf(messageOf(event, notice))
    const recipients = config['recipients'] as string[]
    const transporter = await transporterOf(mail)
    try {
      const sent = await transporter.sendMail({
        from: mail.from,
        to: recipients.map((address) => ({ name: '', address })),
        subject,
        text,
        html,
        // The same on every attempt, so that a mail that arrives twice is seen to be one.
        messageId: `<${deliveryId}@${domainOf(mail.from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      const refused = sent.rejected as (string | { address: string })[]
      const named = refused.map((one) => (typeof one === 'string' ? one : one.address)).join(', ')
      return { statusCode: 250, ...(refused.length > 0 && { error: `Refused: ${named}` }) }
    } catch (error) {
      return failureOf(error)
    }
  },
}

interface SmtpFailure {
  message: string
  /** The server's reply; absent where it gave none. */
  responseCode?: number
}

/** A reply of 500 or more is final; any other may change, also that there is no server. */
function failureOf(error: unknown): ChannelOutcome {
  const { message, responseCode } = error as SmtpFailure
  const failed = { error: message.replace(/\s+/g, ' ').slice(0, 200) }
  return responseCode !== undefined && responseCode >= 500
    ? { ...failed, refused: true }
    : { ...failed, keepsTrying: true }
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}
