// Who is counted behind proxies: what a trusted proxy says of its caller, and nothing that a caller says of itself.
import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { ConfigError } from '../../src/config/failure.js'
import { type Environment } from '../../src/config/env.js'
import { readConfig } from '../../src/config/config.js'
import { clientAddress } from '../../src/http/server/clientAddress.js'
import { ask } from '../support/rawClient.js'
import { startToy } from './toy.js'

const proxiesIn = (text: string | undefined) =>
  readConfig({ ...(text !== undefined && { BURSAR_TRUSTED_PROXIES: text }) } satisfies Environment).trustedProxies
const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

type Row = [trusted: string | undefined, remote: string, forwarded: string | undefined, client: string]

const ROWS: Row[] = [
  // Without trusted proxies the header is the caller's own claim.
  [undefined, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  [undefined, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  [undefined, 'fe80::1%eth0', undefined, 'fe80::1'],
  // A number of proxies: so many entries from the right are true.
  ['1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['1', '10.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1'],
  ['2', '10.0.0.1', '192.0.2.66, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['2', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  // Addresses and ranges: the first from the right that is none of them.
  ['10.0.0.0/8', '10.0.0.1', '192.0.2.66, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['10.0.0.0/8', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.0.0.0/8', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '10.0.0.2', '198.51.100.1', '10.0.0.2'],
  ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['::1, 2001:db8::/32', '::1', '2001:db9::7, 2001:db8::2', '2001:db9::7'],
  ['fd00::/8', 'fd00::1', '198.51.100.1', '198.51.100.1'],
  // Addresses with a port, as some proxies write them.
  ['1', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['1', '10.0.0.1', '[2001:db9::7]:4711', '2001:db9::7'],
  ['1', '10.0.0.1', '[2001:db9::7]', '2001:db9::7'],
  ['1', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  // What is no address is said by nobody: the proxy that sent it is counted.
  ['1', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['1', '10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['1', '10.0.0.1', '198.51.100.1, _hidden', '10.0.0.1'],
  ['1', '10.0.0.1', '198.51.100.256', '10.0.0.1'],
  ['1', '10.0.0.1', '198.51.100.1;DROP', '10.0.0.1'],
  ['2', '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.0.0.1', `${'x, '.repeat(4000)}10.0.0.7`, '10.0.0.7'],
]

for (const [at, [trusted, remote, forwarded, client]] of ROWS.entries()) {
  test(`${at}: with ${trusted} trusted, ${remote} for ${forwarded?.slice(-40)} counts as ${client}`, (t) => {
    t.is(clientAddress(proxiesIn(trusted))(from(remote, forwarded)), client)
  })
}

for (const text of [
  '',
  '0',
  '33',
  '-1',
  '1.5',
  'loopback',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.1,',
  '10.0.0.1/',
  'fe80::1%1',
]) {
  test(`'${text}' names no proxies`, (t) => {
    t.throws(() => proxiesIn(text), { instanceOf: ConfigError, message: /BURSAR_TRUSTED_PROXIES/ })
  })
}

const LIMITS = { payments: 1, reads: 1, admin: 1, login: 1 }
const signIn = { method: 'POST', body: { email: 'a' } }

test('Behind a trusted proxy each client has a sign-in limit of its own, whatever it claims', async (t) => {
  const toy = await startToy({ rateLimits: LIMITS, trustedProxies: ['127.0.0.0/8'] })
  t.teardown(() => toy.close(0))
  const by = async (forwarded: string) =>
    (await ask(toy.url, '/api/session', { ...signIn, headers: { 'x-forwarded-for': forwarded } })).status
  t.deepEqual([await by('203.0.113.1'), await by('203.0.113.1'), await by('203.0.113.2')], [200, 429, 200])
  t.is(await by('192.0.2.1, 203.0.113.1'), 429)
  t.deepEqual([await by('2001:db9::1'), await by('2001:db9::2'), await by('2001:db9:1::1')], [200, 429, 200])
})

test('Without a trusted proxy, forwarding headers give nobody another limit', async (t) => {
  const toy = await startToy({ rateLimits: LIMITS })
  t.teardown(() => toy.close(0))
  const by = async (name: string) =>
    (await ask(toy.url, '/api/session', { ...signIn, headers: { [name]: '203.0.113.1' } })).status
  t.is(await by('x-forwarded-for'), 200)
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded']) t.is(await by(name), 429, name)
})
