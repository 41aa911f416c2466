// Streams an answer in parts, at the client's pace, and frees what the answer holds, such as a follower's slot, at its
// end. A client that reads nothing for too long is disconnected by the server.
import { finished, Readable } from 'node:stream'
import type { Context } from './context.js'
import type { RouteAnswer } from './route.js'

export function readableOf({ res }: Context, parts: AsyncIterable<string>, { onEnd }: RouteAnswer): Readable {
  // Also fires for a client that left before anything was sent.
  if (onEnd !== undefined) finished(res, () => onEnd())
  return Readable.from(parts)
}
