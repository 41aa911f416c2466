// Assembles the Koa app: the route table behind the middleware that every request passes. It knows no single route;
// clock, randomness, credentials and idempotency records come in through ports.
import type Koa from 'koa'
import type { Services } from '../commands/ports.js'
import { identifier, type Authenticators } from './server/auth.js'
import type { Core, Readiness } from './server/endpoint.js'
import { clientAddress, type ClientAddress, type TrustedProxies } from './server/clientAddress.js'
import { framed, type FramePorts } from './server/frame.js'
import type { ContextState } from './server/context.js'
import type { HoldRequest } from './server/heldRequests.js'
import { idempotency, type IdempotencyStore } from './server/idempotency.js'
import { mounting, type Mounted } from './server/mounted.js'
import { rateLimiter, type RateLimits } from './server/rateLimits.js'
import { createMetrics, type Gauged } from './server/metrics.js'
import { openApiDocument } from './docs/openapi.js'
import type { Document } from './docs/reference/document.js'
import { referenceFiles, referenceRoutes } from './docs/reference/routes.js'
import { isOperation, type Operation, type Route } from './server/route.js'
import { Batches } from './server/batching.js'
import { routing } from './server/router.js'
import { madeOnce, REVALIDATED, staticFile } from './server/staticFile.js'
import type { ShardRole, System } from './server/system.js'
import { systemRoutes } from './routes/system.js'

export interface HttpPorts extends Authenticators, FramePorts {
  services: Services
  hold: HoldRequest
  /** The public origins of the service; its own pages are served from one of these. */
  origins: () => readonly string[]
  idempotencyStore: IdempotencyStore
  readiness: () => Readiness
  shardRole: () => ShardRole
  /** What an operator should look at although requests are taken. */
  warnings: () => string[]
  /** Epoch ms. */
  now: () => number
  /** What `/metrics` shows beside requests and the process. */
  gauges: readonly Gauged[]
  rateLimits: 'off' | RateLimits
  trustedProxies: TrustedProxies
  /** Where other nodes send requests on: the client's address, also of those. In place of what `trustedProxies` says. */
  clientOf?: ClientAddress
  /** The interface is described for the first request of that, which then holds up all others; not at the start. */
  isDescribedLate?: boolean
  /** What a library answers, not the route table. */
  mounted?: readonly Mounted[]
}

/** The description of these operations, and of those that every service has. */
export function descriptionOf(operations: readonly Operation[]): ReturnType<typeof openApiDocument> {
  return openApiDocument([...operations, ...systemRoutes])
}

export function createApp(ports: HttpPorts, routes: readonly Route[]): Koa<ContextState> {
  const metrics = createMetrics(ports.gauges)
  const { document, reference } = described(routes.filter(isOperation), ports.isDescribedLate === true)
  const { readiness, shardRole, warnings } = ports
  const system = { readiness, shardRole, warnings, metrics, document }
  const table = [...routes, ...systemRoutes, ...referenceRoutes(reference)]
  const offered = table.filter(({ access }) => access.key !== 'operator' || ports.operatorKey !== undefined)
  const app = framed(ports, metrics)
  const core = coreOf(ports, system)
  for (const mounted of ports.mounted ?? []) app.use(mounting(mounted, core))
  for (const middleware of routing(offered, core)) app.use(middleware)
  return app
}

function coreOf(ports: HttpPorts, system: System): Core {
  const { services, idempotencyStore, readiness, hold, now, rateLimits, origins } = ports
  const { trustedProxies, clientOf, ...credentials } = ports
  return {
    services,
    system,
    readiness,
    hold,
    rounds: new Batches(),
    identify: identifier(credentials),
    origins,
    clientOf: clientOf ?? clientAddress(trustedProxies),
    ...(rateLimits === 'off' ? {} : { take: rateLimiter(rateLimits, now) }),
    once: idempotency(idempotencyStore, now),
  }
}

/** The files that describe these operations: they are rendered once for all requests, here at the start or later. */
function described(operations: readonly Operation[], isLate: boolean) {
  const description = madeOnce(() => descriptionOf(operations))
  const document = madeOnce(() =>
    staticFile(JSON.stringify(description()), { type: 'application/json', cacheControl: REVALIDATED }),
  )
  const reference = referenceFiles(() => description() as unknown as Document)
  if (!isLate) for (const make of [document, ...reference.values()]) make()
  return { document, reference }
}
