// A status as a word with a colour; the word alone is sufficient.
import { words } from '../format/words.js'

type Tone = 'good' | 'bad' | 'waiting' | 'busy' | 'quiet'

const TONES: { [status: string]: Tone } = {
  ACTIVE: 'good',
  APPROVED: 'good',
  EXECUTED: 'good',
  CONFIRMED: 'good',
  DELIVERED: 'good',
  PASSED: 'good',
  TRUSTED: 'good',
  VERIFIED: 'good',
  APPLIED: 'good',
  ALLOW: 'good',
  DENIED: 'bad',
  DENY: 'bad',
  FAILED: 'bad',
  BLOCKED: 'bad',
  REVOKED: 'bad',
  REFUSED: 'bad',
  STALE: 'bad',
  REQUIRES_APPROVAL: 'waiting',
  REQUIRE_APPROVAL: 'waiting',
  PENDING: 'waiting',
  SUSPENDED: 'waiting',
  PAUSED: 'waiting',
  FROZEN: 'waiting',
  INVITED: 'waiting',
  WAITING: 'waiting',
  EXECUTING: 'busy',
  SUBMITTED: 'busy',
  CRITICAL: 'bad',
  WARNING: 'waiting',
}

interface Props {
  /** A code of the service. */
  status: string
  /** Replaces its word. */
  says?: string
  /** Replaces its colour, where what is active is nothing good. */
  tone?: Tone
}

export function Badge({ status, says, tone = TONES[status] ?? 'quiet' }: Props) {
  return <span class={`badge ${tone}`}>{says ?? words(status)}</span>
}
