// argon2id in its own thread: one password at a time, about 60 ms each, off the event loop. At most one computation's
// memory (19 MiB) is in use, however many people sign in.
import { TaskThread } from '../async/taskThread.js'
import type { Passwords } from '../commands/ports.js'

/** OWASP's parameters for argon2id, as a hash names them: 19 MiB, two passes. Hashes carry their own. */
const TODAYS = 'm=19456,t=2,p=1'

/** Bounds the queue, so that each task ends within a few seconds. */
const MAX_WAITING = 50

/** Hashes a password and compares it with hashes under the same salt. */
export interface Task {
  password: string
  salt: string
  stored: readonly string[]
}

export interface HashDone {
  /** For each of `stored`. */
  matches: boolean[]
  /** Under today's parameters. */
  hash: string
  computed: number
}

export class PasswordHasher implements Passwords {
  readonly #thread: TaskThread<Task, HashDone>
  #computed = 0

  constructor(parameters = TODAYS) {
    this.#thread = new TaskThread(new URL('./passwordWorker.js', import.meta.url), parameters)
  }

  get computed(): number {
    return this.#computed
  }

  async hash(password: string, salt: string): Promise<string> {
    return (await this.#ask({ password, salt, stored: [] })).hash
  }

  async verify(
    password: string,
    salt: string,
    stored: readonly string[],
  ): Promise<{ matches: boolean[]; renewed?: string }> {
    const { matches, hash } = await this.#ask({ password, salt, stored })
    const isRenewed = matches.includes(true) && stored[matches.indexOf(true)] !== hash
    return { matches, ...(isRenewed && { renewed: hash }) }
  }

  busy(): boolean {
    return this.#thread.waiting >= MAX_WAITING
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #ask(task: Task): Promise<HashDone> {
    const done = await this.#thread.ask(task)
    this.#computed += done.computed
    return done
  }
}
