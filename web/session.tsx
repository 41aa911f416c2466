// Who has signed in, and what they may do; available to every page. People who have not signed in see the sign-in form;
// if a session ends, the page stays until the person signs in again.
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

interface SessionState {
  /** Undefined until it is known. */
  signedIn: SignedIn | 'nobody' | undefined
  /** The person's session has ended, and they have to sign in again. */
  isOver: boolean
  /** Somebody has signed in, and their session is not known to have ended. */
  isIn: boolean
  /** Somebody is present and signed in: pages poll. */
  isWatched: boolean
  error: unknown
  /** Reads again who has signed in. */
  refresh: () => Promise<void>
  /** The session has ended unexpectedly. */
  end: () => void
  /** The person has signed out, and the page is discarded. */
  leave: () => void
  presence: Presence
}

const Context = createContext<SessionState | undefined>(undefined)

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<SessionState['signedIn']>()
  const [error, setError] = useState<unknown>()
  const [isOver, setOver] = useState(false)
  const presence = usePresence()
  /** Answers to requests from before the latest of these events do not count. */
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
    const started = (latest.current += 1)
    try {
      const both = [api.call('GET /api/session', {}), api.call('GET /api/organization', {})] as const
      const [{ member }, organization] = await Promise.all(both)
      const now = { member, organization }
      if (started !== latest.current) return
      // Equal values keep their identity, so that nothing is rendered again.
      setSignedIn((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
      setOver(false)
      setError(undefined)
    } catch (cause) {
      if (started !== latest.current) return
      if (!isSignedOut(cause)) return setError(cause)
      setOver(true)
      setSignedIn((before) => before ?? 'nobody')
    }
  }, [])
  useEffect(() => void refresh(), [])
  const isIn = signedIn !== undefined && signedIn !== 'nobody' && !isOver
  const isWatched = presence === 'here' && isIn
  const state = useMemo(
    () => ({ signedIn, isOver, isIn, isWatched, error, refresh, end, leave, presence }),
    [signedIn, isOver, presence, error],
  )
  return <Context.Provider value={state}>{children}</Context.Provider>
}

export function useSession(): SessionState {
  const state = useContext(Context)
  if (state === undefined) throw new Error('Only inside SessionProvider')
  return state
}

/** For pages, which are shown only to people who have signed in. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useSession()
  if (signedIn === undefined || signedIn === 'nobody') throw new Error('Only for those who have signed in')
  return signedIn
}

const RANK: { [role in Role]: number } = { VIEWER: 0, MANAGER: 1, ADMIN: 2, OWNER: 3 }

/** Whether the person has this role or a higher one. The service decides; this only avoids refusals. */
export function useMay(role: Role): boolean {
  return RANK[useSignedIn().member.role] >= RANK[role]
}
