// Protocols that a library answers, beside the route table: the service only decides whether it answers at all, and counts
// the request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'
import { refuse } from '../../domain/outcomes/result.js'
import type { ContextState } from './context.js'
import { countRequest, tooMany, type Core } from './endpoint.js'
import { writeRefusal } from './errors.js'

export interface Mounted {
  /** Its name in the metrics. */
  route: string
  isAt(path: string): boolean
  /** Counted apart: whoever uses up what their network has for all else keeps nobody there from these. */
  isApart(path: string): boolean
  /** Writes the whole answer. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>
}

type MountCore = Pick<Core, 'readiness' | 'take' | 'clientOf'>

export function mounting({ route, isAt, isApart, answer }: Mounted, core: MountCore): Middleware<ContextState> {
  return async (context, next) => {
    if (!isAt(context.path)) return next()
    context.state.route = route
    const isRead = context.method === 'GET' || context.method === 'HEAD'
    if (core.readiness() !== 'ready') return writeRefusal(context, refuse('UNAVAILABLE'))
    const counted = { method: 'POST', limit: isRead ? 'reads' : 'admin' } as const
    const counting = isApart(context.path) ? { ...core, ...apart(core, route) } : core
    if (!countRequest(context, counted, 'anyone', counting)) return writeRefusal(context, tooMany(context))
    await answer(context.req, context.res)
    context.respond = false
  }
}

function apart({ take }: MountCore, route: string): Pick<MountCore, 'take'> {
  return take === undefined ? {} : { take: (group, network) => take(group, `${route} ${network}`) }
}
