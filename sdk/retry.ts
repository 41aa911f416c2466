// Decides whether and after how long a request is retried. It only computes; it neither sends nor waits.

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 10_000
/** After a longer `Retry-After` there is no retry; the error has it as `retryAfter`. */
const LONGEST_RETRY_AFTER_S = 60

/** The part of an answer that decides about a retry. */
export interface Refusal {
  status: number
  /** The `Retry-After` header in seconds. */
  retryAfter?: number | undefined
}

/** Milliseconds to wait before retry number `retry` (from 0); undefined for no retry. */
export function waitBefore(retry: number, maxRetries: number, { status, retryAfter }: Refusal): number | undefined {
  if (retry >= maxRetries || (status !== 429 && status < 500)) return undefined
  if (retryAfter === undefined) return Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS)
  return retryAfter > LONGEST_RETRY_AFTER_S ? undefined : retryAfter * 1000
}

/** Seconds from `now` (epoch ms), for a `Retry-After` header in seconds or as a date; undefined when it is neither. */
export function retryAfterIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  // Dates of HTTP begin with the name of a day; Date.parse would take `-1` for a date, too.
  const date = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
