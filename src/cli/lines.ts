// The lines of a file that an export wrote, one at a time. Only a line feed ends one: newer versions of Node's own
// reading of lines end them at U+2028 and U+2029 too, which stand as they are in JSON text.
const LINE_FEED = 0x0a

/** Without the line feeds; the last one as far as it goes. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
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
