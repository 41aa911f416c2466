// Settings from the environment: an invalid one stops the start with one line that names it. Only the first start shows
// the organization key.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { readConfig, warningsOf } from '../../../src/config/config.js'
import { ConfigError } from '../../../src/config/failure.js'
import { formKey } from '../../../src/domain/access/apiKey.js'
import { newClient } from '../../support/client.js'
import {
  newFolder,
  ORGANIZATION_KEY,
  runToEnd,
  startService,
  type Service,
  type StartOptions,
} from '../../support/process.js'

type Environment = NonNullable<StartOptions['env']>

const REFUSED: [string, Environment][] = [
  ['BURSAR_DATA', { BURSAR_DATA: '/tmp' }],
  ['BURSAR_', { BURSAR_: '' }],
  ['PORT', { PORT: 'http' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '' }],
  ['PORT', { PORT: '0x50' }],
  ['PORT', { PORT: '1e3' }],
  ['BURSAR_BOOTSTRAP_ORG_KEY', { BURSAR_BOOTSTRAP_ORG_KEY: 'service_short' }],
  ['BURSAR_BOOTSTRAP_ORG_KEY', { BURSAR_BOOTSTRAP_ORG_KEY: `${ORGANIZATION_KEY.slice(0, -1)}~` }],
  ['BURSAR_BOOTSTRAP_ORG_KEY', { BURSAR_BOOTSTRAP_ORG_KEY: formKey('agent', '0'.repeat(40)) }],
  ['BURSAR_BOOTSTRAP_ORG_KEY', { BURSAR_BOOTSTRAP_ORG_KEY: '' }],
  ['BURSAR_OPERATOR_KEY', { BURSAR_OPERATOR_KEY: 'x'.repeat(31) }],
  ['BURSAR_OPERATOR_KEY', { BURSAR_OPERATOR_KEY: '' }],
  ['BURSAR_OPERATOR_KEY', { BURSAR_OPERATOR_KEY: `${'x'.repeat(32)} ` }],
  ['BURSAR_OPERATOR_KEY', { BURSAR_OPERATOR_KEY: 'ü'.repeat(32) }],
  ['HOST', { HOST: '' }],
  ['HOST', { HOST: 'not a host' }],
  ['BURSAR_DATA_DIR', { BURSAR_DATA_DIR: '' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'on' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: '' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=0' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=-1' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=1.5' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=60,writes=60' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=60,' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'payments=60,payments=70' }],
  ['BURSAR_RATE_LIMITS', { BURSAR_RATE_LIMITS: 'reads=5,payments=60,reads=5' }],
  ['BURSAR_SETTLEMENT', { BURSAR_SETTLEMENT: 'real' }],
  ['BURSAR_SETTLEMENT', { BURSAR_SETTLEMENT: '' }],
  ['BURSAR_RPC_1', { BURSAR_RPC_1: 'mainnet' }],
  ['BURSAR_RPC_1', { BURSAR_RPC_1: 'ws://127.0.0.1:8545' }],
  ['BURSAR_RPC_5', { BURSAR_RPC_5: 'http://127.0.0.1:8545' }],
  ['BURSAR_ASSET_31337', { BURSAR_RPC_31337: 'http://127.0.0.1:8545' }],
  ['BURSAR_ASSET_1', { BURSAR_ASSET_1: '0x12' }],
  ['BURSAR_CONFIRMATIONS_1', { BURSAR_CONFIRMATIONS_1: '0' }],
  ['BURSAR_CONFIRMATIONS_1', { BURSAR_CONFIRMATIONS_1: 'many' }],
  ['BURSAR_MAX_FEE_GWEI_1', { BURSAR_MAX_FEE_GWEI_1: '1.5' }],
  ['BURSAR_KEYSTORE_KEY', { BURSAR_KEYSTORE_KEY: 'ab'.repeat(31) }],
  ['BURSAR_PROVIDER_A', { BURSAR_PROVIDER_A: '' }],
  ['BURSAR_PROVIDER_A', { BURSAR_PROVIDER_A_URL: 'http://127.0.0.1:9000' }],
  ['BURSAR_PROVIDER_A_ORGANIZATION', { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_ORGANIZATION: 'Acme' }],
  ['BURSAR_PROVIDER_A_ORGANIZATION', { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_ORGANIZATION: '' }],
  ['BURSAR_PROVIDER_C', { BURSAR_PROVIDER_C: 'http-signer' }],
  ['BURSAR_DEV_LOOPBACK_WEBHOOKS', { BURSAR_DEV_LOOPBACK_WEBHOOKS: 'yes' }],
  ['BURSAR_DEV_LOOPBACK_WEBHOOKS', { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', NODE_ENV: 'production' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: 'bursar.example' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: 'ftp://bursar.example' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: '' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: 'https://bursar.example/pay' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: 'https://bursar.example/?a' }],
  ['BURSAR_PUBLIC_URL', { BURSAR_PUBLIC_URL: 'https://ada:secret@bursar.example' }],
  ['BURSAR_WEBHOOK_RETRY_MS', { BURSAR_WEBHOOK_RETRY_MS: '10000' }],
  ['BURSAR_WEBHOOK_RETRY_MS', { BURSAR_WEBHOOK_RETRY_MS: '10000,300000,1' }],
  ['BURSAR_WEBHOOK_RETRY_MS', { BURSAR_WEBHOOK_RETRY_MS: '-1,5' }],
  ['BURSAR_WEBHOOK_RETRY_MS', { BURSAR_WEBHOOK_RETRY_MS: 'soon,later' }],
  ['BURSAR_CLOCK_OFFSET_MS', { BURSAR_CLOCK_OFFSET_MS: '1000' }],
  ['BURSAR_CLOCK_OFFSET_MS', { BURSAR_CLOCK_OFFSET_MS: '1000', NODE_ENV: 'production' }],
  ['BURSAR_CLOCK_OFFSET_MS', { BURSAR_CLOCK_OFFSET_MS: 'tomorrow', NODE_ENV: 'test' }],
  ['BURSAR_CLOCK_OFFSET_MS', { BURSAR_CLOCK_OFFSET_MS: '1.5', NODE_ENV: 'test' }],
  ['BURSAR_CLOCK_OFFSET_MS', { BURSAR_CLOCK_OFFSET_MS: '', NODE_ENV: 'test' }],
  ['BURSAR_HOT_ACTORS', { BURSAR_HOT_ACTORS: '1' }],
  ['BURSAR_HOT_ACTORS', { BURSAR_HOT_ACTORS: 'many' }],
  ['BURSAR_OWNER_EMAIL', { BURSAR_OWNER_EMAIL: 'ada' }],
  ['BURSAR_OWNER_EMAIL', { BURSAR_OWNER_EMAIL: '' }],
]

for (const [name, env] of REFUSED) {
  const shown = Object.entries(env)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
  test(`${shown} is refused, and the error names the setting`, (t) => {
    const error = t.throws(() => readConfig(env), { instanceOf: ConfigError })
    t.true(error!.message.includes(name))
    t.false(error!.message.includes('\n'))
  })
}

const SECRETS = ['BURSAR_BOOTSTRAP_ORG_KEY', 'BURSAR_OPERATOR_KEY', 'BURSAR_KEYSTORE_KEY', 'BURSAR_RPC_1']

for (const name of SECRETS) {
  test(`a refused ${name} is not shown`, (t) => {
    const error = t.throws(() => readConfig({ [name]: 'hunter2' }), { instanceOf: ConfigError })
    t.regex(error!.message, new RegExp(`^${name} must be `))
    t.false(error!.message.includes('hunter2'))
  })
}

for (const [name, env] of REFUSED.filter((_, index) => index % 8 === 0)) {
  test.serial(`a bad ${name} stops the start with one line that names it`, async (t) => {
    const folder = newFolder(t)
    const { code, signal, stdout, stderr } = await runToEnd(t, folder, { env })
    t.deepEqual({ code, signal, stdout }, { code: 1, signal: null, stdout: '' })
    t.is(stderr.trimEnd().split('\n').length, 1, stderr)
    t.true(stderr.includes(name), stderr)
    t.false(existsSync(folder))
  })
}

test.serial('a data folder that cannot be made stops the start with one line that names the setting', async (t) => {
  const file = join(newFolder(t), 'file')
  mkdirSync(dirname(file))
  writeFileSync(file, '')
  for (const folder of [file, join(file, 'below')]) {
    const { code, stderr } = await runToEnd(t, folder)
    t.is(code, 1)
    t.regex(stderr, /^BURSAR_DATA_DIR cannot be used: E[^\n]*\n$/)
  }
})

test.serial('a port in use stops the start with one line that names it', async (t) => {
  const service = await startService(t, newFolder(t))
  const { port } = new URL(service.url)
  const { code, stderr } = await runToEnd(t, newFolder(t), { env: { PORT: port } })
  t.not(code, 0)
  t.is(stderr.trimEnd(), `PORT ${port} of 127.0.0.1 is in use already`)
})

test.serial('a host that is not this machine stops the start with one line that names it', async (t) => {
  for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
    const { code, stderr } = await runToEnd(t, newFolder(t), { env: { HOST } })
    t.not(code, 0)
    t.is(stderr.trimEnd(), `HOST must be an address of this machine, not "${HOST}"`)
  }
})

test('every setting has a default', (t) => {
  t.like(readConfig({}), { host: '127.0.0.1', port: 3000, dataDir: './data', settlement: { settlementMode: 'test' } })
  t.deepEqual(readConfig({}).rateLimits, { payments: 600, reads: 1200, admin: 1200, login: 10 })
})

test('a group of rate limits that is left out keeps its default', (t) => {
  const { rateLimits } = readConfig({ BURSAR_RATE_LIMITS: 'reads=5' })
  t.deepEqual(rateLimits, { payments: 600, reads: 5, admin: 1200, login: 10 })
})

test('variables for the commands of bursar do not stop the service', (t) => {
  const secrets = { BURSAR_API_KEY: 'x', BURSAR_AGENT_KEY: 'x', BURSAR_WEBHOOK_SECRET: 'x' }
  t.deepEqual(readConfig({ BURSAR_URL: 'http://127.0.0.1:1', ...secrets }), readConfig({}))
})

const ALLOWED: Environment[] = [
  { BURSAR_RATE_LIMITS: 'payments=5,reads=5' },
  { BURSAR_SETTLEMENT: 'test' },
  {
    BURSAR_SETTLEMENT: 'live',
    BURSAR_RPC_1: 'http://127.0.0.1:1',
    BURSAR_CONFIRMATIONS_1: '3',
    BURSAR_MAX_FEE_GWEI_1: '50',
    BURSAR_KEYSTORE_KEY: 'ab'.repeat(32),
  },
  { BURSAR_OPERATOR_KEY: 'x'.repeat(32) },
  { BURSAR_WEBHOOK_RETRY_MS: '10000,300000' },
  { BURSAR_CLOCK_OFFSET_MS: '-1000', NODE_ENV: 'test' },
  { HOST: 'localhost' },
  { BURSAR_HOT_ACTORS: '2' },
]

test.serial('the service starts with valid settings', async (t) => {
  for (const env of ALLOWED) {
    const service = await startService(t, newFolder(t), { env })
    t.is((await newClient(t, service.url).get('/readyz', '')).status, 200)
    t.deepEqual(await service.stop(), { code: 0, signal: null })
  }
})

const KEY = /service_[0-9A-Za-z]{46}/

test.serial('only the first start shows the organization key', async (t) => {
  const folder = newFolder(t)
  const shell = 'unset BURSAR_BOOTSTRAP_ORG_KEY; exec "$@"'
  const first = await startService(t, folder, { shell })
  await first.stop()
  const [key] = KEY.exec(first.output().stdout) ?? []
  t.is(first.output().stdout.split(key!).length, 2)
  t.true(first.output().stdout.includes(folder))
  const second = await startService(t, folder, { shell })
  t.is((await newClient(t, second.url).get('/api/agents', key!)).status, 200)
  await second.stop()
  t.notRegex(second.output().stdout, KEY)
})

const LINK = /owner set-up link (\S+)$/m
const linkIn = (service: Service): string | undefined => LINK.exec(service.output().stdout)?.[1]

test.serial("only the first start shows the owner's set-up link", async (t) => {
  const folder = newFolder(t)
  const env = { BURSAR_OWNER_EMAIL: 'Ada@example.com' }
  const first = await startService(t, folder, { env })
  await first.stop()
  const link = new URL(linkIn(first)!)
  t.is(`${link.origin}${link.pathname}`, `${first.url}/setup`)
  const second = await startService(t, folder)
  t.is(linkIn(second), undefined)
  const body = { token: link.searchParams.get('token'), password: 'correct horse battery staple' }
  const answer = await newClient(t, second.url).post<{ member: object }>('/api/session/setup', '', body)
  t.like(answer.body.member, { email: 'ada@example.com', role: 'OWNER', status: 'ACTIVE' })
})

test.serial('the owner is owner@localhost by default, and the link has the public address', async (t) => {
  const service = await startService(t, newFolder(t), { env: { BURSAR_PUBLIC_URL: 'https://bursar.example' } })
  t.true(linkIn(service)?.startsWith('https://bursar.example/setup?token='))
  t.is(readConfig({}).ownerEmail, 'owner@localhost')
})

test.serial('a given organization key is not shown, and is used only on the first start', async (t) => {
  const folder = newFolder(t)
  const first = await startService(t, folder)
  await first.stop()
  t.notRegex(first.output().stdout, KEY)
  const other = formKey('organization', '9'.repeat(40))
  const second = await startService(t, folder, { env: { BURSAR_BOOTSTRAP_ORG_KEY: other } })
  const client = newClient(t, second.url)
  t.is((await client.get('/api/agents', ORGANIZATION_KEY)).status, 200)
  t.is((await client.get('/api/agents', other)).status, 401)
})

test.serial('configured rate limits are enforced', async (t) => {
  const service = await startService(t, newFolder(t), { env: { BURSAR_RATE_LIMITS: 'reads=2' } })
  const client = newClient(t, service.url)
  const statuses: number[] = []
  for (let count = 0; count < 3; count += 1) statuses.push((await client.get('/api/agents', ORGANIZATION_KEY)).status)
  t.deepEqual(statuses, [200, 200, 429])
})

test.serial('the service shows its public address', async (t) => {
  const service = await startService(t, newFolder(t), { env: { BURSAR_PUBLIC_URL: 'https://bursar.example/' } })
  t.is(service.url, 'https://bursar.example')
})

test('listening on all addresses without a public URL causes a warning', (t) => {
  const warned = (env: Record<string, string>) => warningsOf(readConfig(env), 'http://0.0.0.0:3000').length
  t.is(warned({}), 0)
  for (const HOST of ['0.0.0.0', '::']) {
    t.is(warned({ HOST }), 1)
    t.is(warned({ HOST, BURSAR_PUBLIC_URL: 'https://bursar.example' }), 0)
  }
})

test('live settlement without any node causes a warning', (t) => {
  const warned = (env: Record<string, string>) => warningsOf(readConfig(env), 'http://127.0.0.1:3000')
  const live = { BURSAR_SETTLEMENT: 'live' }
  t.regex(warned(live).join('\n'), /^settlement is live but no chain has a node.*BURSAR_RPC_/)
  t.deepEqual(warned({ ...live, BURSAR_RPC_84532: 'http://127.0.0.1:8545' }), [])
  t.deepEqual(warned({}), [])
})

test.serial('the greeting tells where payments move funds', async (t) => {
  for (const mode of ['test', 'live']) {
    const service = await startService(t, newFolder(t), { env: { BURSAR_SETTLEMENT: mode } })
    const { stdout } = service.output()
    t.is(/^ +settlement +live: payments move funds$/m.test(stdout), mode === 'live')
    t.is(/^Warning: settlement is live/m.test(stdout), mode === 'live')
  }
})
