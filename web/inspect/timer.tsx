// The timer that an actor waits for, with the time that remains: `Expires in 9 minutes`.
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../api.js'
import { relative, utc } from '../format/time.js'

type Actor = Answer<'GET /api/machines/{machine}/actors/{actorId}'>

const TICK_MS = 1000
const HAPPENS: { [field: string]: string } = { expiresAt: 'Expires', collectBy: 'Must be used' }

export function Timer({ of: { context, waitsFor } }: { of: Actor }) {
  return waitsFor.wakeAt === null ? null : <Remaining at={waitsFor.wakeAt} context={context} />
}

function Remaining({ at, context }: { at: string; context: Actor['context'] }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const ms = Date.parse(at)
  const [, happens = 'Wakes'] = Object.entries(HAPPENS).find(([field]) => context[field] === ms) ?? []
  return (
    <span class="badge waiting" role="timer" title={utc(at)}>
      {ms <= now ? 'Due' : `${happens} ${relative(at, now)}`}
    </span>
  )
}
