// Who has signed in, and what they may do; known to every page. Whoever has not is shown the form to sign in.
import { createContext, type ComponentChildren } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { api, isSignedOut, type Answer } from './api.js'

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
  error: unknown
  /** Asks again who has signed in. */
  refresh: () => Promise<void>
  /** The session is over. */
  end: () => void
}

const Context = createContext<Standing>({
  signedIn: undefined,
  error: undefined,
  refresh: async () => {},
  end: () => {},
})

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<Standing['signedIn']>()
  const [error, setError] = useState<unknown>()
  const end = useCallback(() => setSignedIn('nobody'), [])
  const refresh = useCallback(async () => {
    try {
      const { member } = await api.call('GET /api/session', {})
      const now = { member, organization: await api.call('GET /api/organization', {}) }
      // What is the same stays the same, so that nothing is drawn anew.
      setSignedIn((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
      setError(undefined)
    } catch (cause) {
      if (isSignedOut(cause)) setSignedIn('nobody')
      else setError(cause)
    }
  }, [])
  useEffect(() => void refresh(), [])
  const standing = useMemo(() => ({ signedIn, error, refresh, end }), [signedIn, error])
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
