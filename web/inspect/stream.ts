// Follows the actors while somebody watches. If the stream breaks off, the browser reopens it where it ended; if the
// service refused it, this file tries again.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../session.js'

interface Transition {
  machine: string
  actorId: string
}

interface Following {
  concerns: (transition: Transition) => boolean
  /** The first call is immediate; later ones are at most this often. */
  atMostEveryMs: number
  onChange: () => void
}

const AGAIN_MS = 5000

/** True while the stream is open. While it is not, changes may be missed. */
export function useStream(following: Following): boolean {
  const [isOpen, setOpen] = useState(false)
  const { isWatched } = useSession()
  const latest = useRef(following)
  latest.current = following
  useEffect(() => {
    if (!isWatched) return undefined
    const change = seldom(() => latest.current.onChange(), following.atMostEveryMs)
    let source: EventSource
    let again: number | undefined
    let last = ''
    const open = (): void => {
      source = new EventSource(`/api/inspect/stream${last && `?after=${last}`}`)
      source.addEventListener('transition', ({ data, lastEventId }: MessageEvent<string>) => {
        last = lastEventId
        if (latest.current.concerns(JSON.parse(data) as Transition)) change.now()
      })
      source.addEventListener('missed', ({ lastEventId }: MessageEvent<string>) => {
        last = lastEventId
        change.now()
      })
      source.addEventListener('open', () => {
        setOpen(true)
        change.now()
      })
      source.addEventListener('error', () => {
        setOpen(false)
        if (source.readyState === EventSource.CLOSED) again = window.setTimeout(open, AGAIN_MS)
      })
    }
    open()
    return () => {
      source.close()
      clearTimeout(again)
      change.never()
      setOpen(false)
    }
  }, [isWatched])
  return isOpen
}

/** Runs something now, or, if it ran recently, when the interval is over. */
function seldom(run: () => void, everyMs: number): { now: () => void; never: () => void } {
  let waiting: number | undefined
  let isDue = false
  const now = (): void => {
    isDue = waiting !== undefined
    if (isDue) return
    waiting = window.setTimeout(() => {
      waiting = undefined
      if (isDue) now()
    }, everyMs)
    run()
  }
  return { now, never: () => clearTimeout(waiting) }
}
