// Runs the service as a child process over a data folder, on a free loopback port, which it reads from the output. The
// child ends with this process, unless this one is killed with SIGKILL.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServiceChild {
  pid: number
  url: string
  /** The first organization's key; only for a new data folder. */
  firstKey: string | undefined
  /** Signals the process and resolves when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export type Settings = Readonly<Record<string, string>>

/**
 * Node's flags for the service. With more room for young objects, the collector copies fewer of those that requests in
 * flight still need. When idle, V8 would shrink its heap, and the next requests would be slow. Objects of kinds that
 * once lived long would be made old at birth: as garbage, they would keep those of many later requests.
 */
export const NODE_FLAGS = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--no-memory-reducer',
  '--no-allocation-site-pretenuring',
]

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url))
/** The check of the data folder at a start alone may take 20 s. */
const TIMEOUT_MS = 30_000
const URL_LINE = /^Bursar is ready at (\S+)$/m
const KEY_LINE = /^ +organization key +(\S+)$/m

/** Starts the service over `dataDir`, with defaults except for `settings`; rejects with what it wrote to stderr. */
export async function startChild(dataDir: string, settings: Settings = {}): Promise<ServiceChild> {
  const env = { ...inherited(), PORT: '0', HOST: '127.0.0.1', BURSAR_DATA_DIR: dataDir, ...settings }
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.prependOnceListener('exit', kill)
  const closed = once(child, 'close').finally(() => process.off('exit', kill))
  try {
    const greeting = await greetingOf(child, closed)
    const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      child.kill(signal)
      await closed
    }
    return { pid: child.pid!, url: URL_LINE.exec(greeting)![1]!, firstKey: KEY_LINE.exec(greeting)?.[1], end }
  } catch (error) {
    kill()
    throw error
  }
}

/** The environment of this process, without the settings of another service. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURSAR_')))
}

/** The child's greeting, which is one write: it comes whole. */
function greetingOf(child: ChildProcess, closed: Promise<unknown>): Promise<string> {
  let printed = ''
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2_000)))
  return new Promise((resolve, reject) => {
    const give = (cause: string): void => {
      clearTimeout(timer)
      reject(new Error(`The service did not start: ${complaint.trim() || cause}`))
    }
    const timer = setTimeout(() => give(`it was not ready after ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS)
    closed.then(
      () => give('it ended without any output'),
      (error: Error) => give(error.message),
    )
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const lines = printed.slice(0, printed.lastIndexOf('\n') + 1)
      if (!URL_LINE.test(lines)) return
      clearTimeout(timer)
      resolve(lines)
    })
  })
}
