// Sends an answer that comes in parts, as its reader takes them. Where the answer holds something, a place among
// followers, say, whoever takes none for long is cut off, so that it is free for others.
import { finished, Readable } from 'node:stream'
import type { Exchange } from './exchange.js'
import type { Answer } from './route.js'

/** Runs something once, after so many milliseconds, unless what it returns is called before. */
export type Alarm = (ms: number, run: () => void) => () => void

const PATIENCE_MS = 60_000

export function readableOf({ res }: Exchange, parts: AsyncIterable<string>, { onEnd }: Answer, alarm: Alarm): Readable {
  if (onEnd === undefined) return Readable.from(parts)
  // A reader who left before anything was sent is told of here too.
  finished(res, () => onEnd())
  return Readable.from(inTime(parts, () => alarm(PATIENCE_MS, () => res.destroy())))
}

/** A part is taken when the next one is asked for. */
async function* inTime(parts: AsyncIterable<string>, setAlarm: () => () => void): AsyncGenerator<string> {
  for await (const part of parts) {
    const takeBack = setAlarm()
    try {
      yield part
    } finally {
      takeBack()
    }
  }
}
