// The header in which a node tells the owner from which client it has a request. Only nodes can write it, because it is
// signed with a key that they share; it is of one request, and of one moment.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

export const FORWARDED_FROM = 'x-bursar-forwarded'

/** Further than the clocks of two nodes may be apart. */
const LONGEST_MS = 30_000

export interface SigningPorts {
  /** 32 bytes that all nodes have, and that sign nothing else. */
  key: Uint8Array
  /** Epoch ms. */
  now: () => number
}

export class ForwardedFrom {
  readonly #key: Uint8Array
  readonly #now: () => number

  constructor({ key, now }: SigningPorts) {
    this.#key = key
    this.#now = now
  }

  /** The header of a request that is sent on, whose client has this address. */
  write(req: IncomingMessage, address: string): string {
    const time = String(this.#now())
    return [address, time, this.#sign(req, address, time).toString('hex')].join(' ')
  }

  /** True for a request that another node has sent on, also long ago: it goes no further. */
  isForwarded(req: IncomingMessage): boolean {
    return this.#read(req) !== undefined
  }

  /** The address of the client whose request another node has just sent on. */
  addressIn(req: IncomingMessage): string | undefined {
    const said = this.#read(req)
    return said !== undefined && Math.abs(this.#now() - said.time) <= LONGEST_MS ? said.address : undefined
  }

  #read(req: IncomingMessage): { address: string; time: number } | undefined {
    const header = req.headers[FORWARDED_FROM]
    if (typeof header !== 'string') return undefined
    const [address = '', time = '', signature = ''] = header.split(' ')
    const given = Buffer.from(signature, 'hex')
    const expected = this.#sign(req, address, time)
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
    return isSigned && isIP(address) !== 0 ? { address, time: Number(time) } : undefined
  }

  /** None of the parts can have a line feed. */
  #sign({ method, url }: IncomingMessage, address: string, time: string): Buffer {
    return createHmac('sha256', this.#key).update([address, time, method, url].join('\n')).digest()
  }
}
