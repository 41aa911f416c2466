// What a node answers while it does not serve its shard: liveness, readiness and metrics by itself, and all else with the
// answer of the owner, or with the reason that there is none.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { refuse } from '../domain/outcomes/result.js'
import { systemRoutes } from './routes/system.js'
import type { Context, ContextState } from './server/context.js'
import { writeRefusal } from './server/errors.js'
import { framed, type FramePorts } from './server/frame.js'
import { createMetrics, type Gauged } from './server/metrics.js'
import type { System } from './server/system.js'
import { writeAnswer } from './server/write.js'

export interface NodePorts extends FramePorts, Pick<System, 'readiness' | 'shardRole' | 'warnings'> {
  gauges: readonly Gauged[]
  /** Has the owner answer, with this request id. */
  forward: (req: IncomingMessage, res: ServerResponse, requestId: string) => Promise<Forwarded>
}

/**
 * `unowned` is a request that nobody has seen; `lost` is one without an answer that the owner may have carried out;
 * `tooLarge` is one whose body had to be read before it could be sent on.
 */
export type Forwarded = 'answered' | 'unowned' | 'lost' | 'tooLarge'

const LOST =
  'The node that owns the shard was lost before it answered: repeat the request with the same idempotency key, it may have been carried out'

export function createNodeApp({ forward, ...ports }: NodePorts): Koa<ContextState> {
  const { readiness, shardRole, warnings, gauges } = ports
  const metrics = createMetrics(gauges)
  const call = { system: { readiness, shardRole, warnings, metrics } }
  const rows = new Map(systemRoutes.filter(({ everyNode }) => everyNode).map((row) => [row.path, row]))
  return framed(ports, metrics).use(async (context) => {
    const { method } = context.req
    const row = method === 'GET' || method === 'HEAD' ? rows.get(context.path) : undefined
    if (row === undefined) return answerForwarded(context, forward)
    context.state.route = row.path
    writeAnswer(context, await row.handler(call as never))
  })
}

async function answerForwarded(context: Context, forward: NodePorts['forward']): Promise<void> {
  context.state.route = 'forwarded'
  const { req, res, state } = context
  const outcome = await forward(req, res, state.requestId)
  if (outcome === 'unowned') return writeRefusal(context, refuse('NO_OWNER'))
  if (outcome === 'tooLarge') return writeRefusal(context, refuse('PAYLOAD_TOO_LARGE'))
  if (outcome === 'lost') return writeRefusal(context, refuse('UNAVAILABLE', LOST))
  context.respond = false
}
