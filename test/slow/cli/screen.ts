// What a terminal shows after everything that was written to it. It supports what prompts need, on lines that never
// wrap.
const ESCAPE = '\u001b'
const PIECE = new RegExp(`${ESCAPE}\\[(\\d*)([A-Za-z])|[^]`, 'gu')

/** The lines on the screen, without trailing blanks. */
export function screenOf(written: string): string[] {
  const lines: string[] = ['']
  let column = 0
  const line = (): string => lines.at(-1)!
  const write = (text: string): void => void lines.splice(-1, 1, text)
  const moves: { [command: string]: (count: number) => void } = {
    G: (count) => void (column = count - 1),
    J: () => write(line().slice(0, column)),
    K: () => write(line().slice(0, column)),
    m: () => {},
  }
  for (const [piece, count, command] of written.matchAll(PIECE)) {
    if (command !== undefined) {
      const move = moves[command]
      if (!move) throw new Error(`This terminal does not know ${JSON.stringify(piece)}`)
      move(count === '' ? 1 : Number(count))
    } else if (piece === '\n') lines.push('')
    else if (piece === '\r') column = 0
    else {
      write(line().padEnd(column).slice(0, column) + piece + line().slice(column + 1))
      column += 1
    }
  }
  return lines.map((text) => text.trimEnd())
}
