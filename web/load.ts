// Reads data for a page: loading, loaded or failed, again on demand, and periodically while somebody watches. An answer
// to an earlier question is never shown as the answer to the current one.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api, isSignedOut, type Answer, type Parts, type Route } from './api.js'
import { startOf } from './format/time.js'
import { useSession } from './session.js'

export interface Loaded<T> {
  /** The latest data; it stays while new data is read. */
  data?: T | undefined
  error?: unknown
  reload: () => void
}

interface Options {
  /** Milliseconds between reads while the page is visible. */
  everyMs?: number
}

/** Reads once, and again whenever one of `about` changes. */
export function useLoad<T>(
  read: (signal: AbortSignal) => Promise<T>,
  about: unknown[],
  options: Options = {},
): Loaded<T> & { stop: () => void } {
  const key = JSON.stringify(about)
  const [state, setState] = useState<Read<T>>({ key })
  const [turn, setTurn] = useState(0)
  const { end, isOver } = useSession()
  const latest = useRef(read)
  latest.current = read
  const underWay = useRef<AbortController | undefined>(undefined)
  /** It could not be read because nobody was signed in. */
  const isRefused = useRef(false)
  useEffect(() => {
    const controller = new AbortController()
    underWay.current = controller
    const settle = (act: () => void): void => {
      if (controller.signal.aborted) return
      underWay.current = undefined
      isRefused.current = false
      act()
    }
    const fail = (error: unknown): void => {
      isRefused.current = isSignedOut(error)
      if (isRefused.current) end()
      else setState((before) => (before.key === key ? { ...before, error } : { key, error }))
    }
    latest.current(controller.signal).then(
      (data) => settle(() => setState({ key, data })),
      (error: unknown) => settle(() => fail(error)),
    )
    return () => controller.abort()
  }, [turn, key])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  // A read that takes longer than the interval is awaited.
  const again = useCallback(() => underWay.current ?? reload(), [])
  const stop = useCallback(() => {
    underWay.current?.abort()
    underWay.current = undefined
  }, [])
  useEffect(() => {
    if (!isOver && isRefused.current) reload()
  }, [isOver])
  useEvery(options.everyMs, again)
  // Data that was read for another key is not shown.
  const { data, error } = state.key === key ? state : { data: undefined, error: undefined }
  return { data, error, reload, stop }
}

/** Reads one route; the parts of the request are what the answer is about. */
export const useRead = <R extends Route>(route: R, parts: Parts<R>, options: Options = {}) =>
  useLoad((signal) => api.call(route, parts, { signal }), [route, parts], options)

interface Read<T> {
  /** The key of the data. */
  key: string
  data?: T
  error?: unknown
}

/** Pauses while nobody watches, and runs at once when somebody watches again. */
function useEvery(ms: number | undefined, act: () => unknown): void {
  const { isWatched } = useSession()
  const wasWatched = useRef(true)
  useEffect(() => {
    if (ms !== undefined && isWatched && !wasWatched.current) act()
    wasWatched.current = isWatched
    if (ms === undefined || !isWatched) return undefined
    const timer = setInterval(act, ms)
    return () => clearInterval(timer)
  }, [ms, act, isWatched])
}

interface Paged {
  pagination?: { total?: number; nextCursor?: string }
  total?: number
  nextCursor?: string
}

export interface List<T> extends Loaded<T[]> {
  total?: number | undefined
  /** Reads the first page again, but not while further pages are shown or read: `reload` drops them. */
  refresh: () => void
  /** Reads the next page; absent at the end. */
  more?: (() => void) | undefined
  busy: boolean
}

type Listed<R extends Route, K extends keyof Answer<R>> = Answer<R>[K] extends readonly (infer T)[] ? T : never

interface ListOptions extends Options {
  /** What the list is about besides the request: it is read again when that changes. */
  about?: unknown
  /** The first and the last day of the entries, as they are written in the address. */
  days?: readonly [from: string | null, until: string | null]
}

/**
 * A list of the service, page by page; `entries` names the field of the answer that holds them. A new read of the first page replaces the list only while no further page was
 * read, so that a polled list does not jump.
 */
export function useList<R extends Route, K extends keyof Answer<R>>(
  route: R,
  entries: K,
  parts: Parts<R>,
  { about: besides, days, ...options }: ListOptions = {},
): List<Listed<R, K>> {
  const about = [route, parts, besides, days]
  const key = JSON.stringify(about)
  // An invalid day is an error of the list.
  const read = async (cursor: string | undefined, signal: AbortSignal): Promise<Paged & Answer<R>> => {
    const { query } = parts as { query?: object }
    const within = days && { from: startOf(days[0]), to: startOf(days[1], 1) }
    return api.call(route, { ...parts, query: { ...query, ...within, cursor } }, { signal })
  }
  const [older, setOlder] = useState<(Paged & Answer<R>)[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const { end } = useSession()
  const underWay = useRef<AbortController | undefined>(undefined)
  const isAlone = older.length === 0 && !busy
  const first = useLoad((signal) => read(undefined, signal), about, isAlone ? options : {})
  const forget = (): void => {
    underWay.current?.abort()
    setOlder([])
    setBusy(false)
    setError(undefined)
  }
  // A page of an earlier query does not belong below the current one.
  useEffect(() => forget, [key])
  const last = older.at(-1) ?? first.data
  const cursor = last?.pagination?.nextCursor ?? last?.nextCursor
  const more = async (): Promise<void> => {
    // A new first page with new entries would leave a gap before the page that is read here.
    first.stop()
    const controller = new AbortController()
    underWay.current = controller
    setBusy(true)
    setError(undefined)
    const settle = (act: () => void): void => {
      if (controller.signal.aborted) return
      setBusy(false)
      act()
    }
    await read(cursor, controller.signal).then(
      (page) => settle(() => setOlder([...older, page])),
      (cause: unknown) => settle(() => (isSignedOut(cause) ? end() : setError(cause))),
    )
  }
  // The same entries are the same list, so that no table is rendered again for what stands beside it.
  const data = useMemo(
    () => first.data && [first.data, ...older].flatMap((page) => page[entries] as Listed<R, K>[]),
    [first.data, older],
  )
  return {
    data,
    error: first.error ?? error,
    reload: () => {
      forget()
      first.reload()
    },
    refresh: () => {
      if (isAlone) first.reload()
    },
    total: first.data?.pagination?.total ?? first.data?.total,
    more: cursor === undefined ? undefined : () => void more(),
    busy,
  }
}
