// What a service does with its store behind the requests: it rewrites actors of earlier versions, and packs audit entries.
import type { Log } from '../domain/values/log.js'
import { startMigration } from '../host/migration.js'
import { startPacking } from '../host/packing.js'
import type { Store } from '../store/store.js'

export interface Background {
  /** Resolves when all of it has ended. */
  stop(): Promise<void>
}

export function startBackground(store: Store, log: Log): Background {
  const migration = startMigration({
    rewriting: store.rewriting,
    flushed: () => store.flushed(),
    onError: (error) => log('stored actors of an earlier version could not be rewritten', { error }),
  })
  const packing = startPacking(store.packing, (error) => log('audit entries could not be packed', { error }))
  const stop = async (): Promise<void> => {
    await Promise.all([migration.stop(), packing.stop()])
  }
  return { stop }
}
