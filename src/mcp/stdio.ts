// MCP over standard input and output, for a client that starts this program. Standard output carries messages alone.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Bursar } from '../../sdk/index.js'
import { keyCheck, refusalLine } from './keyCheck.js'
import { toolServer } from './server.js'

const TIMEOUT_MS = 25_000

export interface StdioPorts {
  /** Of the package. */
  version: string
  /** Writes a line for the person, who finds it in the log of the client. */
  complain: (line: string) => void
  /** The URLs of the service's nodes; the first is that of its pages. */
  nodes: readonly [string, ...string[]]
  /** An agent key. */
  apiKey: string
}

/** Resolves when the client has closed the connection. */
export async function serveOnStdio({ nodes, apiKey, version, complain }: StdioPorts): Promise<void> {
  const bursar = new Bursar({ baseUrl: nodes, apiKey, maxRetries: 0, timeout: TIMEOUT_MS })
  const mayExecute = keyCheck(bursar, (error) => complain(refusalLine(nodes[0], apiKey, error)))
  // Only to say early what is wrong: the service may start later.
  void mayExecute()
  const onFault = ({ message }: Error): void => complain(message)
  const approvalUrl = (id: string): string => new URL(`/approvals/${id}`, nodes[0]).href
  const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve))
  const ports = { version, onFault, bursar, approvalUrl, mayExecute, isRefusedUrl: () => false }
  const connection = serveStdio(() => toolServer(ports), { onerror: onFault })
  await ended
  await connection.close()
}
