// The yardstick: a bare node:http server that parses JSON and answers it. Run as a child process, it tells its port
// when it listens and its CPU time when asked, and ends with its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EchoMessage = { port: number } | { cpuMicros: number }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const answer = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})

const tell = (message: EchoMessage): void => void process.send?.(message)

server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  tell({ cpuMicros: user + system })
})
process.on('disconnect', () => process.exit())
