// Assembles the Koa app: the route table behind the middleware that every request passes. It knows no single route;
// clock, randomness, credentials and idempotency records come in through ports.
import Koa from 'koa'
import type { Log } from '../domain/log.js'
import { identifier, type Credentials } from './auth.js'
import type { Readiness } from './endpoint.js'
import { catchBugs } from './errors.js'
import type { ExchangeState } from './exchange.js'
import type { Hold } from './held.js'
import { idempotency, type Memories } from './idempotency.js'
import { rateLimiter, type RateLimits } from './rateLimits.js'
import { createMetrics, type Gauged } from './metrics.js'
import { openApiDocument } from './openapi.js'
import { requestIds, type Random } from './requestId.js'
import type { Document } from './reference/document.js'
import { referenceRoutes } from './reference/routes.js'
import type { Route } from './route.js'
import { Rounds } from './rounds.js'
import { routing } from './router.js'
import { systemRoutes } from './system.js'

export interface HttpPorts extends Credentials {
  hold: Hold
  /** The public origins of the service; its own pages are served from one of these. */
  origins: () => readonly string[]
  memories: Memories
  readiness: () => Readiness
  /** True for an error that comes from the machine, its disk for example, and is no bug. */
  isUnavailable: (error: unknown) => boolean
  /** Epoch ms. */
  now: () => number
  random: Random
  /** What `/metrics` shows beside requests and the process. */
  gauges: readonly Gauged[]
  rateLimits: 'off' | RateLimits
  log: Log
}

/** Error codes of a connection that the client closed: not worth a log line. */
const GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

export function createApp(ports: HttpPorts, routes: Route[]): Koa<ExchangeState> {
  const app = new Koa<ExchangeState>()
  const metrics = createMetrics(ports.gauges)
  const described = lazily(() => openApiDocument(table))
  const document = lazily(() => JSON.stringify(described()))
  const table: Route[] = [
    ...routes,
    ...systemRoutes({ readiness: ports.readiness, metrics, document }),
    ...referenceRoutes(() => described() as unknown as Document),
  ]
  const offered = table.filter(({ access }) => access.key !== 'operator' || ports.operatorKey !== undefined)
  app.on('error', (error: Error & { code?: string }) => {
    if (!GONE.has(error.code ?? '')) ports.log('answer failed', { error })
  })
  app.use(requestIds(ports.random))
  app.use(metrics.observe)
  app.use(catchBugs(ports.log, ports.isUnavailable))
  for (const middleware of routing(offered, coreOf(ports))) app.use(middleware)
  return app
}

function coreOf({ memories, readiness, hold, now, rateLimits, origins, ...credentials }: HttpPorts) {
  return {
    readiness,
    hold,
    rounds: new Rounds(),
    identify: identifier(credentials),
    origins,
    ...(rateLimits === 'off' ? {} : { take: rateLimiter(rateLimits, now) }),
    once: idempotency(memories, now),
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
