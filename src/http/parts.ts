// Streams an answer in parts, at the client's pace. If the answer holds a resource, such as a follower's slot, a client
// that reads nothing for too long is disconnected, so that the resource is freed.
import { finished, Readable } from 'node:stream'
import type { Exchange } from './exchange.js'
import type { Answer } from './route.js'

/** Calls `run` once after `ms`, unless the returned function cancels it. */
export type Alarm = (ms: number, run: () => void) => () => void

const TIMEOUT_MS = 60_000

export function readableOf({ res }: Exchange, parts: AsyncIterable<string>, { onEnd }: Answer, alarm: Alarm): Readable {
  if (onEnd === undefined) return Readable.from(parts)
  // Also fires for a client that left before anything was sent.
  finished(res, () => onEnd())
  return Readable.from(inTime(parts, () => alarm(TIMEOUT_MS, () => res.destroy())))
}

/** Runs the timeout from each part until the next one is requested, which means that the part was read. */
async function* inTime(parts: AsyncIterable<string>, setAlarm: () => () => void): AsyncGenerator<string> {
  for await (const part of parts) {
    const cancel = setAlarm()
    try {
      yield part
    } finally {
      cancel()
    }
  }
}
