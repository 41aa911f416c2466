// The end of a service, and of what it does without being asked: what is in flight is finished and written.
import type { Keystore } from '../chain/keystore.js'
import type { TransferLoop } from '../chain/transferLoop.js'
import type { AuditFollower } from '../host/follower.js'
import type { Listening } from '../http/server/serve.js'
import type { Store } from '../store/store.js'
import type { Background } from './background.js'
import type { Events } from './events.js'
import type { PasswordHasher } from './passwords.js'

/** For requests that are being answered. */
export const GRACE_MS = 10_000

export interface RunningParts {
  unwatch: () => void
  services: { follower: AuditFollower; settlement: TransferLoop | null; keystore: Keystore }
  listening: Listening
  ownPasswords: PasswordHasher | undefined
  stopTimers: () => Promise<void>
  background: Background
  events: Events
  store: Store
  unlock: () => Promise<void>
}

/** Resolves when what was in flight is finished and written. */
export async function stopRunning(running: RunningParts): Promise<void> {
  running.unwatch()
  await unheard(running)
  await workEnded(running)
  await running.store.close()
  await running.unlock()
}

/** Resolves when nobody is answered any more. */
export async function unheard({ services, listening, ownPasswords }: RunningParts): Promise<void> {
  services.follower.stop()
  await listening.close(GRACE_MS)
  await ownPasswords?.close()
  await services.keystore.close()
}

/** Resolves when nothing happens without a request any more. */
export async function workEnded({ stopTimers, background, events, services }: RunningParts): Promise<void> {
  await stopTimers()
  await background.stop()
  await events.stop()
  await services.settlement?.stop()
}
