// An answer that consists of lines: the whole text when awaited, one line at a time when iterated.
import type { Exchange } from './exchange.js'

/**
 * `await` it for the whole text, or iterate over it with `for await` for one line at a time, without the line feed. The
 * loop reads only as far as it goes. Iterating after awaiting works; awaiting after iterating rejects with a TypeError.
 */
export type Lines = Promise<string> & AsyncIterable<string>

/** An answer whose body is still to be read. */
export interface Opened {
  exchange: Exchange
  body: ReadableStream<Uint8Array> | null
}

/** INVARIANT: a loop that starts at once sets `isIterated` before the answer begins, which takes a round trip. */
export function linesIn(opening: Promise<Opened>): Lines {
  let isIterated = false
  let whole: Promise<string> | undefined
  const text = opening.then((opened) => {
    if (isIterated) throw new TypeError('The lines are being iterated, so there is no text of all of them')
    whole = wholeOf(opened)
    return whole
  })
  async function* iterate(): AsyncGenerator<string, void> {
    const opened = await opening
    yield* split(whole ? [await whole] : textsOf(opened))
  }
  const iterator = (): AsyncGenerator<string, void> => {
    isIterated = true
    // The loop reports the error.
    text.catch(() => {})
    return iterate()
  }
  return Object.assign(text, { [Symbol.asyncIterator]: iterator })
}

async function wholeOf(opened: Opened): Promise<string> {
  let whole = ''
  for await (const text of textsOf(opened)) whole += text
  return whole
}

/** The body as it arrives. Leaving the loop early ends the connection. */
async function* textsOf({ exchange, body }: Opened): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await exchange.step('complete answer', () => reader.read())
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Only a line feed ends a line, not U+2028. */
async function* split(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const text of texts) {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    yield* parts
  }
  if (rest !== '') yield rest
}
