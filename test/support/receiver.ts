// A receiver on this machine: records what it receives, byte for byte, and answers as the test defines.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Scope } from './process.js'

export interface Received {
  url: string
  headers: IncomingHttpHeaders
  raw: Buffer
  body: { deliveryId: string; event: string; timestamp: string; data: { [field: string]: unknown } }
  /** Epoch ms. */
  at: number
}

export type Answering = (received: Received, response: ServerResponse) => void

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** The number of connections ever made. */
  connections: number
  answer: Answering
  /** Resolves when `enough` is true of what has been received. */
  until(enough: (received: Received[]) => boolean): Promise<Received[]>
}

const OK: Answering = (_, response) => void response.writeHead(204).end()

export async function startReceiver(scope: Scope, answer: Answering = OK): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => void take(request, response))
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const raw = Buffer.concat(parts)
    const { url = '', headers } = request
    const received = { url, headers, raw, body: JSON.parse(raw.toString()), at: Date.now() } as Received
    receiver.received.push(received)
    for (const check of waiting) check()
    receiver.answer(received, response)
  }
  server.on('connection', () => (receiver.connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: [],
    connections: 0,
    answer,
    until: (enough) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!enough(receiver.received)) return
          waiting.delete(check)
          resolve(receiver.received)
        }
        waiting.add(check)
        check()
      }),
  }
  return receiver
}
