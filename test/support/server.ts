// A server whose answers each test defines, request by request, and that records what it receives.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Scope } from './process.js'

export interface Sent {
  method: string
  path: string
  headers: IncomingMessage['headers']
  text: string
  /** From `performance.now()`. */
  at: number
}

export type Handler = (sent: Sent, response: ServerResponse) => void | Promise<void>

export interface Server {
  url: string
  sent: Sent[]
}

export async function serve(scope: Scope, handler: Handler): Promise<Server> {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    const one = await received(request)
    sent.push(one)
    await handler(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}

async function received(request: IncomingMessage): Promise<Sent> {
  const at = performance.now()
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return { method: request.method!, path: request.url!, headers: request.headers, text, at }
}

export interface Told {
  status: number
  body?: unknown
  headers?: { [name: string]: string }
}

export function tell(response: ServerResponse, { status, body = {}, headers = {} }: Told): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Answers the first request with the first answer, and so on; the last answer serves all further requests. */
export function serveInTurn(scope: Scope, ...answers: Told[]): Promise<Server> {
  let next = 0
  return serve(scope, (_sent, response) => tell(response, answers[Math.min(next++, answers.length - 1)]!))
}
