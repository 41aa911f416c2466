// Nodes as processes: several with one journal.
import { until } from './chain.js'
import { startService, type Scope, type Service } from './process.js'

const FOLLOWS = /^Bursar follows shard \S+ at (\S+)$/m
const OWNS = /^Bursar is ready at /m
export const KEYSTORE_KEY = '5a'.repeat(32)
const LEASE_MS = 1_000
/** Longer than a busy machine keeps a node waiting: for tests that are not about the lease. */
export const PATIENT_LEASE_MS = '3000'

/** Settings of a node of these databases. */
export function nodeEnv(urls: readonly string[], more: { [name: string]: string } = {}): { [name: string]: string } {
  return {
    BURSAR_JOURNAL: urls.join(','),
    BURSAR_KEYSTORE_KEY: KEYSTORE_KEY,
    BURSAR_LEASE_MS: String(LEASE_MS),
    ...more,
  }
}

/** Resolves when the node follows the journal; `shell` as for a service. */
export function startFollowing(
  scope: Scope,
  folder: string,
  env: { [name: string]: string },
  shell?: string,
): Promise<Service> {
  return startService(scope, folder, { env, ready: FOLLOWS, ...(shell !== undefined && { shell }) })
}

/** Resolves when the node owns its shard. */
export async function owning(node: Service): Promise<Service> {
  await until(async () => OWNS.test(node.output().stdout) || undefined, 'the node does not own its shard')
  return node
}
