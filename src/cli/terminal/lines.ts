// Reads the lines of an export, one at a time. Only a line feed ends a line: newer versions of Node's readline also
// split at U+2028 and U+2029, which JSON text may contain unescaped.
const LINE_FEED = 0x0a

/** Yields lines without their line feeds; the last one may be incomplete. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString()
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString()
}
