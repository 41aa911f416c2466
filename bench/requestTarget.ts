// The service as a target: an agent with a full delegation, limits for day, week and month, and a balance that none
// of its requests exhausts. Each request is authenticated, decided, reserved at every gate and durable when answered.
import { startChild } from '../src/cli/child.js'
import { agentUnder } from './setup.js'
import { postOf, type Target } from './target.js'
import { REQUEST_PATH, WISH } from './wish.js'

const CPU = /^process_cpu_seconds_total ([\d.e+-]+)/m

export async function startRequests(folder: string): Promise<Target> {
  const { url, firstKey, end } = await startChild(folder, { BURSAR_RATE_LIMITS: 'off' })
  const { key } = await agentUnder({ url, firstKey: firstKey! })
  return {
    name: 'request',
    port: Number(new URL(url).port),
    requests: [postOf(REQUEST_PATH, WISH, key)],
    expected: '"status":"APPROVED"',
    cpuMicros: async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(CPU.exec(metrics)![1]) * 1e6
    },
    end: () => end('SIGTERM'),
  }
}
