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

  /** The header of a request that is sent on to the owner of a shard, whose client has this address. */
  write(req: IncomingMessage, address: string, shard: string): string {
    const said = [address, String(this.#now()), shard]
    return [...said, this.#sign(req, said).toString('hex')].join(' ')
  }

  /** The shard whose owner is meant; undefined for a request that no node has sent on. */
  shardIn(req: IncomingMessage): string | undefined {
    return this.#read(req)?.shard
  }

  /** The address of the client whose request another node has just sent on. */
  addressIn(req: IncomingMessage): string | undefined {
    const said = this.#read(req)
    return said !== undefined && Math.abs(this.#now() - said.time) <= LONGEST_MS ? said.address : undefined
  }

  #read(req: IncomingMessage): { address: string; time: number; shard: string } | undefined {
    const header = req.headers[FORWARDED_FROM]
    if (typeof header !== 'string') return undefined
    const [address = '', time = '', shard = '', signature = ''] = header.split(' ')
    const given = Buffer.from(signature, 'hex')
    const expected = this.#sign(req, [address, time, shard])
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
    return isSigned && isIP(address) !== 0 ? { address, time: Number(time), shard } : undefined
  }

  /** None of the parts can have a line feed. */
  #sign({ method, url }: IncomingMessage, said: readonly string[]): Buffer {
    return createHmac('sha256', this.#key)
      .update([...said, method, url].join('\n'))
      .digest()
  }
}
