// A proxy between a service and its chain's node that treats each call as a test wants: forwards it, drops it, drops
// its answer, delays it, or answers something else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../../support/process.js'

export interface Call {
  method: string
  params: unknown[]
}

/** What the proxy does with a call. */
export interface Deed {
  /** Whether the node receives it; by default it does. */
  forward?: boolean
  /** Runs before it is forwarded. */
  before?: () => Promise<unknown>
  /** Runs after the node has answered, before the answer is returned. */
  after?: () => Promise<unknown>
  /** Replaces the node's answer: nothing (the connection ends), an HTTP status, a result, or an RPC error. */
  answer?: 'nothing' | { status: number } | { result: unknown } | { error: string; code?: number }
  /** Runs once the answer is sent. */
  sent?: () => void
}

export class Proxy {
  /** Consulted for every call. */
  deed: (call: Call) => Deed | undefined = () => undefined
  readonly calls: Call[] = []
  readonly #target: string
  readonly #server = createServer((request, response) => {
    // The chain may have stopped already.
    this.#take(request, response).catch(() => response.destroy())
  })

  static async open(scope: Scope, target: string): Promise<Proxy> {
    const proxy = new Proxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    scope.teardown(() => {
      proxy.#server.closeAllConnections()
      proxy.#server.close()
    })
    return proxy
  }

  private constructor(target: string) {
    this.#target = target
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const call = { params: [], ...(JSON.parse(body) as object) } as unknown as Call
    this.calls.push(call)
    const { forward = true, before, after, answer, sent } = this.deed(call) ?? {}
    await before?.()
    const answered = forward ? await this.#forward(body) : ''
    await after?.()
    if (answer === 'nothing') return void response.destroy()
    if (sent) response.once('finish', sent)
    response.setHeader('content-type', 'application/json')
    if (answer && 'status' in answer) response.writeHead(answer.status).end('Bad gateway')
    else response.end(answer ? textOfAnswer(body, answer) : answered)
  }

  async #forward(body: string): Promise<string> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    return (await fetch(this.#target, options)).text()
  }
}

function textOfAnswer(body: string, answer: { result: unknown } | { error: string; code?: number }): string {
  const { id } = JSON.parse(body) as { id: number }
  if ('result' in answer) return JSON.stringify({ jsonrpc: '2.0', id, result: answer.result })
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: answer.code ?? -32000, message: answer.error } })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) text += part
  return text
}
