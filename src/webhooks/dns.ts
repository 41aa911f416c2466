// Resolves names through DNS servers, not through the hosts file. Concurrent look-ups of a name share one query; a DNS
// server that does not answer delays no other name.
import type { Resolver } from 'node:dns/promises'
import type { Destination } from './connection.js'

/** A look-up of all addresses of a name; rejects when both queries (A and AAAA) fail. */
export function createResolve(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>) {
  const underWay = new Map<string, Promise<Destination[]>>()
  return (name: string): Promise<Destination[]> => {
    const known = underWay.get(name)
    if (known) return known
    const asked = addressesOf(resolver, name).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }
}

async function addressesOf(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>, name: string): Promise<Destination[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const found = (family: number, asked: typeof four): Destination[] =>
    asked.status === 'rejected' ? [] : asked.value.map((address) => ({ address, family }))
  return [...found(4, four), ...found(6, six)]
}
