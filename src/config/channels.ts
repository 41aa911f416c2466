// The settings of notification channels: the SMTP server that sends their mails, and Slack's Web API.
import { ConfigError } from './failure.js'

export const SLACK_API = 'https://slack.com/api'

const SENDER = /^(?:[^<>"@\p{Cc}]{1,100} <([^\s<>@]+@[^\s<>@]+)>|[^\s<>"@]+@[^\s<>"@]+)$/u

/** It may hold a password, and is not repeated where it is refused. */
export function readSmtpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text : undefined
}

export function readSender(text: string): string | undefined {
  return SENDER.test(text) ? text : undefined
}

/** Null where no mails are sent; throws ConfigError where one of the two is missing. */
export function mailOf(url: string | undefined, from: string | undefined): { url: string; from: string } | null {
  if (url === undefined && from === undefined) return null
  if (url === undefined) throw new ConfigError('BURSAR_SMTP_FROM needs BURSAR_SMTP_URL, the server that sends mails')
  if (from === undefined)
    throw new ConfigError('BURSAR_SMTP_URL needs BURSAR_SMTP_FROM, the address that mails come from')
  return { url, from }
}
