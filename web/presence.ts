// Whether somebody is present: the page is visible, and a pointer or a key was used recently. Without this, polling
// would keep an unused session alive for ever.
import { useEffect, useState } from 'preact/hooks'

export type Presence = 'here' | 'idle' | 'hidden'

const IDLE_MS = 30 * 60_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

export function usePresence(): Presence {
  const [presence, setPresence] = useState<Presence>('here')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      clearTimeout(timer)
      const isSeen = document.visibilityState === 'visible'
      setPresence(isSeen ? 'here' : 'hidden')
      if (isSeen) timer = setTimeout(() => setPresence('idle'), IDLE_MS)
    }
    look()
    document.addEventListener('visibilitychange', look)
    for (const sign of SIGNS) addEventListener(sign, look, { passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      for (const sign of SIGNS) removeEventListener(sign, look)
    }
  }, [])
  return presence
}
