// One event on its way to one endpoint: what is stored of it, and what follows from an attempt.
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Attempt {
  /** Epoch ms at which it began. */
  at: number
  durationMs: number
  statusCode?: number
  error?: string
}

/** What became of an attempt, and what the receiver asked for. */
export interface Outcome extends Attempt {
  /** Its `Retry-After`. */
  retryAfterMs?: number
  /** It was not sent, and sending it again would change nothing. */
  refused?: true
  /** What the service's log says of it, and nobody else is told. */
  detail?: string
}

/** What attempts change. */
export interface Progress {
  /** Where it goes, or went last. */
  target: string
  status: DeliveryStatus
  attempts: Attempt[]
  /** Epoch ms of the next attempt; null when there is none. */
  dueAt: number | null
}

export interface Delivery extends Progress {
  /** From `orderedId`: a later one sorts behind it. */
  id: string
  organization: string
  /** Whose callback it goes to; null for the organization's own endpoint. */
  agentId: string | null
  event: string
  /** When the event happened, epoch ms. */
  at: number
  /** What is told, as JSON: the same text on every attempt. */
  data: string
  createdAt: number
}

/** One name for each place that deliveries go to: the organization's own endpoint, or an agent's callback. */
export function endpointName(organization: string, agentId: string | null): string {
  return `${organization}:${agentId ?? ''}`
}

/** What such a name names. */
export function endpointIn(name: string): { organization: string; agentId: string | null } {
  const [organization = '', agentId = ''] = name.split(':')
  return { organization, agentId: agentId === '' ? null : agentId }
}

/** Waits before the second and the third attempt (ms). */
export type Waits = readonly number[]

const MOST_RETRY_AFTER_MS = 600_000
const RETRIED = new Set([408, 429])

/** No answer, 408, 429 and 5xx may be different next time; any other status is the receiver's last word. */
function isWorthRetrying({ statusCode, refused }: Outcome): boolean {
  if (refused) return false
  return statusCode === undefined || RETRIED.has(statusCode) || (statusCode >= 500 && statusCode < 600)
}

/** The receiver took it. */
export function isDelivered({ statusCode = 0 }: Outcome): boolean {
  return statusCode >= 200 && statusCode < 300
}

/** Where a delivery stands after its attempt number `made`: it is done, given up, or due again. */
export function nextAttempt(made: number, outcome: Outcome, waits: Waits): Pick<Delivery, 'status' | 'dueAt'> {
  const { at, durationMs, retryAfterMs = 0 } = outcome
  if (isDelivered(outcome)) return { status: 'DELIVERED', dueAt: null }
  const wait = waits[made - 1]
  if (wait === undefined || !isWorthRetrying(outcome)) return { status: 'FAILED', dueAt: null }
  return { status: 'PENDING', dueAt: at + durationMs + Math.max(wait, Math.min(retryAfterMs, MOST_RETRY_AFTER_MS)) }
}

/** What becomes of a delivery by an attempt. */
export function attempted({ target, attempts }: Delivery, outcome: Outcome, waits: Waits): Progress {
  const { status, dueAt } = nextAttempt(attempts.length + 1, outcome, waits)
  return { target, status, attempts: [...attempts, attemptOf(outcome)], dueAt }
}

/** What the delivery log says of it. */
function attemptOf({ at, durationMs, statusCode, error }: Outcome): Attempt {
  if (statusCode !== undefined) return { at, durationMs, statusCode }
  return error === undefined ? { at, durationMs } : { at, durationMs, error }
}
