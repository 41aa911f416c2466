// A server of the bench in its own process, under the same flags as the service: it sends its port when it listens, and
// ends with its parent.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { NODE_FLAGS } from '../src/cli/terminal/child.js'

export interface ChildServer {
  child: ChildProcess
  pid: number
  port: number
  /** By name, if the server listens on several. */
  ports: { [name: string]: number }
  end(): Promise<void>
}

export async function startServer(file: URL, ...args: string[]): Promise<ChildServer> {
  const child = fork(file, args, { execArgv: NODE_FLAGS })
  const gone = once(child, 'exit')
  const early = gone.then((): never => {
    throw new Error(`${file.pathname} ended before it listened`)
  })
  early.catch(() => {})
  const message = once(child, 'message') as Promise<[Pick<ChildServer, 'port'> & Partial<Pick<ChildServer, 'ports'>>]>
  const [{ port, ports = {} }] = await Promise.race([message, early])
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await gone
  }
  return { child, pid: child.pid!, port, ports, end }
}
