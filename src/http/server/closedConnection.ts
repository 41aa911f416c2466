// Tells the end of a connection, by which a client gives up its request, from a bug.

/** Error codes of a connection that the client closed: not worth a log line. */
const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])

export function isClosedByClient(error: Error): boolean {
  return CODES.has((error as NodeJS.ErrnoException).code)
}
