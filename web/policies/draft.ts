// An edit in progress: it is sent to the service a moment after each change, which answers with its errors or with its
// impact on past decisions.
import { nearestField } from '../components/nearestField.js'
import { useEffect, useState } from 'preact/hooks'
import { api, BursarError, isSignedOut, type Answer, type Body } from '../api.js'
import { useSession } from '../session.js'

export type Impact = Answer<'POST /api/policies/{policyId}/impact'>
export type Edit = Body<'POST /api/policies/{policyId}/impact'>
export type Detail = { path: string; message: string }

export interface Looked {
  /** The impact of the edit as it was last sent. */
  impact?: Impact
  /** The errors of the edit, by path. */
  problems: readonly Detail[]
  error?: unknown
  busy: boolean
}

const PAUSE_MS = 500
const EXAMPLES = 8
const NOTHING: Looked = { problems: [], busy: false }

/** `edit` is undefined while there is nothing to check. */
export function useImpact(policyId: string, edit: Edit | undefined): Looked {
  const [looked, setLooked] = useState<Looked>(NOTHING)
  const { end, isOver } = useSession()
  const written = edit && JSON.stringify(edit)
  useEffect(() => {
    if (written === undefined) {
      setLooked(NOTHING)
      return undefined
    }
    if (isOver) return undefined
    const controller = new AbortController()
    setLooked((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      void ask(policyId, JSON.parse(written) as Edit, controller.signal).then((found) => {
        if (controller.signal.aborted) return
        if (isSignedOut(found.error)) end()
        else setLooked(found)
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [policyId, written, isOver])
  return looked
}

async function ask(policyId: string, body: Edit, signal: AbortSignal): Promise<Looked> {
  try {
    const parts = { path: { policyId }, body, query: { examples: EXAMPLES } }
    const impact = await api.call('POST /api/policies/{policyId}/impact', parts, { signal })
    return { impact, problems: [], busy: false }
  } catch (error) {
    const problems = error instanceof BursarError ? error.details : undefined
    return problems ? { problems, busy: false } : { problems: [], error, busy: false }
  }
}

/** Errors by the field beside which they are shown: the one at their path, or the closest around it. */
export function placed(problems: readonly Detail[], fields: readonly string[]): { [path: string]: string } {
  const found: { [path: string]: string } = {}
  for (const { path, message } of problems) {
    const nearest = nearestField(path, fields) ?? ''
    found[nearest] ??= nearest === '' && path !== '' ? `${path}: ${message}` : message
  }
  return found
}
