// Receives and counts events, and answers at once, or never if it is started as `silent`. It reports its count on
// request.
import { createServer } from 'node:http'
import { listenForParent } from '../listening.js'

const isSilent = process.argv[2] === 'silent'
let received = 0

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1
    if (!isSilent) response.writeHead(204).end()
  })
})

process.on('message', () => process.send?.(received))
listenForParent(server)
