// Sends requests on to another node, and its answers back, as they come: nothing is kept, and each side waits for the
// other. It sends no request twice.
import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { Forwarded } from '../http/nodeApp.js'
import { hasBody, requestHeaders, setAnswerHeaders } from './passedHeaders.js'

const AGENT: http.AgentOptions = {
  keepAlive: true,
  // Further requests wait for one of these connections, as long as for a new one.
  maxSockets: 1024,
  // Shorter than a node keeps a connection without a request, so that none is sent into one that ends.
  timeout: 30_000,
}

interface ForwardOptions {
  /** How long a node may take to accept a connection. */
  connectTimeoutMs: number
  /** Called with why a request has no answer, unless its client has left. */
  onFailure: (node: string, error: Error) => void
}

export interface Errand {
  /** The URL of the node. */
  node: string
  /** Headers that this node says itself. */
  own: { [name: string]: string }
  /** What has been read of the request, in place of its stream. */
  body?: Buffer | undefined
  /** An answer with this status is passed over: another node may know better. */
  passesOver?: number | undefined
}

/** A request on its way to a node, or its answer on the way back. */
interface UnderWay {
  node: string
  upstream: http.ClientRequest
}

export class Forwarder {
  readonly #options: ForwardOptions
  readonly #agent = new http.Agent(AGENT)
  readonly #secureAgent = new https.Agent(AGENT)
  readonly #underWay = new Set<UnderWay>()

  constructor(options: ForwardOptions) {
    this.#options = options
  }

  /** Resolves when the answer begins, or when it is certain that there is none. */
  async send(req: http.IncomingMessage, res: http.ServerResponse, errand: Errand): Promise<Forwarded | 'passedOver'> {
    // Its client has left while it was found out where to send it.
    if (res.destroyed) return 'answered'
    const { node, body, passesOver } = errand
    const upstream = this.#request(req, errand)
    this.#endWith(req, res, { node, upstream })
    const { connection, answer } = exchange(upstream, this.#options.connectTimeoutMs)
    if (body === undefined && hasBody(req)) req.pipe(upstream)
    else upstream.end(body)
    const answered = await answer.catch((error: Error) => error)
    if (!(answered instanceof Error) && answered.statusCode === passesOver) {
      answered.resume()
      return 'passedOver'
    }
    if (!(answered instanceof Error)) {
      passOn(answered, res)
      return 'answered'
    }
    if (res.destroyed) return 'answered'
    this.#options.onFailure(node, answered)
    return connection.isMade ? 'lost' : 'unowned'
  }

  /** Ends what is under way to or from any other node than these. */
  leaveOthers(nodes: readonly string[]): void {
    for (const { node: to, upstream } of this.#underWay) {
      if (!nodes.includes(to)) upstream.destroy(new Error('Another node owns the shard by now'))
    }
  }

  /** Ends the connections that wait for a request. */
  close(): void {
    this.#agent.destroy()
    this.#secureAgent.destroy()
  }

  #request(req: http.IncomingMessage, { node, own, body }: Errand): http.ClientRequest {
    const url = new URL(node)
    const { method, url: path } = req
    const headers = requestHeaders(req, own, url.host, body?.length)
    const options = { ...urlToHttpOptions(url), method, path, headers }
    return url.protocol === 'https:'
      ? https.request({ ...options, agent: this.#secureAgent })
      : http.request({ ...options, agent: this.#agent })
  }

  /** When the client has the whole answer, or has left. */
  #endWith(req: http.IncomingMessage, res: http.ServerResponse, sent: UnderWay): void {
    this.#underWay.add(sent)
    res.once('close', () => {
      this.#underWay.delete(sent)
      sent.upstream.destroy()
      // The client's next request comes behind the rest of this one.
      req.unpipe(sent.upstream).resume()
    })
  }
}

interface Exchange {
  connection: { isMade: boolean }
  /** Its body is still to be read. */
  answer: Promise<http.IncomingMessage>
}

function exchange(upstream: http.ClientRequest, connectTimeoutMs: number): Exchange {
  const connection = { isMade: false }
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve)
    // Also for what comes after the first error.
    upstream.on('error', reject)
    const timer = setTimeout(() => {
      const late = new Error(`The node accepted no connection within ${connectTimeoutMs} ms`)
      // A request that waits for a connection only learns of its end when it gets one.
      reject(late)
      upstream.destroy(late)
    }, connectTimeoutMs)
    upstream.once('close', () => clearTimeout(timer))
    whenConnected(upstream, () => {
      // INVARIANT: before this nothing of the request has left this machine.
      connection.isMade = true
      clearTimeout(timer)
    })
  })
  return { connection, answer }
}

function whenConnected(upstream: http.ClientRequest, then: () => void): void {
  upstream.once('socket', (socket) => {
    if (!socket.connecting) return then()
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', then)
  })
}

function passOn(answer: http.IncomingMessage, res: http.ServerResponse): void {
  setAnswerHeaders(answer, res)
  res.writeHead(answer.statusCode!, answer.statusMessage)
  // A stream may have its first part much later.
  if (answer.headers['content-length'] === undefined) res.flushHeaders()
  // An answer that is cut is cut for the client, too, which is all that can be said to it by then.
  pipeline(answer, res, () => {})
}
