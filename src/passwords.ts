// argon2id in its own thread: one password at a time, about 60 ms each, off the event loop. At most one computation's
// memory (19 MiB) is in use, however many people sign in.
import { Worker } from 'node:worker_threads'
import type { Passwords } from './commands/ports.js'

/** Bounds the queue, so that each task ends within a few seconds. */
const MAX_WAITING = 50

/** Hashes a password, or checks one against a hash. A check without a hash takes as long and never matches. */
export type Task =
  { type: 'hash'; password: string } | { type: 'verify'; password: string; stored?: string | undefined }
export interface Done {
  matches: boolean
  /** The hash under today's parameters, where one was made. */
  hash?: string
}

interface Waiting {
  resolve: (done: Done) => void
  reject: (error: Error) => void
}

export class PasswordHasher implements Passwords {
  /** In the order of the tasks, which is that of the answers. */
  #waiting: Waiting[] = []
  #worker: Worker | undefined

  async hash(password: string): Promise<string> {
    return (await this.#ask({ type: 'hash', password })).hash!
  }

  async verify(password: string, stored: string | undefined): Promise<{ matches: boolean; renewed?: string }> {
    const { matches, hash } = await this.#ask({ type: 'verify', password, stored })
    return { matches, ...(hash !== undefined && { renewed: hash }) }
  }

  busy(): boolean {
    return this.#waiting.length >= MAX_WAITING
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #ask(task: Task): Promise<Done> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      worker.postMessage(task)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./passwordWorker.js', import.meta.url))
    // The thread does not keep the process alive; a request in flight does.
    worker.unref()
    worker.on('message', (answer: Done | Error) => {
      if (this.#worker !== worker) return
      const { resolve, reject } = this.#waiting.shift()!
      if (answer instanceof Error) reject(answer)
      else resolve(answer)
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
