// argon2id in a thread of its own: one password at a time, each about 60 ms, while the event loop goes on. At most
// one computation's memory (19 MiB) is in use, however many sign in.
import { Worker } from 'node:worker_threads'
import type { Passwords } from './commands/ports.js'

/** One password a computation: what waits is answered within a few seconds. */
const MOST_WAITING = 50

/** Hashes a password, or checks one against a hash; without one it checks against a hash that nothing matches. */
export type Task = { type: 'hash'; password: string } | { type: 'verify'; password: string; stored?: string | undefined }
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
  /** In the order in which they were asked, which is that of the answers. */
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
    return this.#waiting.length >= MOST_WAITING
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
    // Nobody who waits is left behind, because a request in flight keeps the process up by itself.
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

  /** What comes from a thread that another has replaced already is of nobody who waits. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
