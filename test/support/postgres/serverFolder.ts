// The folder of a server of a test, with the programs that run on it, as an ordinary user. However this process exits,
// none of them and nothing in the folder is left.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { NotRun } from '../../../bench/target.js'
import { until } from '../chain.js'
import { dataFolder, ordinaryUser, programIn, type OrdinaryUser } from '../programs.js'
import { isRunning, killAllOn } from './processes.js'

const run = promisify(execFile)
const folders = new Set<ServerFolder>()
process.on('exit', () => folders.forEach((folder) => folder.leaveNothing()))

/** The path of a program that install.sh installs; throws NotRun where it is missing. */
export function databaseProgram(name: string, of: string): string {
  return programIn(name, of, 'test/support/postgres/install.sh')
}

/** A program that was started. */
export interface StartedProgram {
  isRunning(): boolean
  /** What it has written to standard error so far. */
  written(): string
  /** Sends a signal and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>
}

export class ServerFolder {
  readonly path: string
  readonly #user: OrdinaryUser
  readonly #ends = new Set<Promise<void>>()

  constructor(name: string) {
    if (!existsSync('/proc/self/stat')) throw new NotRun('the /proc of Linux is missing')
    this.#user = ordinaryUser()
    this.path = dataFolder(name, this.#user)
    folders.add(this)
  }

  start(program: string, args: readonly string[]): StartedProgram {
    const child = spawn(program, args, { ...this.#user, cwd: this.path, stdio: ['ignore', 'ignore', 'pipe'] })
    let isRunning = true
    let written = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text))
    const ended = once(child, 'exit').then(() => {
      isRunning = false
      this.#ends.delete(ended)
    })
    this.#ends.add(ended)
    const end = (signal: NodeJS.Signals): Promise<void> => {
      child.kill(signal)
      return ended
    }
    return { isRunning: () => isRunning, written: () => written, end }
  }

  /** Runs a program to its end; rejects with what it has written if it fails. */
  async run(program: string, args: readonly string[]): Promise<void> {
    await run(program, args, { ...this.#user, cwd: this.path })
  }

  /** Ends all programs as a power cut of their machine does, but for the caches of the disk. */
  async kill(): Promise<void> {
    const killed = killAllOn(this.path)
    // PostgreSQL refuses to start while a process of the server before it holds its memory.
    await until(async () => !killed.some(isRunning) || undefined, `a process on ${this.path} does not end`)
    await Promise.all(this.#ends)
  }

  async end(): Promise<void> {
    await this.kill()
    this.leaveNothing()
  }

  /** For the last moments of this process, in which nothing can be waited for. */
  leaveNothing(): void {
    killAllOn(this.path)
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
    folders.delete(this)
  }
}
