// Connections to public addresses; in development to loopback, too.
import { lookup, Resolver } from 'node:dns/promises'
import { ReceiverConnections } from './connection.js'
import { allowedAddress } from './destination.js'
import { createResolve } from './dns.js'

export function publicConnections(isDevelopment: boolean): ReceiverConnections {
  return new ReceiverConnections({
    // The hosts file, which knows localhost, is used in development alone.
    resolve: isDevelopment
      ? (name) => lookup(name, { all: true, verbatim: true })
      : createResolve(new Resolver({ timeout: 2_000, tries: 2 })),
    allows: (address) => allowedAddress(address, isDevelopment),
  })
}
