// Rewrites the actors of earlier versions in the background: in slices of a few milliseconds, each followed by its commit
// and a rest, so that requests hardly wait for it. What is left when the service ends, the next start rewrites.
import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '../actor/host.js'
import type { Rewriting } from '../store/migration/rewriting.js'

export interface MigrationPorts {
  rewriting: Rewriting
  flushed(): Promise<void>
  /** A kind's actors could not all be rewritten: they are when they are written next, or after the next start. */
  onError(error: unknown): void
}

/** How long a slice may hold the event loop. */
const SLICE_MS = 5
/** A slice is followed by so many times its length without one. */
const REST = 4

export interface RunningMigration {
  /** Resolves when nothing is left, or nothing more can be done. */
  done: Promise<void>
  /** Resolves when it has ended. */
  stop(): Promise<void>
}

export function startMigration(ports: MigrationPorts): RunningMigration {
  let isStopped = false
  const done = rewriteAll(ports, () => isStopped).catch((error: unknown) => {
    // A store that takes nothing any more has said so already.
    if (!(error instanceof Unavailable)) ports.onError(error)
  })
  const stop = (): Promise<void> => {
    isStopped = true
    return done
  }
  return { done, stop }
}

async function rewriteAll(ports: MigrationPorts, isStopped: () => boolean): Promise<void> {
  for (const kind of ports.rewriting.kinds) {
    if (!(await rewriteKind(kind, ports, isStopped))) return
  }
}

/** False where it was stopped. */
async function rewriteKind(kind: string, ports: MigrationPorts, isStopped: () => boolean): Promise<boolean> {
  const keys = ports.rewriting.keys(kind)
  let failure: unknown
  for (let isLast = false; !isLast;) {
    if (isStopped()) return false
    const slice = renewSome(kind, keys, ports.rewriting)
    failure ??= slice.failure
    isLast = slice.isLast
    await ports.flushed()
    if (!isLast) await pause(REST * slice.ms)
  }
  if (failure === undefined) ports.rewriting.finish(kind)
  else ports.onError(failure)
  await ports.flushed()
  return true
}

interface Renewed {
  isLast: boolean
  /** Of the first actor that could not be renewed: the others are. */
  failure: unknown
  /** For how long it held the event loop. */
  ms: number
}

function renewSome(kind: string, keys: Iterator<string>, rewriting: Rewriting): Renewed {
  const began = performance.now()
  const since = (): number => performance.now() - began
  let failure: unknown
  for (let next = keys.next(); !next.done; next = keys.next()) {
    try {
      rewriting.renew(kind, next.value)
    } catch (error) {
      if (error instanceof Unavailable) throw error
      failure ??= error
    }
    if (since() >= SLICE_MS) return { isLast: false, failure, ms: since() }
  }
  return { isLast: true, failure, ms: since() }
}
