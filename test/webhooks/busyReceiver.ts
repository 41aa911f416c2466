// A receiver in a thread of its own, which is blocked until it is told to go on. Until then the kernel accepts two
// connections for it, and every other one waits for the client's next try, a second later.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { CERTIFICATE, KEY } from './certificate.js'

const { gate, isTls } = workerData as { gate: Int32Array; isTls: boolean }
const answer: RequestListener = (_, response) => response.writeHead(204).end()
const server = isTls ? createTlsServer({ cert: CERTIFICATE, key: KEY }, answer) : createServer(answer)
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort!.postMessage((server.address() as AddressInfo).port)
  Atomics.wait(gate, 0, 0)
})
