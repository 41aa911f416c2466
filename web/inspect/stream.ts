// Follows the machines at work. Where the stream breaks off the browser opens it again by itself.
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Transition {
  sequence: number
  at: string
  machine: string
  actorId: string
  action: string
  from: string | null
  to: string | null
}

/** True while the stream is open. `hear` is told of every transition, and of a gap (undefined). */
export function useStream(hear: (transition: Transition | undefined) => void): boolean {
  const [isOpen, setOpen] = useState(false)
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    const source = new EventSource('/api/inspect/stream')
    const onTransition = ({ data }: MessageEvent<string>): void => latest.current(JSON.parse(data) as Transition)
    const onMissed = (): void => latest.current(undefined)
    source.addEventListener('transition', onTransition)
    source.addEventListener('missed', onMissed)
    source.addEventListener('open', () => {
      setOpen(true)
      onMissed()
    })
    source.addEventListener('error', () => setOpen(false))
    return () => source.close()
  }, [])
  return isOpen
}
