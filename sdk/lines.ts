// An answer of lines: one text when awaited, line after line when iterated.
import type { Exchange } from './exchange.js'

/**
 * `await` it for the whole text; `for await` over it for one line after the other, without the line feed, of which no
 * more is read than the loop goes. A loop over what was awaited already goes over its text.
 */
export type Lines = Promise<string> & AsyncIterable<string>

/** An answer of which the body is still to come. */
export interface Opened {
  exchange: Exchange
  body: ReadableStream<Uint8Array> | null
}

/** INVARIANT: whoever iterates at once says so before the answer begins, because that takes the network. */
export function linesIn(opening: Promise<Opened>): Lines {
  let isIterated = false
  let whole: Promise<string> | undefined
  const text = opening.then((opened) => {
    if (isIterated) throw new TypeError('It is iterated, and not kept as one text')
    whole = wholeOf(opened)
    return whole
  })
  async function* iterate(): AsyncGenerator<string, void> {
    const opened = await opening
    yield* split(whole ? [await whole] : textsOf(opened))
  }
  const iterator = (): AsyncGenerator<string, void> => {
    isIterated = true
    // Of an error the loop hears.
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

/** The body as it comes in; whoever leaves early ends the connection. */
async function* textsOf({ exchange, body }: Opened): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await exchange.step('end', () => reader.read())
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Only a line feed ends a line. */
async function* split(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const text of texts) {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    yield* parts
  }
  if (rest !== '') yield rest
}
