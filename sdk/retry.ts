// When a request is sent again, and after how long. It only counts; it neither sends nor waits.

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 10_000
/** A service that wants more patience than this is not asked again: the caller is told how long. */
const LONGEST_RETRY_AFTER_S = 60

/** What an answer says about being asked again. */
export interface Refusal {
  status: number
  /** The `Retry-After` header in seconds. */
  retryAfter?: number | undefined
}

/** Milliseconds before retry number `retry` (from 0), or undefined where none is due. */
export function waitBefore(retry: number, maxRetries: number, { status, retryAfter }: Refusal): number | undefined {
  if (retry >= maxRetries || (status !== 429 && status < 500)) return undefined
  if (retryAfter === undefined) return Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS)
  return retryAfter > LONGEST_RETRY_AFTER_S ? undefined : retryAfter * 1000
}

/** Seconds, from a `Retry-After` header that gives seconds or a date. */
export function retryAfterIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
