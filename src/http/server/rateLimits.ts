// Rate limiter: counts requests per caller and group in fixed windows of one minute, which start with a caller's first
// request. Its memory is bounded, and its clock is injected.
export type Group = 'payments' | 'reads' | 'admin' | 'login'

/** Requests a minute. */
export type RateLimits = { [group in Group]: number }

export interface LimitState {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number
}

interface Window {
  startedAt: number
  count: number
}

const WINDOW_MS = 60_000
const MAX_CALLERS = 100_000

/** Counts one request of a caller and returns its standing. */
export type Take = (group: Group, caller: string) => LimitState

export function rateLimiter(limits: RateLimits, now: () => number): Take {
  const windows: { [group in Group]: Map<string, Window> } = {
    payments: new Map(),
    reads: new Map(),
    admin: new Map(),
    login: new Map(),
  }
  return (group, caller) => {
    const at = now()
    const window = currentWindow(windows[group], caller, at)
    const limit = limits[group]
    const allowed = window.count < limit
    if (allowed) window.count += 1
    const resetSeconds = Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - at) / 1000))
    return { allowed, limit, remaining: limit - window.count, resetSeconds }
  }
}

/** The window of a group in the form of the IETF draft. */
export function policyOf(group: Group, limit: number): string {
  return `"${group}";q=${limit};w=${WINDOW_MS / 1000}`
}

/** The key under which a client is counted: its address, or the /64 of an IPv6 one, which one caller often owns. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

function currentWindow(windows: Map<string, Window>, caller: string, at: number): Window {
  const known = windows.get(caller)
  if (known !== undefined && isCurrent(known, at)) return known
  // Deleted and inserted again, so that the map stays ordered by the start of the windows.
  windows.delete(caller)
  forget(windows, at)
  const started = { startedAt: at, count: 0 }
  windows.set(caller, started)
  return started
}

function isCurrent({ startedAt }: Window, at: number): boolean {
  return at >= startedAt && at < startedAt + WINDOW_MS
}

/** Drops expired windows, and the oldest ones beyond MAX_CALLERS. */
function forget(windows: Map<string, Window>, at: number): void {
  for (const [caller, window] of windows) {
    if (isCurrent(window, at) && windows.size < MAX_CALLERS) return
    windows.delete(caller)
  }
}
