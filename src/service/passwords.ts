// argon2id in its own thread: one password at a time, about 60 ms each, off the event loop. At most one computation's
// memory (19 MiB) is in use, however many people sign in.
import { Worker } from 'node:worker_threads'
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

interface Waiting {
  resolve: (done: HashDone) => void
  reject: (error: Error) => void
}

export class PasswordHasher implements Passwords {
  /** In the order of the tasks, which is that of the answers. */
  #waiting: Waiting[] = []
  #worker: Worker | undefined
  #computed = 0
  readonly #parameters: string

  constructor(parameters = TODAYS) {
    this.#parameters = parameters
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
    return this.#waiting.length >= MAX_WAITING
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #ask(task: Task): Promise<HashDone> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      worker.ref()
      worker.postMessage(task)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./passwordWorker.js', import.meta.url), { workerData: this.#parameters })
    worker.on('message', (answer: HashDone | Error) => {
      if (this.#worker !== worker) return
      const { resolve, reject } = this.#waiting.shift()!
      // The thread keeps the process alive only while it has a task.
      if (this.#waiting.length === 0) worker.unref()
      if (answer instanceof Error) return reject(answer)
      this.#computed += answer.computed
      resolve(answer)
    })
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('The thread that hashes passwords has ended')))
    return worker
  }

  /** Ignores messages of a thread that has been replaced. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
