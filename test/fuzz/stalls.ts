// Calls of another organization while one is fuzzed, from a thread of their own: how long they take.
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const EVERY_MS = 25

export interface Quiet {
  calls: number
  p99Ms: number
  longestMs: number
}

/** Calls until it is asked for the result. */
export function startQuietCalls(url: string, key: string): () => Promise<Quiet> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, key } })
  return async () => {
    worker.postMessage('end')
    const [quiet] = (await once(worker, 'message')) as [Quiet]
    await worker.terminate()
    return quiet
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
