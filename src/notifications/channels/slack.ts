// Channels of type SLACK: by an incoming webhook, messages with a link; by a bot token, messages with buttons, which
// change when the request has an outcome.
import * as v from 'valibot'
import type {
  ChannelConfig,
  ChannelJob,
  ChannelOutcome,
  ChannelPorts,
  ChannelType,
  PostAnswer,
} from '../channelType.js'
import { messageOf } from '../message.js'
import { sentUrl } from '../sentUrl.js'
import { slackMessageOf } from '../slackText.js'

export interface SlackBot {
  botToken: string
  channel: string
  signingSecret: string
}

/** A message of Slack, by the channel's id and its time. */
interface Receipt {
  channel: string
  ts: string
}

const token = (most: number) =>
  v.pipe(
    v.string('must be text'),
    v.regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`), `must be 1 to ${most} visible characters`),
  )

/** Answers that no retry changes: the channel, the token or the message is wrong. */
const FINAL =
  /^(channel_not_found|not_in_channel|is_archived|invalid_auth|not_authed|account_inactive|token_(revoked|expired)|no_permission|missing_scope|msg_too_long|invalid_blocks.*|restricted_action.*|not_allowed_token_type|org_login_required|ekm_access_denied|team_access_not_granted)$/

/** The earlier message cannot change: a new one is posted. */
const UNCHANGEABLE = /^(message_not_found|cant_update_message|edit_window_closed)$/

export const slack: ChannelType = {
  config: v.union(
    [
      v.strictObject({ webhookUrl: sentUrl }),
      v.strictObject({ botToken: token(255), channel: token(80), signingSecret: token(255) }),
    ],
    'must be {webhookUrl} or {botToken, channel, signingSecret}',
  ),
  secrets: ['webhookUrl', 'botToken', 'signingSecret'],
  urls: ['webhookUrl'],
  target: (config) => (isBot(config) ? 'https://slack.com/api' : new URL(String(config['webhookUrl'])).origin),
  follows: isBot,
  send: async (job, config, ports) => {
    if (isBot(config)) return sendByBot(job, config, ports)
    const message = slackMessageOf(messageOf(job.event, job.notice), false)
    const { statusCode, retryAfterMs } = await ports.post(
      String(config['webhookUrl']),
      JSON_HEADERS,
      JSON.stringify(message),
    )
    return { statusCode, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  },
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }

function isBot(config: ChannelConfig): config is ChannelConfig & SlackBot {
  return 'botToken' in config
}

/** An outcome changes the earlier messages; where there are none, and for an open request, it is a new message. */
async function sendByBot(job: ChannelJob, bot: SlackBot, ports: ChannelPorts): Promise<ChannelOutcome> {
  const told = messageOf(job.event, job.notice)
  const message = slackMessageOf(told, true)
  const earlier = told.decides === null ? job.earlier.map((receipt) => JSON.parse(receipt) as Receipt) : []
  let changed: ChannelOutcome | undefined
  for (const { channel, ts } of earlier) {
    const { isUnchangeable, ...outcome } = outcomeOf(await call('chat.update', { ...message, channel, ts }, bot, ports))
    if (isUnchangeable) continue
    if (outcome.statusCode !== 200) return outcome
    changed = { statusCode: 200 }
  }
  if (changed) return changed
  const answer = await call('chat.postMessage', { ...message, channel: bot.channel }, bot, ports)
  const { isUnchangeable: _, receipt, ...posted } = outcomeOf(answer)
  // Only what asks for something changes later.
  return { ...posted, ...(receipt !== undefined && told.decides !== null && { receipt }) }
}

function call(
  method: string,
  body: object,
  { botToken }: SlackBot,
  { post, slackApi }: ChannelPorts,
): Promise<PostAnswer> {
  return post(`${slackApi}/${method}`, { ...JSON_HEADERS, Authorization: `Bearer ${botToken}` }, JSON.stringify(body))
}

/** Slack says 200 to what it has not done, too. */
function outcomeOf({ statusCode, retryAfterMs, body }: PostAnswer): ChannelOutcome & { isUnchangeable?: true } {
  if (statusCode !== 200) return { statusCode, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  const { ok, error, channel, ts } = readAnswer(body)
  if (ok === true)
    return {
      statusCode,
      ...(channel !== undefined && ts !== undefined && { receipt: JSON.stringify({ channel, ts }) }),
    }
  const named = /^[a-z_\d]{1,80}$/.test(String(error)) ? String(error) : 'no answer that can be read'
  if (UNCHANGEABLE.test(named)) return { error: `Slack: ${named}`, isUnchangeable: true }
  return { error: `Slack: ${named}`, ...(FINAL.test(named) && { refused: true }) }
}

interface SlackAnswer {
  ok?: unknown
  error?: unknown
  channel?: string
  ts?: string
}

function readAnswer(body: string): SlackAnswer {
  try {
    const answer = JSON.parse(body) as SlackAnswer | null
    return answer ?? {}
  } catch {
    return {}
  }
}
