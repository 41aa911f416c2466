// Reads for a page: loading, loaded or failed, again on demand, and again from time to time while somebody looks.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut } from './api.js'
import { useSession } from './session.js'

export interface Loaded<T> {
  /** What was read last; it stays while more is read. */
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
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown }>({})
  const [turn, setTurn] = useState(0)
  const { end } = useSession()
  const latest = useRef(read)
  latest.current = read
  const underWay = useRef<AbortController | undefined>(undefined)
  useEffect(() => setState({}), about)
  useEffect(() => {
    const controller = new AbortController()
    underWay.current = controller
    latest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return
        underWay.current = undefined
        setState({ data })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        underWay.current = undefined
        if (isSignedOut(error)) end()
        else setState(({ data }) => (data === undefined ? { error } : { data, error }))
      },
    )
    return () => controller.abort()
  }, [turn, ...about])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  // A read that takes longer than the time between two is waited for.
  const again = useCallback(() => underWay.current ?? reload(), [])
  useEvery(options.everyMs, again)
  return { ...state, reload }
}

/** Not while the page is hidden; at once when it is seen again. */
function useEvery(ms: number | undefined, act: () => unknown): void {
  useEffect(() => {
    if (ms === undefined) return undefined
    const look = (): void => void (document.visibilityState === 'visible' && act())
    const timer = setInterval(look, ms)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ms, act])
}

interface Paged {
  pagination?: { total?: number; nextCursor?: string }
  total?: number
  nextCursor?: string
}

export interface List<T> extends Loaded<T[]> {
  total?: number | undefined
  /** Reads the next page; absent at the end. */
  more?: (() => void) | undefined
  busy: boolean
}

/**
 * A list of the service, page after page. A new read of the first page replaces it as long as only that was read, so
 * that a list which is read from time to time never jumps under somebody who has read on.
 */
export function useList<P extends Paged, T>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<P>,
  entries: (page: P) => T[],
  about: unknown[],
  options: Options = {},
): List<T> {
  const [older, setOlder] = useState<P[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const first = useLoad((signal) => read(undefined, signal), about, older.length > 0 ? {} : options)
  useEffect(() => setOlder([]), about)
  const last = older.at(-1) ?? first.data
  const cursor = last?.pagination?.nextCursor ?? last?.nextCursor
  const more = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    await read(cursor, new AbortController().signal).then((page) => setOlder([...older, page]), setError)
    setBusy(false)
  }
  return {
    data: first.data && [first.data, ...older].flatMap(entries),
    error: first.error ?? error,
    reload: () => {
      setOlder([])
      first.reload()
    },
    total: first.data?.pagination?.total ?? first.data?.total,
    more: cursor === undefined ? undefined : () => void more(),
    busy,
  }
}
