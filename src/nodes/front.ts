// Stands in front of a node: requests are answered here while this node owns its shard and can prove it, and by the owner
// otherwise. Any node may be asked for anything, and a request is sent on once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createNodeApp, type Forwarded, type NodePorts } from '../http/nodeApp.js'
import { clientAddress, type ClientAddress, type TrustedProxies } from '../http/server/clientAddress.js'
import type { AnswerRequest } from '../http/server/connections.js'
import type { Readiness } from '../http/server/endpoint.js'
import type { App } from '../http/server/serve.js'
import type { ShardRole } from '../http/server/system.js'
import { Forwarder, type Errand } from './forward.js'
import { FORWARDED_FROM, ForwardedFrom, type SigningPorts } from './forwardedFrom.js'
import type { ShardDestination, RequestShards } from './shards/requestShards.js'
import { TooLarge } from './shards/wholeBody.js'

const CONNECT_TIMEOUT_MS = 2_000
const UNAUTHORIZED = 401

/** What a node is at the moment. */
export interface NodeState {
  /** How other nodes reach this one. */
  nodeUrl: string
  shard: string
  role(): 'OWNER' | 'STANDBY'
  /** The URL of the node that owns the shard; null where none does. */
  owner(): string | null
  epoch(): number
  applied(): number
  lag(): number
  /** True for an owner while no other node can own the shard. */
  mayServe(): boolean
}

export interface FrontPorts
  extends SigningPorts, Pick<NodePorts, 'random' | 'isHttps' | 'log' | 'gauges' | 'warnings' | 'readiness'> {
  state: NodeState
  /** Where requests of other shards go. */
  shards: Pick<RequestShards, 'of' | 'ownerOf' | 'others'>
  trustedProxies: TrustedProxies
  connectTimeoutMs?: number
}

export class Front implements App {
  /** The address of the client, also where another node has sent its request on. */
  readonly clientOf: ClientAddress
  readonly #ports: FrontPorts
  readonly #forwardedFrom: ForwardedFrom
  readonly #forwarder: Forwarder
  readonly #clientHere: ClientAddress
  /** Of requests of other shards. */
  readonly #destinations = new WeakMap<IncomingMessage, ShardDestination | Error>()
  #serving: AnswerRequest | undefined
  #lastOwner: string | null = null
  /** The last failure to reach the owner that was logged. */
  #failure: string | undefined

  constructor(ports: FrontPorts) {
    this.#ports = ports
    this.#forwardedFrom = new ForwardedFrom(ports)
    this.#clientHere = clientAddress(ports.trustedProxies)
    this.clientOf = (req) => this.#forwardedFrom.addressIn(req) ?? this.#clientHere(req)
    this.#forwarder = new Forwarder({
      connectTimeoutMs: ports.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      onFailure: (node, error) => this.#report(node, error),
    })
  }

  /** From now on this app answers while this node may serve. */
  serve(app: App): void {
    this.#serving = app.callback()
    this.ownerChanged()
  }

  /** To be called when another node owns a shard: what the one before has not answered, it may never answer. */
  ownerChanged(): void {
    const { state, shards } = this.#ports
    // The last one may still answer what it has.
    this.#lastOwner = state.owner() ?? this.#lastOwner
    this.#forwarder.leaveOthers([...(this.#lastOwner === null ? [] : [this.#lastOwner]), ...shards.others])
  }

  /** As `/readyz` shows it. */
  shardRole(): ShardRole {
    const { state } = this.#ports
    const { shard } = state
    return { role: state.role(), shard, epoch: state.epoch(), applied: state.applied(), lag: state.lag() }
  }

  close(): void {
    this.#forwarder.close()
  }

  callback(): AnswerRequest {
    const { state, ...ports } = this.#ports
    const answerHere = createNodeApp({
      ...ports,
      isUnavailable: () => false,
      readiness: () => this.#readiness(),
      shardRole: () => this.shardRole(),
      forward: (req, res, requestId) => this.#forward(req, res, requestId),
    }).callback()
    return (req, res) => {
      res.setHeader('X-Service-Node', state.nodeUrl)
      const destination = this.#destinationOf(req)
      if (destination === undefined) return this.#answering(req, answerHere)(req, res)
      return destination.then((elsewhere) => {
        if (elsewhere === undefined) return this.#answering(req, answerHere)(req, res)
        this.#destinations.set(req, elsewhere)
        return answerHere(req, res)
      })
    }
  }

  /** Undefined for a request of this shard, which is answered without delay. */
  #destinationOf(req: IncomingMessage): Promise<ShardDestination | Error | undefined> | undefined {
    const { state, shards } = this.#ports
    const meant = this.#forwardedFrom.shardIn(req)
    if (meant === state.shard) return undefined
    if (meant !== undefined) return Promise.resolve(new Error(`Sent to the owner of shard ${meant}`))
    const destination = shards.of(req, this.#clientHere(req))
    return destination && Promise.resolve(destination).catch((error: Error) => error)
  }

  #answering({ url }: IncomingMessage, answerHere: AnswerRequest): AnswerRequest {
    const { state } = this.#ports
    if (this.#serving === undefined || state.role() !== 'OWNER') return answerHere
    // What is counted goes on in one place.
    return state.mayServe() || url === '/metrics' ? this.#serving : answerHere
  }

  #readiness(): Readiness {
    const { state, readiness } = this.#ports
    if (state.role() === 'STANDBY') return readiness()
    return this.#serving === undefined ? 'starting' : 'waiting'
  }

  async #forward(req: IncomingMessage, res: ServerResponse, requestId: string): Promise<Forwarded> {
    const { state } = this.#ports
    const destination = this.#destinations.get(req)
    if (destination instanceof Error) return destination instanceof TooLarge ? 'tooLarge' : 'unowned'
    if (this.#forwardedFrom.shardIn(req) !== undefined) return 'unowned'
    // Whoever owns the shard would have answered, if it could.
    if (destination === undefined && state.owner() === state.nodeUrl) return 'unowned'
    return this.#sendToShards(req, res, requestId, destination ?? { shards: [state.shard] })
  }

  /** To each of them until one knows the caller. */
  async #sendToShards(
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    { shards: names, body }: ShardDestination,
  ): Promise<Forwarded> {
    const { state, shards } = this.#ports
    let isAllAsked = true
    for (const [at, shard] of names.entries()) {
      const node = shard === state.shard ? state.owner() : shards.ownerOf(shard)
      isAllAsked &&= node !== null
      if (node === null) continue
      const passesOver = at < names.length - 1 || !isAllAsked ? UNAUTHORIZED : undefined
      const outcome = await this.#send(req, res, { requestId, shard }, { node, body, passesOver })
      if (outcome !== 'passedOver') return outcome
    }
    return 'unowned'
  }

  async #send(
    req: IncomingMessage,
    res: ServerResponse,
    { requestId, shard }: { requestId: string; shard: string },
    errand: Omit<Errand, 'own'>,
  ): Promise<Forwarded | 'passedOver'> {
    const from = this.#forwardedFrom.write(req, this.#clientHere(req), shard)
    const own = { 'X-Request-Id': requestId, [FORWARDED_FROM]: from }
    const outcome = await this.#forwarder.send(req, res, { ...errand, own })
    if (outcome === 'answered') this.#failure = undefined
    return outcome
  }

  /** Once, and not for each request. */
  #report(node: string, error: Error & { code?: string }): void {
    const failure = `${node} ${error.code ?? error.message}`
    if (failure !== this.#failure) this.#ports.log('the owner of the shard does not answer', { node, error })
    this.#failure = failure
  }
}
