// Bounds the reuse of connections: each serves only the endpoint it was made for, up to an age, and idle ones are
// limited in number. The peer is checked only when a connection is made, so the age limit makes DNS changes take
// effect soon.
import type { Agent, ClientRequest, ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'

/** Idle connections of all endpoints. */
const MAX_IDLE = 512

export class SocketReuse {
  readonly #lastsMs: number
  readonly #bornAt = new WeakMap<Socket, number>()
  readonly #idle = new Set<Socket>()

  /** Connections older than `lastsMs` are not reused. */
  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs
  }

  /** Makes the HTTP agent follow this pool's rules; its requests name their `endpoint` among their options. */
  govern<Governed extends Agent>(agent: Governed): Governed {
    const nameOf = agent.getName.bind(agent)
    const keep = agent.keepSocketAlive.bind(agent)
    const reuse = agent.reuseSocket.bind(agent)
    return Object.assign(agent, {
      getName: (options: ClientRequestArgs & { endpoint?: string }) => `${options.endpoint} ${nameOf(options)}`,
      keepSocketAlive: (socket: Socket) => this.#isKept(socket) && keep(socket),
      reuseSocket: (socket: Socket, request: ClientRequest) => {
        this.#idle.delete(socket)
        reuse(socket, request)
      },
    })
  }

  /** Records a new connection. */
  opens(socket: Socket): void {
    this.#bornAt.set(socket, performance.now())
    socket.once('close', () => this.#idle.delete(socket))
  }

  #isKept(socket: Socket): boolean {
    if (this.#idle.size >= MAX_IDLE || performance.now() - this.#bornAt.get(socket)! >= this.#lastsMs) return false
    this.#idle.add(socket)
    return true
  }
}
