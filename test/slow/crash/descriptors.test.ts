// A service that is out of file descriptors: who is connected hears that it is unavailable, and it goes on afterwards.
import { connect, type Socket } from 'node:net'
import test from 'ava'
import { newClient, type Failure } from '../../support/client.js'
import { newFolder, ORGANIZATION_KEY, startService } from '../../support/process.js'

const DESCRIPTORS = 256

/** Connects until the service takes no more: it closes what it cannot keep. */
async function useUp(port: number): Promise<Socket[]> {
  const kept: Socket[] = []
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('close', () => resolve(false))
      // Answered to whom the service has accepted.
      socket.once('data', () => resolve(true))
      socket.write('GET /healthz HTTP/1.1\r\nHost: bursar\r\n\r\n')
    })
    if (!isOpen) return kept
    kept.push(socket)
  }
}

test.serial('out of file descriptors is 503 with Retry-After, and passes', async (t) => {
  const service = await startService(t, newFolder(t), { shell: `ulimit -n ${DESCRIPTORS}; exec "$@"` })
  const client = newClient(t, service.url, 1)
  const create = (name: string) => client.post<Failure>('/api/agents', ORGANIZATION_KEY, { name, agentType: 'CUSTOM' })
  t.is((await create('Before')).status, 201)
  // The client reads which errors are declared at the first one, on a connection of its own.
  t.is((await create('')).status, 400)
  const others = await useUp(Number(new URL(service.url).port))
  t.true(others.length > 0)
  const refused = await create('Without a file')
  t.deepEqual([refused.status, refused.body.code], [503, 'UNAVAILABLE'])
  t.regex(refused.headers['retry-after'] ?? '', /^\d+$/)
  t.is((await client.get('/readyz', '')).status, 200)
  for (const socket of others) socket.destroy()
  for (let answer = await create('After'); answer.status !== 201; answer = await create('After')) {
    t.is(answer.status, 503)
  }
  t.deepEqual(await service.stop(), { code: 0, signal: null })
})
