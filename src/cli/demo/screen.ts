// Prints the demo: numbered chapters of short lines, a name to the left and a fact to the right. Colours mark the key
// words, only at a terminal.
import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

export interface Screen {
  title(text: string): void
  chapter(text: string): void
  /** One line: a short name, an optional status or code, and the fact. */
  fact(name: string, text: string, mark?: string): void
  end(text: string): void
}

const NAME_WIDTH = 12
const BAD = /^(DENIED|killed|\d{3} )/

/** `out` is standard output, a terminal or not. */
export function createScreen(out: Pick<WriteStream, 'isTTY' | 'hasColors' | 'write'>): Screen {
  const coloured = out.isTTY && out.hasColors()
  // By default styleText checks the standard output of the process instead of `out`.
  const style = (format: 'bold' | 'green' | 'red' | 'dim', text: string): string =>
    coloured ? styleText(format, text, { validateStream: false }) : text
  const line = (text = ''): void => void out.write(`${text}\n`)
  let chapters = 0
  return {
    title: (text) => line(style('bold', text)),
    chapter: (text) => {
      chapters += 1
      line()
      line(style('bold', `${chapters}. ${text}`))
    },
    fact: (name, text, mark) => {
      const marked = mark === undefined ? '' : `${style(BAD.test(mark) ? 'red' : 'green', mark)}  `
      line(`   ${style('dim', name.padEnd(NAME_WIDTH))}${marked}${text}`.trimEnd())
    },
    end: (text) => {
      line()
      line(style('green', text))
    },
  }
}
