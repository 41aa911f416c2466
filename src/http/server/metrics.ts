// Prometheus metrics of the process, of requests by route, method and status, and gauges that are read on each scrape.
// Each request is observed once.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Middleware } from 'koa'
import type { ContextState } from './context.js'

export interface Metrics {
  observe: Middleware<ContextState>
  /** The Prometheus text and its content type. */
  text(): Promise<string>
  contentType: string
}

/** A number of the service's, as it is at the moment. */
export interface Gauged {
  name: string
  help: string
  value: () => number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics(gauges: readonly Gauged[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first middleware to the written answer, by route and method.',
    labelNames: ['route', 'method'],
    registers: [registry],
  })
  for (const { name, help, value } of gauges) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(value())
        },
      }),
    )
  }
  const observe: Middleware<ContextState> = async (context, next) => {
    const startedAt = performance.now()
    await next()
    // INVARIANT: labels come from fixed sets, so that callers cannot add time series.
    const { req, res, state } = context
    const method = METHODS.has(req.method!) ? req.method! : 'OTHER'
    const route = state.route ?? 'unmatched'
    requests.inc({ route, method, status: res.statusCode })
    durations.observe({ route, method }, (performance.now() - startedAt) / 1000)
  }
  return { observe, text: () => registry.metrics(), contentType: registry.contentType }
}
