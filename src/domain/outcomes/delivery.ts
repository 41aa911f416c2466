// A delivery: one event for one endpoint, as stored, and the effect of each attempt.
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface DeliveryAttempt {
  /** Epoch ms of the beginning. */
  at: number
  durationMs: number
  statusCode?: number
  error?: string
}

/** The result of an attempt, with the receiver's wishes. */
export interface AttemptOutcome extends DeliveryAttempt {
  /** From `Retry-After`. */
  retryAfterMs?: number
  /** Not sent, and a retry would change nothing. */
  refused?: true
  /** Nothing of the receiver's was reached: it is tried for hours. */
  keepsTrying?: true
  /** For the service's log alone. */
  detail?: string
  /** What a channel's receiver calls the message, so that it can be changed later. */
  receipt?: string
}

/** The fields that attempts change. */
export interface DeliveryProgress {
  /** The URL of the next attempt, or of the last one. */
  target: string
  status: DeliveryStatus
  attempts: DeliveryAttempt[]
  /** Epoch ms of the next attempt; null when there is none. */
  dueAt: number | null
}

export interface Delivery extends DeliveryProgress {
  /** From `orderedId`: sorts by time. */
  id: string
  organization: string
  /** The agent with the callback; null for the organization's own endpoint, and for a channel. */
  agentId: string | null
  /** The notification channel; absent where it goes to an endpoint. */
  channelId?: string
  /** What a channel's message is about: an outcome changes the messages on the same subject. */
  subject?: string
  event: string
  /** Epoch ms of the event. */
  at: number
  /** The payload as JSON: the same text on every attempt. */
  data: string
  createdAt: number
}

/** A unique name for each endpoint: the organization's own, an agent's callback, or a channel. */
export function endpointName(organization: string, agentId: string | null, channelId?: string): string {
  const name = `${organization}:${agentId ?? ''}`
  return channelId === undefined ? name : `${name}:${channelId}`
}

/** Parses a name of `endpointName`. */
export function endpointIn(name: string): { organization: string; agentId: string | null; channelId?: string } {
  const [organization = '', agentId = '', channelId] = name.split(':')
  return { organization, agentId: agentId === '' ? null : agentId, ...(channelId !== undefined && { channelId }) }
}

/** Due time of a delivery that somebody asked for and waits for: it goes before all others of its endpoint. */
export const GOES_FIRST = 0

/** Delays before the second and the third attempt (ms). */
export type RetryDelays = readonly number[]

const MAX_RETRY_AFTER_MS = 600_000
/** Allows for the attempt itself and for small corrections of the clock. */
const MARGIN_MS = 60_000
const RETRIED = new Set([408, 429])
/** The wait of an attempt that reached nothing of the receiver's, and how many there are after the usual ones. */
const LATER_WAIT_MS = MAX_RETRY_AFTER_MS
const MOST_LATER = 36

/** No answer, 408, 429 and 5xx may change; any other status is final. */
function isWorthRetrying({ statusCode, refused }: AttemptOutcome): boolean {
  if (refused) return false
  return statusCode === undefined || RETRIED.has(statusCode) || (statusCode >= 500 && statusCode < 600)
}

export function isDelivered({ statusCode = 0 }: AttemptOutcome): boolean {
  return statusCode >= 200 && statusCode < 300
}

/** The delivery's status after attempt number `made`: delivered, given up, or due again. */
export function nextAttempt(
  made: number,
  outcome: AttemptOutcome,
  waits: RetryDelays,
): Pick<Delivery, 'status' | 'dueAt'> {
  const { at, durationMs, retryAfterMs = 0 } = outcome
  if (isDelivered(outcome)) return { status: 'DELIVERED', dueAt: null }
  const isLater = outcome.keepsTrying === true && made - 1 < waits.length + MOST_LATER
  const wait = waits[made - 1] ?? (isLater ? LATER_WAIT_MS : undefined)
  if (wait === undefined || !isWorthRetrying(outcome)) return { status: 'FAILED', dueAt: null }
  return { status: 'PENDING', dueAt: at + durationMs + Math.max(wait, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)) }
}

/** Also true for a time that is further ahead than any wait: it was set before the clock was set back. */
export function isDue(dueAt: number, now: number, waits: RetryDelays): boolean {
  const longest = Math.max(MAX_RETRY_AFTER_MS, ...waits) + MARGIN_MS
  return dueAt <= now || (dueAt > now + longest && dueAt !== Infinity)
}

/** The delivery's progress after an attempt. */
export function attempted(
  { target, attempts }: Delivery,
  outcome: AttemptOutcome,
  waits: RetryDelays,
): DeliveryProgress {
  const { status, dueAt } = nextAttempt(attempts.length + 1, outcome, waits)
  return { target, status, attempts: [...attempts, attemptOf(outcome)], dueAt }
}

/** The attempt as the delivery log shows it. */
function attemptOf({ at, durationMs, statusCode, error }: AttemptOutcome): DeliveryAttempt {
  return { at, durationMs, ...(statusCode !== undefined && { statusCode }), ...(error !== undefined && { error }) }
}
