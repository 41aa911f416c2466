// The address of the client behind trusted proxies. Each proxy appends the address that it was asked from to
// X-Forwarded-For, so only what trusted ones appended counts, from the right; the rest is the client's own claim. It also knows requests of this machine.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** How many proxies stand in front, or their addresses and ranges; undefined trusts none: headers are ignored. */
export type TrustedProxies = number | readonly string[] | undefined

/** The address from which a request came, as far as it is known for sure. */
export type ClientAddress = (req: IncomingMessage) => string

export function clientAddress(trusted: TrustedProxies): ClientAddress {
  if (trusted === undefined) return remoteOf
  const isTrusted: IsTrusted = typeof trusted === 'number' ? (_address, hop) => hop < trusted : among(trusted)
  return (req) => {
    let client = remoteOf(req)
    const claims = String(req.headers['x-forwarded-for'] ?? '').split(',')
    for (let hop = 0; isTrusted(client, hop); hop += 1) {
      const before = addressIn(claims.pop())
      // A proxy that says nothing readable is the last one known.
      if (before === undefined) return client
      client = before
    }
    return client
  }
}

type IsTrusted = (address: string, hop: number) => boolean

function among(ranges: readonly string[]): IsTrusted {
  const proxies = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    proxies.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address) => proxies.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function remoteOf({ socket }: IncomingMessage): string {
  return plain(socket.remoteAddress ?? '')
}

const V4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const V6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/

/** An address with or without a port; undefined for anything else. */
function addressIn(claim: string | undefined): string | undefined {
  const text = claim?.trim() ?? ''
  const address = V4_WITH_PORT.exec(text)?.[1] ?? V6_IN_BRACKETS.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : plain(address)
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Without its zone, and IPv4 as such. */
function plain(address: string): string {
  const [bare = ''] = address.split('%')
  return MAPPED.exec(bare)?.[1] ?? bare
}
