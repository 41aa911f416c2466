// Stands in front of a node: requests are answered here while this node owns its shard and can prove it, and by the owner
// otherwise. Any node may be asked for anything, and a request is sent on once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createNodeApp, type Forwarded, type NodePorts } from '../http/nodeApp.js'
import { clientAddress, type ClientAddress, type TrustedProxies } from '../http/server/clientAddress.js'
import type { AnswerRequest } from '../http/server/connections.js'
import type { Readiness } from '../http/server/endpoint.js'
import type { App } from '../http/server/serve.js'
import type { ShardRole } from '../http/server/system.js'
import { Forwarder } from './forward.js'
import { FORWARDED_FROM, ForwardedFrom, type SigningPorts } from './forwardedFrom.js'

const CONNECT_TIMEOUT_MS = 2_000

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
  #serving: AnswerRequest | undefined
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

  /** To be called when another node owns the shard: what the one before has not answered, it may never answer. */
  ownerChanged(): void {
    const owner = this.#ports.state.owner()
    if (owner !== null) this.#forwarder.leaveOthers(owner)
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
      return this.#answering(req, answerHere)(req, res)
    }
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
    const node = this.#ports.state.owner()
    if (node === null || node === this.#ports.state.nodeUrl || this.#forwardedFrom.isForwarded(req)) return 'unowned'
    const from = this.#forwardedFrom.write(req, this.#clientHere(req))
    const outcome = await this.#forwarder.send(req, res, {
      node,
      own: { 'X-Request-Id': requestId, [FORWARDED_FROM]: from },
    })
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
