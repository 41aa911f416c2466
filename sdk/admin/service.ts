// The service itself, for its operators: health, readiness, metrics and API description.
import type { Client } from '../call.js'
import type { CallOptions } from '../send.js'

export function service({ call, text }: Client) {
  return {
    health: (options?: CallOptions) => call('GET /healthz', {}, options),
    /** Throws UNAVAILABLE while the service takes no requests. */
    ready: (options?: CallOptions) => call('GET /readyz', {}, options),
    /** Metrics in the Prometheus text format. */
    metrics: (options?: CallOptions) => text('GET /metrics', {}, options),
    openapi: (options?: CallOptions) => call('GET /openapi.json', {}, options),
  }
}
