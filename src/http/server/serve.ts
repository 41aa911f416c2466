// Runs the HTTP server around an app, with timeouts for slow clients and a graceful shutdown. Requests that the HTTP
// parser rejects never reach the app; they are answered here in the same form.
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Code } from '../../domain/outcomes/codes.js'
import { ServerConnections, type AnswerRequest } from './connections.js'
import type { Random } from '../../domain/values/ids.js'
import { newRequestId } from './requestId.js'

export interface Listening {
  /** The server's URL, without a path. */
  url: string
  /** Resolves once the requests that are carried out now are answered, but for those that only read. */
  changesAnswered(): Promise<void>
  /** Stops accepting, lets requests in flight finish for up to `graceMs`, then closes the remaining connections. */
  close(graceMs: number): Promise<void>
}

export interface Timeouts {
  /** Timeout for all headers of a request. */
  headersTimeout: number
  /** Timeout for a whole request. */
  requestTimeout: number
  keepAliveTimeout: number
  /** Timeout for a reader that takes nothing of what is written to it. */
  unreadTimeout: number
  /** How often the timeouts of requests and of readers are checked. */
  connectionsCheckingInterval: number
}

const TIMEOUTS: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the 60 s of common proxies, which could otherwise send a request into a connection that is closing.
  keepAliveTimeout: 65_000,
  unreadTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
}

/** Connections that may wait to be accepted; those of others would be dropped, and asked for again a second later. */
const BACKLOG = 4096

export interface App {
  callback(): AnswerRequest
}

export interface ListenOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  random: Random
  timeouts?: Partial<Timeouts>
}

export async function serve(app: App, { host, port, random, timeouts }: ListenOptions): Promise<Listening> {
  const limits = { ...TIMEOUTS, ...timeouts }
  const server = createServer({ ...limits, requireHostHeader: false })
  const connections = new ServerConnections(server, app.callback())
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswerable = error.code !== 'ECONNRESET' && connections.mayHearOfError(socket as Socket)
    if (isAnswerable) answerUnreadable(error, socket, random)
    else socket.destroy()
  })
  await listen(server, host, port)
  const checking = setInterval(() => connections.timeUnread(limits.unreadTimeout), limits.connectionsCheckingInterval)
  server.once('close', () => clearInterval(checking))
  const address = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${address.port}`,
    changesAnswered: () => connections.changesAnswered(),
    close: (graceMs) => close(server, connections, graceMs),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server, connections: ServerConnections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    connections.endIdle()
  })
}

type Unreadable = [status: string, code: Code, error: string]

const NOT_HTTP: Unreadable = ['400 Bad Request', 'VALIDATION_ERROR', 'The request is not valid HTTP']
const UNREADABLE: { [code: string]: Unreadable } = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'PAYLOAD_TOO_LARGE', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'VALIDATION_ERROR', 'The request did not arrive in time'],
}

/** After a parse error there is no request object: the response is written to the socket. */
function answerUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex, random: Random): void {
  if (!socket.writable) return void socket.destroy()
  const [status, name, error] = UNREADABLE[code] ?? NOT_HTTP
  const details = name === 'VALIDATION_ERROR' ? { details: [{ path: '', message: error }] } : {}
  const body = JSON.stringify({ error, code: name, ...details })
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${newRequestId(random)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
