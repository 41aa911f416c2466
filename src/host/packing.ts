// Has old audit entries packed in the background: a group at a time, each followed by a rest, so that requests hardly wait
// for it. What is left when the service ends, the next start packs.
import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '../actor/host.js'
import type { Packing } from '../store/audit/packing.js'

/** A group is followed by so many times what it takes of the event loop. */
const REST = 20
/** When nothing is left, how long until it looks again. */
const IDLE_MS = 250

export interface RunningPacking {
  /** Resolves when it has ended. */
  stop(): Promise<void>
}

/** `onError` is told of an error that ends it: entries stay as they are until the next start. */
export function startPacking(packing: Pick<Packing, 'next'>, onError: (error: unknown) => void): RunningPacking {
  const stopping = new AbortController()
  const done = packAll(packing, stopping.signal).catch((error: unknown) => {
    // A store that takes nothing any more has said so already.
    if (!stopping.signal.aborted && !(error instanceof Unavailable)) onError(error)
  })
  const stop = (): Promise<void> => {
    stopping.abort()
    return done
  }
  return { stop }
}

async function packAll(packing: Pick<Packing, 'next'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ms = await packing.next()
    await pause(ms === undefined ? IDLE_MS : REST * ms, undefined, { signal })
  }
}
