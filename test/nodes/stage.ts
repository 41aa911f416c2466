// Nodes for tests: each is a front that listens, whose state the test sets.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Front, type FrontPorts, type NodeState } from '../../src/nodes/front.js'
import type { AnswerRequest } from '../../src/http/server/connections.js'
import { serve, type App } from '../../src/http/server/serve.js'
import type { Scope } from '../support/process.js'

/** What a test changes of a node. */
export interface Setting {
  role: 'OWNER' | 'STANDBY'
  owner: string | null
  mayServe: boolean
  shard: string
}

export interface Node {
  url: string
  front: Front
  setting: Setting
  logged: string[]
}

export const KEY = randomBytes(32)
export const NOW = Date.UTC(2026, 0, 1)
const random: FrontPorts['random'] = (bytes) => randomBytes(bytes)

export async function startNode(
  scope: Scope,
  given: Partial<Setting>,
  changes: Partial<Required<FrontPorts>> = {},
): Promise<Node> {
  const setting: Setting = { role: 'STANDBY', owner: null, mayServe: given.role === 'OWNER', shard: '3', ...given }
  const state: NodeState = {
    nodeUrl: '',
    shard: setting.shard,
    role: () => setting.role,
    owner: () => (setting.role === 'OWNER' ? state.nodeUrl : setting.owner),
    epoch: () => 4,
    applied: () => 17,
    lag: () => 2,
    mayServe: () => setting.mayServe,
  }
  const logged: string[] = []
  const front = new Front({
    state,
    shards: { of: () => undefined, ownerOf: () => null, others: [] },
    key: KEY,
    now: () => NOW,
    random,
    isHttps: true,
    trustedProxies: undefined,
    gauges: [{ name: 'toy_lag', help: 'Lag.', value: () => 2 }],
    warnings: () => [],
    readiness: () => 'ready',
    log: (event) => void logged.push(event),
    ...changes,
  })
  const { url, close } = await serve(front, { host: '127.0.0.1', port: 0, random })
  state.nodeUrl = url
  scope.teardown(async () => {
    front.close()
    await close(0)
  })
  return { url, front, setting, logged }
}

/** An owner whose app is this function. */
export async function startOwner(scope: Scope, answer: AnswerRequest, shard = '3'): Promise<Node> {
  const owner = await startNode(scope, { role: 'OWNER', shard })
  owner.front.serve(appOf(answer))
  return owner
}

/** An owner with this app, and a standby that follows it. */
export async function startPair(scope: Scope, answer: AnswerRequest): Promise<{ owner: Node; standby: Node }> {
  const owner = await startOwner(scope, answer)
  return { owner, standby: await startNode(scope, { owner: owner.url }) }
}

export function appOf(answer: AnswerRequest): App {
  return { callback: () => answer }
}

/** A URL at which nobody listens. */
export async function deserted(): Promise<string> {
  const server = await listening()
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** A URL at which somebody listens who says nothing. */
export async function silent(scope: Scope): Promise<string> {
  const server = await listening()
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  scope.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
