// What the routes of the service itself answer from: the state of the process, not of any organization.
import type { Readiness } from './endpoint.js'
import type { Metrics } from './metrics.js'
import type { StaticFile } from './staticFile.js'

export interface System {
  readiness: () => Readiness
  /** What an operator should look at although requests are taken. */
  warnings: () => string[]
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** The OpenAPI document. */
  document: () => StaticFile
}
