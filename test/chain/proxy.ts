// Stands between a service and its chain's node, and does to each call what a test wants done: passes it on, loses it,
// loses its answer, delays it, or answers something else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../service/service.js'

export interface Call {
  method: string
  params: unknown[]
}

/** What becomes of one call. */
export interface Deed {
  /** The node hears of it; by default it does. */
  forward?: boolean
  /** Before it is passed on. */
  before?: () => Promise<unknown>
  /** After the node has answered, before the answer is passed on. */
  after?: () => Promise<unknown>
  /** What is answered in place of the node's answer: nothing (the connection ends), an HTTP status, an RPC error, a result. */
  answer?: 'nothing' | { status: number } | { error: string } | { result: unknown }
}

export class Proxy {
  /** Asked for every call. */
  deed: (call: Call) => Deed | undefined = () => undefined
  readonly calls: Call[] = []
  readonly #target: string
  readonly #server = createServer((request, response) => {
    // A chain that has ended answers nobody any more.
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
    const call = JSON.parse(body) as Call
    this.calls.push(call)
    const { forward = true, before, after, answer } = this.deed(call) ?? {}
    await before?.()
    const answered = forward ? await this.#forward(body) : ''
    await after?.()
    if (answer === 'nothing') return void response.destroy()
    response.setHeader('content-type', 'application/json')
    if (answer && 'status' in answer) response.writeHead(answer.status).end('Bad gateway')
    else response.end(answer ? textOfAnswer(body, answer) : answered)
  }

  async #forward(body: string): Promise<string> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    return (await fetch(this.#target, options)).text()
  }
}

function textOfAnswer(body: string, answer: { error: string } | { result: unknown }): string {
  const { id } = JSON.parse(body) as { id: number }
  const said = 'error' in answer ? { error: { code: -32000, message: answer.error } } : answer
  return JSON.stringify({ jsonrpc: '2.0', id, ...said })
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) text += part
  return text
}
