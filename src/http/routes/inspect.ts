// A stream of server-sent events: one for each entry of the caller's organization in the audit log, once it is on disk.
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { followLog, type FollowEvent } from '../../commands/audit/follow.js'
import { stateAfter } from '../../domain/audit/entry.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import type { Json } from '../../domain/values/canonical.js'
import { refuse, succeed } from '../../domain/outcomes/result.js'
import { isShown } from '../../inspect/shown.js'
import { integerParameter, wholeNumberOr } from '../input/querySchemas.js'
import { textSchema } from '../input/schemas.js'
import { route } from '../server/route.js'

/** The longest stream in seconds: a client that continues authenticates again. */
const LONGEST_S = 3600
const SEQUENCE = /^\d{1,15}$/
const HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' }

export const inspectRoutes = [
  route({
    operationId: 'followMachines',
    method: 'GET',
    path: '/api/inspect/stream',
    access: { key: 'organization', scope: 'audit:read' },
    summary: 'Follow the machines at work, as server-sent events',
    query: v.strictObject({
      after: v.optional(integerParameter(0, Number.MAX_SAFE_INTEGER)),
      seconds: wholeNumberOr(LONGEST_S, 0, LONGEST_S),
    }),
    answers: { 200: textSchema('InspectStream', 'text/event-stream') },
    resumable: true,
    handler: async ({ services, principal, query: { after, seconds }, headers }) => {
      // Read before the stream opens, so that it misses no later entry.
      const from = lastHeard(headers!) ?? after ?? (await services.auditLog.last(principal.organization))
      const following = services.follower.follow(principal.organization)
      if (!following) return refuse('RATE_LIMITED', 'The organization or the service has too many open streams')
      const heard = followLog(services, principal, { following, after: from, until: services.now() + seconds * 1000 })
      const parts = textsOf(heard)
      const onEnd = (): void => following.close()
      const contentType = 'text/event-stream; charset=utf-8'
      return succeed({ status: 200, body: null, parts, onEnd, contentType, headers: HEADERS })
    },
  }),
]

/** The sequence of the last event that the client has; undefined where it names none. */
function lastHeard(headers: IncomingHttpHeaders): number | undefined {
  const id = String(headers['last-event-id'])
  return SEQUENCE.test(id) ? Number(id) : undefined
}

/** The first text opens the stream; further ones are written as the client reads. */
async function* textsOf(heard: AsyncGenerator<FollowEvent>): AsyncGenerator<string> {
  yield 'retry: 2000\n\n'
  for await (const one of heard) {
    if (one.kind === 'silence') yield ': \n\n'
    else if (one.kind === 'entries') yield one.entries.map(transitionText).join('')
    else yield event('missed', one.until, { count: one.count })
  }
}

function event(name: string, id: number, data: { [field: string]: Json }): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The transition of an actor; of its record only the names of the changed fields. */
function transitionText({ sequence, at, action, resource, resourceId, actor, data }: StoredEntry): string {
  const { state = null, ...changes } = data as { [field: string]: Json }
  const from = typeof state === 'object' ? ((state as { from?: Json } | null)?.from ?? null) : null
  return event('transition', sequence, {
    sequence,
    at,
    machine: resource,
    actorId: resourceId,
    action,
    from,
    to: stateAfter(data) ?? null,
    fields: Object.keys(changes).filter((field) => isShown(resource, field)),
    by: { type: actor.type, id: actor.id },
  })
}
