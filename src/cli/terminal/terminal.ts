// The surroundings of a command in this process: its streams, its environment, and prompts at a terminal.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { Failure } from '../../config/failure.js'
import { type CommandContext } from './command.js'

export function terminal({ env, stdin, stdout, stderr }: NodeJS.Process, dataDir: () => string): CommandContext {
  const coloured = stdout.isTTY && stdout.hasColors() && !env['NO_COLOR']
  let progressed = false
  // A reader such as `head` may close the output; the command continues and keeps its exit code.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosed)
  /** Clears the progress line before other output. */
  const clear = (): void => {
    if (progressed) stderr.write('\r\x1b[K')
    progressed = false
  }
  const write = (stream: NodeJS.WriteStream, line: string): void => {
    clear()
    stream.write(`${line}\n`)
  }
  return {
    env,
    dataDir,
    say: (line) => write(stdout, line),
    complain: (line) => write(stderr, line),
    progress: (text) => {
      if (!stderr.isTTY) return
      clear()
      stderr.write(text)
      progressed = text !== ''
    },
    readLine: () => firstLine(stdin),
    ask: stdin.isTTY && stderr.isTTY ? (question, hidden) => asked({ stdin, stderr }, question, hidden) : undefined,
    // By default styleText checks other streams than the one that is written to.
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  }
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

async function firstLine(stdin: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}

type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr'>

/**
 * Questions go to standard error, because standard output is for results only. Echo must be off before the question
 * appears.
 */
function asked({ stdin, stderr }: Streams, question: string, hidden = false): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden ? nowhere : stderr, terminal: true })
  if (hidden) stderr.write(question)
  return new Promise((resolve, reject) => {
    let answered: string | undefined
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      if (hidden || answered === undefined) stderr.write('\n')
      if (answered === undefined) reject(new Failure('No response'))
      else resolve(answered.trim())
    })
    lines.question(question, (answer) => {
      answered = answer
      lines.close()
    })
  })
}
