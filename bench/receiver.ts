// Takes events: counts them and answers at once. Run as a child process, it tells its port when it listens and its count
// when asked, and ends with its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceiverMessage = { port: number } | { received: number }

let received = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1
    response.writeHead(204).end()
  })
})

const tell = (message: ReceiverMessage): void => void process.send?.(message)

server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
process.on('message', () => tell({ received }))
process.on('disconnect', () => process.exit())
