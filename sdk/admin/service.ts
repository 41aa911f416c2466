// The service itself, for whoever runs it: whether it lives and takes requests, its metrics, its description.
import type { Client } from '../call.js'
import type { CallOptions } from '../send.js'

export function service({ call, text }: Client) {
  return {
    health: (options?: CallOptions) => call('GET /healthz', {}, options),
    ready: (options?: CallOptions) => call('GET /readyz', {}, options),
    /** In the Prometheus text format. */
    metrics: (options?: CallOptions) => text('GET /metrics', {}, options),
    openapi: (options?: CallOptions) => call('GET /openapi.json', {}, options),
  }
}
