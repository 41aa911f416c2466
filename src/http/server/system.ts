// What the routes of the service itself answer from: the state of the process, not of any organization.
import type { Readiness } from './endpoint.js'
import type { Metrics } from './metrics.js'
import type { StaticFile } from './staticFile.js'

/** What this process is to the organizations that it serves. A service without other nodes is the only one of its own. */
export interface ShardRole {
  role: 'SINGLE' | 'OWNER' | 'STANDBY'
  shard: string
  /** Raised with each new owner; 0 without other nodes. */
  epoch: number
  /** The last commit that this node has, and that no crash undoes. */
  applied: number
  /** How many commits it is behind its owner. */
  lag: number
}

export interface System {
  readiness: () => Readiness
  shardRole: () => ShardRole
  /** What an operator should look at although requests are taken. */
  warnings: () => string[]
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** The OpenAPI document. */
  document: () => StaticFile
}
