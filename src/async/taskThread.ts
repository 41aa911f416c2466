// A thread that does one task after the other, off the event loop. It starts with the first task, and keeps the process
// alive only while it has one. Its entry calls `doTasks`.
import { parentPort, Worker } from 'node:worker_threads'

interface Waiting<Done> {
  resolve: (done: Done) => void
  reject: (error: Error) => void
}

export class TaskThread<Task, Done> {
  readonly #entry: URL
  readonly #data: unknown
  #worker: Worker | undefined
  /** In the order of the tasks, which is that of the answers. */
  #waiting: Waiting<Done>[] = []
  #isClosed = false

  /** `data` is the entry's `workerData`. */
  constructor(entry: URL, data: unknown) {
    this.#entry = entry
    this.#data = data
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Rejects with what the task threw, or when the thread ends; the next task starts another. */
  async ask(task: Task): Promise<Done> {
    if (this.#isClosed) throw new Error(`The thread of ${this.#entry.pathname} is closed`)
    this.#worker ??= this.#start()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      worker.ref()
      worker.postMessage(task)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#data })
    worker.on('message', (answer: Done | Error) => {
      if (this.#worker !== worker) return
      const { resolve, reject } = this.#waiting.shift()!
      if (this.#waiting.length === 0) worker.unref()
      if (answer instanceof Error) reject(answer)
      else resolve(answer)
    })
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error(`The thread of ${this.#entry.pathname} has ended`)))
    return worker
  }

  /** Ignores messages of a thread that has been replaced. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

/** In the thread: one task at a time, because answers are matched to tasks by their order. */
export function doTasks<Task, Done>(work: (task: Task) => Promise<Done>): void {
  let last: Promise<unknown> = Promise.resolve()
  parentPort!.on('message', (task: Task) => {
    last = last
      .then(() => work(task))
      .then(
        (done) => parentPort!.postMessage(done),
        (error: unknown) => parentPort!.postMessage(error),
      )
  })
}
