// The first limit: a bare node:http server that parses JSON and sends it back.
import { createServer } from 'node:http'
import { listenForParent } from '../listening.js'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const answer = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})

listenForParent(server)
