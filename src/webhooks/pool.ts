// Keeps a connection for what follows at once: for the endpoint alone that it was made for, for so long, and so many
// of all. Whom it leads to was checked when it was made, so that a name that leads elsewhere by now is found soon.
import type { Agent, ClientRequest, ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'

/** Of all endpoints. */
const MOST_IDLE = 512

export class Pool {
  readonly #lastsMs: number
  readonly #bornAt = new WeakMap<Socket, number>()
  readonly #idle = new Set<Socket>()

  /** No connection is used again that is older than `lastsMs`. */
  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs
  }

  /** Has the agent keep what this pool would; its requests name their `endpoint` among their options. */
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

  /** A connection is being made. */
  opens(socket: Socket): void {
    this.#bornAt.set(socket, performance.now())
    socket.once('close', () => this.#idle.delete(socket))
  }

  #isKept(socket: Socket): boolean {
    if (this.#idle.size >= MOST_IDLE || performance.now() - this.#bornAt.get(socket)! >= this.#lastsMs) return false
    this.#idle.add(socket)
    return true
  }
}
