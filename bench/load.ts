// The load: writes prepared bytes to raw sockets and parses the answers as little as possible, because it shares the
// processors with what it measures. Run as a child process, it takes one burst per message and ends with its parent.
import { connect, type Socket } from 'node:net'
import { latenciesOf } from './latencies.js'
import { lengthOf } from './response.js'
import { NUMBER, type Exchange } from './target.js'

export interface Burst extends Exchange {
  port: number
  /** Each sends its next request when its last one is answered. */
  connections: number
  ms: number
}

export interface Measured {
  /** Answered requests; a request and its follow-up count as one. */
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

export type LoadMessage = Measured | { error: string }

const ID = '"requestId":"'
const MOST = 1_000_000
/** Random, so that rivals have seen none of these idempotency keys from an earlier load. */
let number = Math.floor(Math.random() * 8_000) * 1_000_000

interface Template {
  bytes: Buffer
  /** The position of the number; -1 if there is none. */
  numberAt: number
}

function templateOf(request: string): Template {
  const bytes = Buffer.from(request)
  return { bytes, numberAt: bytes.indexOf(NUMBER) }
}

/** The request with a new number, in the caller's buffer. */
function written({ bytes, numberAt }: Template, into: Buffer): Buffer {
  bytes.copy(into)
  if (numberAt >= 0) into.write(String(++number).padStart(NUMBER.length, '0'), numberAt, 'latin1')
  return into.subarray(0, bytes.length)
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function idIn(answer: Buffer): string {
  const from = answer.indexOf(ID) + ID.length
  return answer.toString('latin1', from, answer.indexOf('"', from))
}

async function run({ port, requests, expected, follow, connections, ms }: Burst): Promise<Measured> {
  const templates = requests.map(templateOf)
  const longest = Math.max(...templates.map(({ bytes }) => bytes.length))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies = new Float64Array(MOST)
  const startedAt = performance.now()
  let sent = 0
  let answered = 0
  const exchange = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      const buffer = Buffer.alloc(longest)
      let sentAt = 0
      let received: Buffer | undefined
      let isFollowing = false
      const send = (): void => {
        sentAt = performance.now()
        if (sentAt - startedAt >= ms || sent >= MOST) return resolve()
        socket.write(written(templates[sent % templates.length]!, buffer))
        sent += 1
      }
      const take = (answer: Buffer): void => {
        const wanted = isFollowing ? follow!.expected : expected
        if (!answer.includes(wanted)) return reject(new Error(`Answered otherwise: ${answer.toString()}`))
        isFollowing = follow !== undefined && !isFollowing
        if (isFollowing) return void socket.write(follow!.beforeId + idIn(answer) + follow!.afterId)
        latencies[answered] = performance.now() - sentAt
        answered += 1
        send()
      }
      socket.on('data', (chunk) => {
        received = received === undefined ? chunk : Buffer.concat([received, chunk])
        const length = lengthOf(received)
        if (length === undefined || received.length < length) return
        const answer = received
        received = undefined
        take(answer)
      })
      socket.once('close', () => reject(new Error('The connection was closed')))
      socket.once('error', reject)
      send()
    })
  await Promise.all(sockets.map(exchange))
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.destroy()
  return { requests: answered, seconds, ...latenciesOf(latencies.subarray(0, answered)) }
}

const tell = (message: LoadMessage): void => void process.send?.(message)

process.on('message', (burst: Burst) => {
  run(burst).then(tell, (error: Error) => tell({ error: error.message }))
})
process.on('disconnect', () => process.exit())
