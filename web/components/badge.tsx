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
}

/** `status` is a code of the service; `says` replaces its word. */
export function Badge({ status, says }: { status: string; says?: string }) {
  return <span class={`badge ${TONES[status] ?? 'quiet'}`}>{says ?? words(status)}</span>
}
