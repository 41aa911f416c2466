// Who has signed in, and what they may do; known to every page. Whoever has not is shown the form to sign in; whoever
// had, and whose session is over, keeps the page until they say who they are again.
import { createContext, type ComponentChildren } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api, isSignedOut, type Answer } from './api.js'
import { usePresence, type Presence } from './presence.js'

export type Session = Answer<'GET /api/session'>
export type Organization = Answer<'GET /api/organization'>
export type Role = Session['member']['role']

export interface SignedIn {
  member: Session['member']
  organization: Organization
}

interface Standing {
  /** Undefined until it is known. */
  signedIn: SignedIn | 'nobody' | undefined
  /** Of whoever has signed in: their session ended, and they have to sign in again. */
  isOver: boolean
  /** Somebody has signed in, and their session goes on for all that is known. */
  isIn: boolean
  /** Somebody is there and signed in: what is read from time to time is read. */
  isWatched: boolean
  error: unknown
  /** Asks again who has signed in. */
  refresh: () => Promise<void>
  /** The session is over, which nobody asked for. */
  end: () => void
  /** Nobody is signed in any more, and nothing of the page stays. */
  leave: () => void
  presence: Presence
}

const Context = createContext<Standing>({
  signedIn: undefined,
  isOver: false,
  isIn: false,
  isWatched: false,
  error: undefined,
  refresh: async () => {},
  end: () => {},
  leave: () => {},
  presence: 'here',
})

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<Standing['signedIn']>()
  const [error, setError] = useState<unknown>()
  const [isOver, setOver] = useState(false)
  const presence = usePresence()
  /** What was asked before the latest of these happened is answered too late to count. */
  const latest = useRef(0)
  const end = useCallback(() => {
    latest.current += 1
    setOver(true)
  }, [])
  const leave = useCallback(() => {
    latest.current += 1
    setSignedIn('nobody')
  }, [])
  const refresh = useCallback(async () => {
    const asked = (latest.current += 1)
    try {
      const { member } = await api.call('GET /api/session', {})
      const now = { member, organization: await api.call('GET /api/organization', {}) }
      if (asked !== latest.current) return
      // What is the same stays the same, so that nothing is drawn anew.
      setSignedIn((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
      setOver(false)
      setError(undefined)
    } catch (cause) {
      if (asked !== latest.current) return
      if (!isSignedOut(cause)) return setError(cause)
      setOver(true)
      setSignedIn((before) => before ?? 'nobody')
    }
  }, [])
  useEffect(() => void refresh(), [])
  const isIn = signedIn !== undefined && signedIn !== 'nobody' && !isOver
  const isWatched = presence === 'here' && isIn
  const standing = useMemo(
    () => ({ signedIn, isOver, isIn, isWatched, error, refresh, end, leave, presence }),
    [signedIn, isOver, presence, error],
  )
  return <Context.Provider value={standing}>{children}</Context.Provider>
}

export const useSession = (): Standing => useContext(Context)

/** For pages: they are shown to people who have signed in only. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useSession()
  if (signedIn === undefined || signedIn === 'nobody') throw new Error('Only for those who have signed in')
  return signedIn
}

const RANK: { [role in Role]: number } = { VIEWER: 0, MANAGER: 1, ADMIN: 2, OWNER: 3 }

/** Whether the person has this role or one that may more. The service decides; this only spares them a refusal. */
export function useMay(role: Role): boolean {
  return RANK[useSignedIn().member.role] >= RANK[role]
}
