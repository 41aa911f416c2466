// Connections to receivers at allowed addresses only (SSRF protection). It checks a literal address, every answer of
// the resolver, and the connected peer before the first byte is sent. It uses no proxies.
import { Agent as HttpAgent, type ClientRequest } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { SocketReuse } from './socketReuse.js'

export interface Destination {
  address: string
  family: number
}

export interface ConnectionPorts {
  /** All addresses of a name. */
  resolve(name: string): Promise<Destination[]>
  allows(address: string): boolean
  /** Certificates to trust instead of the system's. */
  ca?: string
  /** The age up to which a connection is reused. */
  lastsMs?: number
}

/** The destination is not allowed: nothing is sent, and a retry would fail the same way. */
export class RefusedDestination extends Error {
  readonly address: string

  /** The message omits the address: it would show the receiver's owner how this network resolves names. */
  constructor(address: string) {
    super('The host has an address that is not public')
    this.address = address
  }
}

/** Most receivers close idle connections after five seconds or later. */
const IDLE_MS = 4_000
/** Idle connections of one endpoint: as many as it may have attempts at a time. */
const MAX_IDLE = 16
const LASTS_MS = 60_000
/** For each of several addresses; after Node's default of 250 ms only the last one could still be a distant receiver. */
const CONNECT_MS = 3_000

export class ReceiverConnections {
  readonly #http: HttpAgent
  readonly #https: HttpsAgent
  readonly #pool: SocketReuse
  readonly #allows: ConnectionPorts['allows']

  constructor({ resolve, allows, ca, lastsMs = LASTS_MS }: ConnectionPorts) {
    this.#allows = allows
    this.#pool = new SocketReuse(lastsMs)
    const lookup = guardedLookup(resolve, allows)
    const options = {
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
      autoSelectFamilyAttemptTimeout: CONNECT_MS,
      scheduling: 'lifo',
      lookup,
    } as const
    this.#http = this.#pool.govern(new HttpAgent(options))
    // One for all connections: Node would make another for each, even where the name is then not found.
    const secureContext = createSecureContext(ca === undefined ? {} : { ca })
    this.#https = this.#pool.govern(new HttpsAgent({ ...options, rejectUnauthorized: true, secureContext }))
  }

  /** The HTTP agent for this URL; throws RefusedDestination for a literal address that is not allowed. */
  agentFor({ protocol, hostname }: URL): HttpAgent {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !this.#allows(host)) throw new RefusedDestination(host)
    return protocol === 'https:' ? this.#https : this.#http
  }

  /** Destroys the socket of a request if the connected peer is not an allowed address. */
  guard(request: ClientRequest): void {
    request.once('socket', (socket: Socket) => {
      if (!socket.connecting) return
      this.#pool.opens(socket)
      // Prepended, because Node's own listener writes the request's bytes.
      socket.prependOnceListener('connect', () => this.#checkPeer(socket))
    })
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #checkPeer(socket: Socket): void {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || !this.#allows(remoteAddress))
      socket.destroy(new RefusedDestination(String(remoteAddress)))
  }
}

/** A DNS look-up that fails when any of a name's addresses is not allowed. */
function guardedLookup(resolve: ConnectionPorts['resolve'], allows: ConnectionPorts['allows']): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses
        const wrong = addresses.find(({ address }) => !allows(address))
        if (wrong !== undefined) return callback(new RefusedDestination(wrong.address), '')
        if (first === undefined) return callback(new Error(`${name} has no address`), '')
        if (options.all === true) return callback(null, addresses)
        callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
