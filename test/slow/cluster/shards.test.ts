// Several shards of one installation: any node of any of them is asked for anything, and each goes on without the others.
import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import test, { type ExecutionContext } from 'ava'
import type { NetworkTrust, Wallet } from '../../../sdk/api.js'
import { LeaseDeadline } from '../../../src/async/leaseDeadline.js'
import { NO_ROW } from '../../../src/domain/parties/networkTotals.js'
import { ShardDirectory } from '../../../src/store/journal/postgres/directory.js'
import { PublishedNetwork } from '../../../src/store/journal/postgres/publishedNetwork.js'
import { ShardJournal } from '../../../src/store/journal/postgres/shardJournal.js'
import { until } from '../../support/chain.js'
import { newClient, type Client } from '../../support/client.js'
import { KEYSTORE_KEY, nodeEnv, owning, PATIENT_LEASE_MS, startFollowing } from '../../support/nodes.js'
import { exchanged, newCodeOf, ofPages, postForm } from '../../support/oauth.js'
import { ask, execute, fundedAgent, made, type FundedAgent } from '../../support/payments.js'
import { cookieIn, invite, newPerson, PASSWORD, setUp, signIn, tokenIn } from '../../support/people.js'
import { withOne } from '../../support/postgres/lent.js'
import { startReplicated, type ReplicatedDatabase } from '../../support/postgres/replicated.js'
import { newFolder, NotStarted, ORGANIZATION_KEY, startService, type Service } from '../../support/process.js'
import { OPERATOR_KEY } from '../../support/service.js'

interface Organization {
  id: string
  apiKey: string
}

/** Two shards with an owner each, and the standby of the second. */
interface Shards {
  env: (shard: string) => { [name: string]: string }
  first: Service
  second: Service
  standby: Service
}

let database: ReplicatedDatabase
let installations = 0

const databaseTest = withOne(test, startReplicated, (started) => (database = started))

async function startShards(t: ExecutionContext): Promise<Shards> {
  const urls = await database.installation(`i${(installations += 1)}`)
  const env = (shard: string) =>
    nodeEnv(urls, { BURSAR_SHARD: shard, BURSAR_OPERATOR_KEY: OPERATOR_KEY, BURSAR_LEASE_MS: PATIENT_LEASE_MS })
  const first = await owning(await startFollowing(t, newFolder(t), env('a')))
  const second = await owning(await startFollowing(t, newFolder(t), env('b')))
  const standby = await startFollowing(t, newFolder(t), env('b'))
  return { env, first, second, standby }
}

/** Of the second shard, which has fewer: any node can be asked. */
async function newOrganization(client: Client, headers: { [name: string]: string } = {}): Promise<Organization> {
  const { status, body } = await client.post<Organization>('/api/organizations', OPERATOR_KEY, { name: 'B' }, headers)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

databaseTest('a request finds the shard of its key at any node, as soon as there is the key', async (t) => {
  const { first, second, standby } = await startShards(t)
  const clients = [first, second, standby].map(({ url }) => newClient(t, url))
  const { apiKey } = await newOrganization(clients[0]!)
  const organizations: [key: string, owner: Service][] = [
    [ORGANIZATION_KEY, first],
    [apiKey, second],
  ]
  for (const [organizationKey, owner] of organizations) {
    for (const [at, client] of clients.entries()) {
      const agent = await fundedAgent(client, { name: `Agent ${at}`, organizationKey })
      const next = clients[(at + 1) % clients.length]!
      const asked = await ask(next, agent.key, 5, { idempotencyKey: 'once' })
      t.is(asked.headers['x-service-node'], owner.url)
      t.is(asked.body.status, 'APPROVED')
      t.deepEqual((await ask(client, agent.key, 5, { idempotencyKey: 'once' })).body, asked.body)
    }
    const { body } = await clients[2]!.get<{ agents: unknown[] }>('/api/agents', organizationKey)
    t.is(body.agents.length, clients.length)
  }
})

databaseTest("the operator's requests are made once, where the organization is", async (t) => {
  const { first, second, standby } = await startShards(t)
  const [one, other] = [first, standby].map(({ url }) => newClient(t, url))
  const once = { 'Idempotency-Key': 'second' }
  const made = await newOrganization(one!, once)
  t.is((await newOrganization(other!, once)).id, made.id)
  const path = `/api/organizations/${made.id}`
  const limits = { limits: { agents: 1 } }
  for (const client of [one!, other!]) {
    const { status, headers } = await client.send('PATCH', path, OPERATOR_KEY, limits)
    t.deepEqual([status, headers['x-service-node']], [200, second.url])
  }
  t.is((await one!.send('PATCH', path, 'not the operator, with 32 characters', limits)).status, 401)
  const third = await newOrganization(other!)
  const { headers } = await other!.get('/api/organization', third.apiKey)
  t.true([first.url, second.url].includes(String(headers['x-service-node'])))
})

databaseTest('people sign in at any node, whatever shards know their address', async (t) => {
  const { first, second } = await startShards(t)
  const [one, other] = [first, second].map(({ url }) => newClient(t, url))
  const { apiKey, id } = await newOrganization(one!)
  const there = await invite(one!, 'ADMIN', apiKey)
  const cookie = cookieIn(await setUp(one!, tokenIn(there)))
  const own = await one!.get<{ organization: { id: string } }>('/api/session', cookie)
  t.is(own.body.organization.id, id)
  const signed = await signIn(one!, there.email, PASSWORD)
  t.deepEqual([signed.status, signed.headers['x-service-node']], [200, second.url])
  t.is((await signIn(one!, there.email, 'another password')).status, 401)
  t.is((await signIn(other!, 'nobody@example.com', PASSWORD)).status, 401)
  t.is((await one!.post('/api/session', '', { email: there.email, password: 'x'.repeat(17_000) })).status, 413)
  t.like(await one!.post('/api/session', '', '{'), { status: 400, body: { code: 'INVALID_JSON' } })
  t.is((await signIn(one!, there.email, PASSWORD, { organizationId: '\0' })).status, 400)

  const third = await newOrganization(one!)
  const fourth = await newOrganization(one!)
  const both = { email: 'both@example.com', role: 'ADMIN' }
  const invited = [third, fourth].map((organization) => made(other!, '/api/members', both, organization.apiKey))
  t.is((await Promise.all(invited)).length, 2)

  const here = await made<{ setupUrl: string }>(one!, '/api/members', { email: there.email, role: 'ADMIN' })
  await setUp(other!, tokenIn(here), 'of the first shard, and long')
  t.is((await signIn(other!, there.email, 'of the first shard, and long')).headers['x-service-node'], first.url)
  t.is((await signIn(other!, there.email, PASSWORD)).headers['x-service-node'], second.url)
  t.is((await signIn(other!, there.email, PASSWORD, { organizationId: id })).status, 200)
  t.is((await signIn(other!, there.email, 'none of them, and long')).status, 401)
})

databaseTest('a client of OAuth is registered, granted and served at any node', async (t) => {
  const { first, second, standby } = await startShards(t)
  // Without a public address of all, the pages are those of the node that answers.
  const [one, other] = [first, standby].map(({ url }) => ofPages(newClient(t, url), second.url))
  const { apiKey } = await newOrganization(one!)
  const { cookie } = await newPerson(one!, 'MANAGER', apiKey)
  const { agentId } = await fundedAgent(one!, { organizationKey: apiKey })
  const code = await newCodeOf({ client: one!, url: first.url }, cookie, agentId)
  const { status, body } = await exchanged(standby, code)
  t.is(status, 200, JSON.stringify(body))
  const form = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']), client_id: code.clientId }
  const renewed = await postForm(first, 'token', form)
  t.is(renewed.status, 200, JSON.stringify(renewed.body))
  const token = String(renewed.body['access_token'])
  for (const client of [one!, other!]) {
    const setup = await client.get('/api/sdk/setup', token)
    t.deepEqual([setup.status, setup.headers['x-service-node']], [200, second.url])
  }
  t.is((await postForm(first, 'revoke', { token, client_id: code.clientId })).status, 200)
  for (const client of [one!, other!]) t.is((await client.get('/api/sdk/setup', token)).status, 401)
  t.is((await postForm(first, 'token', { ...form, refresh_token: 'x'.repeat(43) })).status, 400)
})

databaseTest('a refresh token that was rotated away long ago ends its grant from any node', async (t) => {
  const { first, second, standby } = await startShards(t)
  const client = ofPages(newClient(t, first.url), second.url)
  const { apiKey } = await newOrganization(client)
  const { cookie } = await newPerson(client, 'MANAGER', apiKey)
  const { agentId } = await fundedAgent(client, { organizationKey: apiKey })
  const code = await newCodeOf({ client, url: first.url }, cookie, agentId)
  let { body } = await exchanged(first, code)
  const stale = String(body['refresh_token'])
  const refresh = (at: { url: string }, token: string) =>
    postForm(at, 'token', { grant_type: 'refresh_token', refresh_token: token, client_id: code.clientId })
  for (let done = 0; done < 10; done += 1) body = (await refresh(standby, String(body['refresh_token']))).body
  const access = String(body['access_token'])
  t.is((await client.get('/api/sdk/setup', access)).status, 200)
  t.is((await refresh(first, stale)).body['error'], 'invalid_grant')
  t.is((await client.get('/api/sdk/setup', access)).status, 401)
})

databaseTest('an address that is proved in one shard is refused in the others', async (t) => {
  const { first } = await startShards(t)
  const client = newClient(t, first.url)
  const { apiKey } = await newOrganization(client)
  const owner = privateKeyToAccount(generatePrivateKey())
  const given = { name: 'Wallet', custodyType: 'EXTERNAL', address: owner.address }
  const wallet = await made<Wallet>(client, '/api/wallets', given, apiKey)
  const before = await made<Wallet>(client, '/api/wallets', given)
  const prove = async ({ id }: Wallet, key: string) => {
    const path = `/api/wallets/${id}/proof`
    const { body } = await client.post<{ challenge: string }>(path, key)
    return client.post<{ proved?: true }>(path, key, {
      signature: await owner.signMessage({ message: body.challenge }),
    })
  }
  t.is((await prove(wallet, apiKey)).body.proved, true)
  t.like(await prove(before, ORGANIZATION_KEY), { status: 409, body: { code: 'ALREADY_EXISTS' } })
  const elsewhere = { ...given, chainId: '8453' }
  t.like(await client.post('/api/wallets', ORGANIZATION_KEY, elsewhere), {
    status: 400,
    body: { code: 'WALLET_CONFIG_ERROR' },
  })
})

const DAY_MS = 24 * 60 * 60_000
const [BY_FIVE, BY_FOUR] = ['0x00000000000000000000000000000000000000f5', '0x00000000000000000000000000000000000000f4']

databaseTest('the organizations of all shards are counted together, from the next day on', async (t) => {
  const urls = await database.installation(`i${(installations += 1)}`)
  const folders = [newFolder(t), newFolder(t)]
  const startBoth = async (clockMs: number): Promise<Service[]> => {
    const env = { NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: String(clockMs), BURSAR_OPERATOR_KEY: OPERATOR_KEY }
    const start = (shard: string, folder: string) =>
      startFollowing(t, folder, nodeEnv(urls, { ...env, BURSAR_SHARD: shard, BURSAR_LEASE_MS: PATIENT_LEASE_MS }))
    return [await owning(await start('a', folders[0]!)), await owning(await start('b', folders[1]!))]
  }
  const [first, second] = await startBoth(0)
  const client = newClient(t, second!.url)
  const organizations: { key: string; owner: string }[] = []
  for (let at = 0; at < 5; at += 1) {
    const key = at === 0 ? ORGANIZATION_KEY : (await newOrganization(client)).apiKey
    const payer = await fundedAgent(client, { organizationKey: key })
    for (const recipientAddress of at < 4 ? [BY_FIVE, BY_FOUR] : [BY_FIVE]) {
      const { headers, body } = await ask(client, payer.key, 1, { recipientAddress })
      organizations[at] = { key, owner: String(headers['x-service-node']) }
      t.is((await execute(client, payer.key, body.requestId)).status, 200)
    }
  }
  const owners = organizations.map(({ owner }) => owner)
  t.deepEqual([first, second].map((owner) => owners.filter((url) => url === owner!.url).length).sort(), [2, 3])
  const seen = async (at: Client, address: string): Promise<number[]> => {
    const path = `/api/counterparties/network-trust?address=${address}`
    const reads = organizations.map(({ key }) => at.get<NetworkTrust>(path, key))
    return (await Promise.all(reads)).map(({ body }) => body.networkTrust.organizationCount)
  }
  t.deepEqual(await seen(client, BY_FIVE), [1, 1, 1, 1, 1])
  await Promise.all([first!.stop(), second!.stop()])

  const [, next] = await startBoth(DAY_MS)
  const published = new PublishedNetwork({ urls, shard: 'neither' })
  t.teardown(() => published.close())
  await until(async () => (await published.elsewhere(BY_FIVE)).length === 2 || undefined, 'figures are not published')
  const later = newClient(t, next!.url)
  t.deepEqual(await seen(later, BY_FIVE), [5, 5, 5, 5, 5])
  t.deepEqual(await seen(later, BY_FOUR), [1, 1, 1, 1, 0])
})

databaseTest('published figures are those of the last owner', async (t) => {
  const urls = await startedTables()
  const [a, b] = ['a', 'b'].map((shard) => new PublishedNetwork({ urls, shard }))
  t.teardown(() => [a!, b!].forEach((published) => published.close()))
  const rowOf = (transactionCount: number) => new Map([['x', { ...NO_ROW, transactionCount }]])
  await a!.publish(2, rowOf(2))
  await a!.publish(1, rowOf(1))
  await a!.publish(2, rowOf(3))
  t.deepEqual(await b!.elsewhere('x'), [{ ...NO_ROW, transactionCount: 3 }])
  t.deepEqual(await a!.elsewhere('x'), [])
  t.is(await a!.lastDay(), 0)
  await a!.publishedUntil(2, 20_000)
  t.deepEqual([await a!.lastDay(), await b!.lastDay()], [20_000, 0])
})

databaseTest('a directory takes a name twice at once, and says what is wrong with another', async (t) => {
  const directory = new ShardDirectory({ urls: await startedTables(), shard: 'a' })
  t.teardown(() => directory.close())
  await directory.add(['email/x', 'email/x'])
  t.deepEqual(await directory.shardsOf('email/x'), ['a'])
  await t.throwsAsync(directory.add(['\0']), { message: /invalid byte sequence/ })
  t.deepEqual(await directory.claimAll(['k', 'k'], 'a'), [])
  t.deepEqual(await directory.claimAll(['k', 'l'], 'b'), ['k'])
  t.is(await directory.claim('k', 'b'), 'a')
  await directory.remove(['email/x'])
  t.deepEqual(await directory.shardsOf('email/x'), [])
})

/** Of a database with the tables of an installation. */
async function startedTables(): Promise<string[]> {
  const urls = await database.installation(`i${(installations += 1)}`)
  const journal = new ShardJournal({ urls, shard: 'a', leaseMs: 1_000, width: 1, deadline: new LeaseDeadline() })
  await journal.prepare(randomBytes)
  journal.close()
  return urls
}

databaseTest('a shard without its owner goes on with its standby, and the other without a pause', async (t) => {
  const { first, second, standby } = await startShards(t)
  const client = newClient(t, first.url)
  const { apiKey } = await newOrganization(client)
  const agents = [await fundedAgent(client), await fundedAgent(client, { organizationKey: apiKey })]
  const longest = [0, 0]
  let isOver = false
  const asking = agents.map(async ({ key }: FundedAgent, at) => {
    let answered = performance.now()
    while (!isOver) {
      const { status } = await ask(client, key, 1)
      if (status !== 200) continue
      longest[at] = Math.max(longest[at]!, performance.now() - answered)
      answered = performance.now()
    }
  })
  await second.kill()
  await owning(standby)
  await until(
    async () => (await ask(client, agents[1]!.key, 1)).headers['x-service-node'] === standby.url || undefined,
    'the next owner is not found',
  )
  isOver = true
  await Promise.all(asking)
  t.log(`longest time without an answer: ${longest.map((ms) => ms.toFixed(0)).join(' and ')} ms`)
  t.true(longest[0]! < longest[1]!)
})

databaseTest('a folder with a key hash secret of its own joins no installation that has one', async (t) => {
  const { env } = await startShards(t)
  const folder = newFolder(t)
  const alone = await startService(t, folder, { env: { BURSAR_KEYSTORE_KEY: KEYSTORE_KEY } })
  await alone.stop()
  const { runCommand } = await import('../../../src/cli/bursar.js')
  const { surroundings } = await import('../../support/commandContext.js')
  t.is(await runCommand(['journal', 'attach'], surroundings({ env: env('c'), dataDir: () => folder })), 0)
  const following = await startFollowing(t, folder, env('c')).catch((error: Error) => error)
  if (following instanceof NotStarted) return t.fail(following.message)
  const { code } = await (following as Service).exited
  t.is(code, 1)
  t.regex((following as Service).output().stderr, /keyhash\.secret is not that of the installation's other shards/)
})
