// Names are resolved by name servers that may not answer.
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import { createResolve } from '../../src/webhooks/dns.js'

const TYPE_A = 1
const HEADER_BYTES = 12

/** A name server that has an IPv4 address for every name, and never answers for names that begin with `slow`. */
async function startServer(t: ExecutionContext): Promise<{ resolver: Resolver; asked: string[] }> {
  const asked: string[] = []
  const socket = createSocket('udp4', (query, from) => {
    const name = query.toString('latin1', HEADER_BYTES + 1, HEADER_BYTES + 1 + query[HEADER_BYTES]!)
    const end = query.indexOf(0, HEADER_BYTES) + 5
    const isA = query.readUInt16BE(end - 4) === TYPE_A
    asked.push(`${name} ${isA ? 'A' : 'AAAA'}`)
    if (name.startsWith('slow')) return
    const head = Buffer.from(query.subarray(0, HEADER_BYTES))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isA ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 93, 184, 215, 14])
    socket.send(Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...(isA ? [record] : [])]), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  t.teardown(() => socket.close())
  return { resolver, asked }
}

test('a name is looked up for IPv4 and IPv6, and resolves to what was found', async (t) => {
  const { resolver, asked } = await startServer(t)
  t.deepEqual(await createResolve(resolver)('fast.bursar.zz'), [{ address: '93.184.215.14', family: 4 }])
  t.deepEqual(asked.sort(), ['fast A', 'fast AAAA'])
})

test('concurrent lookups of a name share one query, and a later lookup queries again', async (t) => {
  const { resolver, asked } = await startServer(t)
  const resolve = createResolve(resolver)
  await Promise.all(Array.from({ length: 50 }, () => resolve('fast.bursar.zz')))
  t.is(asked.length, 2)
  await resolve('fast.bursar.zz')
  t.is(asked.length, 4)
})

test('unanswered names do not delay others, and their lookups fail', async (t) => {
  const { resolver } = await startServer(t)
  const resolve = createResolve(resolver)
  let ended = 0
  const slow = Array.from({ length: 50 }, (_, at) =>
    t.throwsAsync(resolve(`slow${at}.bursar.zz`)).then(() => (ended += 1)),
  )
  await resolve('fast.bursar.zz')
  t.is(ended, 0)
  await Promise.all(slow)
  t.is(ended, 50)
})
