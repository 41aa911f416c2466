// The counterpart of `startServer`: sends the port of the server to the process that started it, and ends with it.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export function listenForParent(server: Server): void {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  endWithParent()
}

export function endWithParent(): void {
  process.on('disconnect', () => process.exit())
}
