// MCP over standard input and output, for a client that starts this program. Standard output carries messages alone.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { toolServer, type ServerPorts } from './server.js'

/** Resolves when the client has closed the connection. */
export async function serveOnStdio(ports: ServerPorts): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve))
  const connection = serveStdio(() => toolServer(ports), { onerror: ports.onFault })
  await ended
  await connection.close()
}
