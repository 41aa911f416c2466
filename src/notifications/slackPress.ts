// What Slack sends when a button is pressed: checked as Slack signs it, and read.
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

/** Older requests may be repetitions by somebody else. */
const TOLERANCE_SECONDS = 300

export interface SlackSigned {
  /** `X-Slack-Request-Timestamp` and `X-Slack-Signature`. */
  timestamp: string
  signature: string
  /** The body as it was sent. */
  body: string
}

export function isSignedBySlack({ timestamp, signature, body }: SlackSigned, secret: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))

const payloadSchema = v.object({
  type: v.literal('block_actions'),
  user: v.object({
    id: text(64),
    username: v.optional(text(200)),
    name: v.optional(text(200)),
    team_id: v.optional(text(64)),
  }),
  team: v.nullish(v.object({ id: text(64) })),
  response_url: v.optional(text(2_000)),
  actions: v.pipe(v.array(v.object({ action_id: text(255), value: v.optional(text(2_000)) })), v.minLength(1)),
})

export interface SlackPress {
  teamId: string
  userId: string
  userName: string
  /** Null where the button decides nothing. */
  decides: { decision: 'APPROVED' | 'DENIED'; approvalRequestId: string; contentHash: string; step: number } | null
  /** Where answers for the presser go. */
  responseUrl: string | null
}

const DECISIONS: { [action: string]: 'APPROVED' | 'DENIED' } = { approve: 'APPROVED', deny: 'DENIED' }

/** The press in the `payload` of a body; undefined for anything else. */
export function pressIn(payload: string): SlackPress | undefined {
  const read = v.safeParse(payloadSchema, parsed(payload))
  if (!read.success) return undefined
  const { user, team, actions, response_url: responseUrl = null } = read.output
  const teamId = team?.id ?? user.team_id
  if (teamId === undefined) return undefined
  const [{ action_id: action, value = '' }] = actions as [(typeof actions)[number]]
  const decision = Object.hasOwn(DECISIONS, action) ? DECISIONS[action] : undefined
  const [approvalRequestId = '', contentHash = '', step = ''] = value.split('.')
  return {
    teamId,
    userId: user.id,
    userName: user.username ?? user.name ?? user.id,
    decides: decision === undefined ? null : { decision, approvalRequestId, contentHash, step: Number(step) },
    responseUrl,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Shown to the presser alone. */
export function answerToPresser(text: string): object {
  return { response_type: 'ephemeral', replace_original: false, text }
}
