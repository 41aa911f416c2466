// The load: writes prepared bytes to raw sockets and looks no closer at the answers than it must, because it shares
// the processors with what it measures. Run as a child process, it takes one burst a message and ends with its parent.
import { connect, type Socket } from 'node:net'
import { lengthOf } from './response.js'

export interface Burst {
  port: number
  /** Dealt to the connections in turn. */
  requests: string[]
  expected: string
  /** Each sends its next request when its last is answered. */
  connections: number
  ms: number
  /** No more requests than this. */
  most: number
}

export interface Measured {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

export type LoadMessage = Measured | { error: string }

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

async function run({ port, requests, expected, connections, ms, most }: Burst): Promise<Measured> {
  const written = requests.map((request) => Buffer.from(request))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies = new Float64Array(most)
  const startedAt = performance.now()
  let sent = 0
  let answered = 0
  const exchange = (socket: Socket, at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const bytes = written[at % written.length]!
      let sentAt = 0
      let received: Buffer | undefined
      const send = (): void => {
        sentAt = performance.now()
        if (sentAt - startedAt >= ms || sent >= most) return resolve()
        sent += 1
        socket.write(bytes)
      }
      socket.on('data', (chunk) => {
        received = received === undefined ? chunk : Buffer.concat([received, chunk])
        const length = lengthOf(received)
        if (length === undefined || received.length < length) return
        if (!received.includes(expected)) return reject(new Error(`Answered otherwise: ${received.toString()}`))
        latencies[answered] = performance.now() - sentAt
        answered += 1
        received = undefined
        send()
      })
      socket.once('close', () => reject(new Error('The connection was closed')))
      socket.once('error', reject)
      send()
    })
  await Promise.all(sockets.map(exchange))
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.destroy()
  const sorted = latencies.subarray(0, answered).sort()
  const at = (share: number): number => sorted[Math.floor((answered - 1) * share)]!
  return { requests: answered, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

const tell = (message: LoadMessage): void => void process.send?.(message)

process.on('message', (burst: Burst) => {
  run(burst).then(tell, (error: Error) => tell({ error: error.message }))
})
process.on('disconnect', () => process.exit())
