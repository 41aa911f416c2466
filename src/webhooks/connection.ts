// Connections to receivers, and to nobody else: an address is checked when it is a literal, every answer of the
// resolver is, and the peer is once more when the socket is connected, before a byte is sent. No proxies.
import { Agent as HttpAgent, type ClientRequest } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Pool } from './pool.js'

export interface Address {
  address: string
  family: number
}

export interface ConnectionPorts {
  /** All addresses of a name. */
  resolve(name: string): Promise<Address[]>
  /** Whether anything may be sent to this address. */
  allows(address: string): boolean
  /** Certificates to trust instead of the system's. */
  ca?: string
  /** How old a connection may be that is used again. */
  lastsMs?: number
}

/** Nothing is sent there, and trying again would be no different. */
export class RefusedDestination extends Error {
  readonly address: string

  /** Its text is for the receiver's owner, whom the address would tell what names mean in this network. */
  constructor(address: string) {
    super('The host has an address that is not public')
    this.address = address
  }
}

/** A receiver that closes idle connections does so after five seconds or later, mostly. */
const IDLE_MS = 4_000
/** Of one endpoint: as many as it may have under way. */
const MOST_IDLE = 16
const LASTS_MS = 60_000

export class Connections {
  readonly #http: HttpAgent
  readonly #https: HttpsAgent
  readonly #pool: Pool
  readonly #allows: ConnectionPorts['allows']

  constructor({ resolve, allows, ca, lastsMs = LASTS_MS }: ConnectionPorts) {
    this.#allows = allows
    this.#pool = new Pool(lastsMs)
    const lookup = guardedLookup(resolve, allows)
    const options = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS, scheduling: 'lifo', lookup } as const
    this.#http = this.#pool.govern(new HttpAgent(options))
    const tls = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
    this.#https = this.#pool.govern(new HttpsAgent({ ...options, ...tls }))
  }

  /** The agent for this URL; throws RefusedDestination for a literal that nothing may be sent to. */
  agentFor({ protocol, hostname }: URL): HttpAgent {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !this.#allows(host)) throw new RefusedDestination(host)
    return protocol === 'https:' ? this.#https : this.#http
  }

  /** Ends a request whose socket turns out to be connected to somebody else than was allowed. */
  guard(request: ClientRequest): void {
    request.once('socket', (socket: Socket) => {
      if (!socket.connecting) return
      this.#pool.opens(socket)
      // Before what Node waits with for the connection: the request's own bytes.
      socket.prependOnceListener('connect', () => this.#checkPeer(socket))
    })
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #checkPeer(socket: Socket): void {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || !this.#allows(remoteAddress)) socket.destroy(new RefusedDestination(String(remoteAddress)))
  }
}

/** A look-up that gives all of a name's addresses, or none when nothing may be sent to one of them. */
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
