// How long the connection to one of a receiver's addresses may take.
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'
import { ReceiverConnections } from '../../src/webhooks/connection.js'
import { createDeliver } from '../../src/webhooks/deliver.js'
import { isLoopback } from '../../src/webhooks/destination.js'
import { CERTIFICATE } from './certificate.js'

const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** A receiver whose handshakes take a second, if `goOn` is called after they begin. */
async function startBusy(t: ExecutionContext, isTls: boolean): Promise<{ port: number; goOn: () => void }> {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('busyReceiver.js', import.meta.url), { workerData: { gate, isTls } })
  t.teardown(() => worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  for (let taken = 0; taken < 2; taken += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
  }
  const goOn = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { port, goOn }
}

for (const protocol of ['http', 'https']) {
  test(`a receiver that is slow to connect is reached by ${protocol}, although its other address is closed`, async (t) => {
    const { port, goOn } = await startBusy(t, protocol === 'https')
    const resolve = async () => {
      setImmediate(goOn)
      return ADDRESSES
    }
    const connections = new ReceiverConnections({ resolve, allows: isLoopback, ca: CERTIFICATE })
    t.teardown(() => connections.close())
    const url = `${protocol}://receiver.test:${port}/`
    const told = { endpoint: 'o:', deliveryId: 'c1', event: 'policy.created', at: 0, attempt: 1, data: '{}' }
    const outcome = await createDeliver({ connections, now: Date.now })({
      ...told,
      secrets: { current: 'whsec_' },
      url,
    })
    t.like(outcome, { statusCode: 204 }, outcome.error)
    // Else the first address was not slow.
    t.true(outcome.durationMs > 500, `${outcome.durationMs} ms`)
  })
}
