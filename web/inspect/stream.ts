// Follows the machines at work while somebody looks. Where the stream breaks off the browser opens it again by itself;
// where the service refused it, it is tried again here.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../session.js'

export interface Transition {
  sequence: number
  at: string
  machine: string
  actorId: string
  action: string
  from: string | null
  to: string | null
}

const AGAIN_MS = 5000

/** True while the stream is open. `hear` is told of every transition, and of a gap (undefined). */
export function useStream(hear: (transition: Transition | undefined) => void): boolean {
  const [isOpen, setOpen] = useState(false)
  const { isWatched } = useSession()
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    if (!isWatched) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let source: EventSource
    const onTransition = ({ data }: MessageEvent<string>): void => latest.current(JSON.parse(data) as Transition)
    const onMissed = (): void => latest.current(undefined)
    const open = (): void => {
      source = new EventSource('/api/inspect/stream')
      source.addEventListener('transition', onTransition)
      source.addEventListener('missed', onMissed)
      source.addEventListener('open', () => {
        setOpen(true)
        onMissed()
      })
      source.addEventListener('error', () => {
        setOpen(false)
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS)
      })
    }
    open()
    return () => {
      clearTimeout(timer)
      source.close()
      setOpen(false)
    }
  }, [isWatched])
  return isOpen
}
