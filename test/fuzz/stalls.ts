// Calls of another organization while one is fuzzed, from a thread of their own: how long they take.
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Scope } from '../support/process.js'

const EVERY_MS = 25

export interface Quiet {
  calls: number
  p99Ms: number
  longestMs: number
}

/** Calls until the function that is returned is, which resolves with the result. */
export function startQuietCalls(scope: Scope, url: string, key: string): () => Promise<Quiet> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, key } })
  scope.teardown(() => void worker.terminate())
  const answered = once(worker, 'message') as Promise<[Quiet]>
  // It fails for whoever waits for it, and not before.
  answered.catch(() => {})
  return async () => {
    worker.postMessage('end')
    return (await answered)[0]
  }
}

async function call({ url, key }: { url: string; key: string }): Promise<void> {
  const times: number[] = []
  let isOver = false
  parentPort!.once('message', () => (isOver = true))
  while (!isOver) {
    const started = performance.now()
    const answer = await fetch(`${url}/api/agents?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`Another organization's agents answer ${answer.status}`)
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  times.sort((a, b) => a - b)
  const quiet: Quiet = { calls: times.length, p99Ms: times[Math.floor(times.length * 0.99)]!, longestMs: times.at(-1)! }
  parentPort!.postMessage(quiet)
}

if (!isMainThread) await call(workerData as { url: string; key: string })
