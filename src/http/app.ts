// Assembles the Koa app: the route table behind the middleware that every request passes. It knows no single route;
// clock, randomness, credentials and idempotency records come in through ports.
import Koa from 'koa'
import type { Log } from '../domain/values/log.js'
import { identifier, type Authenticators } from './server/auth.js'
import type { Readiness } from './server/endpoint.js'
import { clientAddress, type TrustedProxies } from './server/clientAddress.js'
import { catchBugs } from './server/errors.js'
import type { ContextState } from './server/context.js'
import type { HoldRequest } from './server/heldRequests.js'
import { idempotency, type IdempotencyStore } from './server/idempotency.js'
import { rateLimiter, type RateLimits } from './server/rateLimits.js'
import { createMetrics, type Gauged } from './server/metrics.js'
import { openApiDocument } from './docs/openapi.js'
import { requestIds, type Random } from './server/requestId.js'
import type { Document } from './docs/reference/document.js'
import { referenceFiles, referenceRoutes } from './docs/reference/routes.js'
import { isOperation, type Route } from './server/route.js'
import { Batches } from './server/batching.js'
import { routing } from './server/router.js'
import { madeOnce, REVALIDATED, staticFile } from './server/staticFile.js'
import { strictTransport } from './server/securityHeaders.js'
import { documentRoute, systemRoutes } from './routes/system.js'

export interface HttpPorts extends Authenticators {
  hold: HoldRequest
  /** The public origins of the service; its own pages are served from one of these. */
  origins: () => readonly string[]
  idempotencyStore: IdempotencyStore
  readiness: () => Readiness
  /** True for an error that comes from the machine, its disk for example, and is no bug. */
  isUnavailable: (error: unknown) => boolean
  /** What an operator should look at although requests are taken. */
  warnings: () => string[]
  /** Epoch ms. */
  now: () => number
  random: Random
  /** What `/metrics` shows beside requests and the process. */
  gauges: readonly Gauged[]
  rateLimits: 'off' | RateLimits
  trustedProxies: TrustedProxies
  /** The public address is https: browsers are told to use nothing else. */
  isHttps: boolean
  /** The interface is described for the first request of that, which then holds up all others; not at the start. */
  isDescribedLate?: boolean
  log: Log
}

/** Error codes of a connection that the client closed: not worth a log line. */
const GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

export function createApp(ports: HttpPorts, routes: Route[]): Koa<ContextState> {
  const app = new Koa<ContextState>()
  const metrics = createMetrics(ports.gauges)
  const table = described([...routes, ...systemRoutes({ ...ports, metrics })], ports.isDescribedLate === true)
  const offered = table.filter(({ access }) => access.key !== 'operator' || ports.operatorKey !== undefined)
  app.on('error', (error: Error & { code?: string }) => {
    if (!GONE.has(error.code ?? '')) ports.log('answer failed', { error })
  })
  app.use(requestIds(ports.random))
  if (ports.isHttps) app.use(strictTransport)
  app.use(metrics.observe)
  app.use(catchBugs(ports.log, ports.isUnavailable))
  for (const middleware of routing(offered, coreOf(ports))) app.use(middleware)
  return app
}

function coreOf(ports: HttpPorts) {
  const { idempotencyStore, readiness, hold, now, rateLimits, trustedProxies, origins, ...credentials } = ports
  return {
    readiness,
    hold,
    rounds: new Batches(),
    identify: identifier(credentials),
    origins,
    clientOf: clientAddress(trustedProxies),
    ...(rateLimits === 'off' ? {} : { take: rateLimiter(rateLimits, now) }),
    once: idempotency(idempotencyStore, now),
  }
}

/** The table with the routes that describe it: they are rendered once for all requests, here at the start or later. */
function described(routes: Route[], isLate: boolean): Route[] {
  const document = madeOnce(() => openApiDocument(table.filter(isOperation)))
  const file = madeOnce(() =>
    staticFile(JSON.stringify(document()), { type: 'application/json', cacheControl: REVALIDATED }),
  )
  const table: Route[] = [...routes, documentRoute(file)]
  const reference = referenceFiles(() => document() as unknown as Document)
  if (!isLate) for (const make of [file, ...reference.values()]) make()
  return [...table, ...referenceRoutes(reference)]
}
