// The service in its own process, which watches its event loop. It sends its address and its first key, and on request
// the longest time that it was blocked since the last request; it ends with its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readConfig } from '../src/config/config.js'
import { startService } from '../src/service/service.js'

export type WatchMessage = { url: string; firstKey: string } | { longestMs: number }

const RESOLUTION_MS = 1
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const tell = (message: WatchMessage): void => void process.send?.(message)
const fail = (error: unknown): void => {
  throw error
}

const service = await startService(readConfig(process.env), { log: (_, { error }) => fail(error), onFailure: fail })
delays.enable()
tell({ url: service.url, firstKey: service.firstKey! })
process.on('message', () => {
  tell({ longestMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) })
  delays.reset()
})
process.on('disconnect', () => void service.stop().then(() => process.exit()))
