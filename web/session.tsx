// Who has signed in, and what they may do; known to every page. Whoever has not is shown the form to sign in; whoever
// had, and whose session is over, keeps the page until they say who they are again.
import { createContext, type ComponentChildren } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks'
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
  const end = useCallback(() => setOver(true), [])
  const leave = useCallback(() => setSignedIn('nobody'), [])
  const refresh = useCallback(async () => {
    try {
      const { member } = await api.call('GET /api/session', {})
      const now = { member, organization: await api.call('GET /api/organization', {}) }
      // What is the same stays the same, so that nothing is drawn anew.
      setSignedIn((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
      setOver(false)
      setError(undefined)
    } catch (cause) {
      if (!isSignedOut(cause)) return setError(cause)
      setOver(true)
      setSignedIn((before) => before ?? 'nobody')
    }
  }, [])
  useEffect(() => void refresh(), [])
  const isWatched = presence === 'here' && !isOver
  const standing = useMemo(
    () => ({ signedIn, isOver, isWatched, error, refresh, end, leave, presence }),
    [signedIn, isOver, isWatched, error, presence],
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
