// The audit log as an auditor sees it over HTTP: entries, filters, verification, export, checkpoints and proofs.
import { createHash } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Inclusion } from '../../../src/commands/audit/audit.js'
import { runCommand } from '../../../src/cli/bursar.js'
import { verifyEd25519 } from '../../../src/config/ed25519.js'
import { entryLeaf, faultOf, START } from '../../../src/domain/audit/chain.js'
import type { AuditEntry } from '../../../src/domain/audit/entry.js'
import { isSignedBy, readCheckpoint, readVerifierKey } from '../../../src/domain/audit/checkpoint.js'
import { hashOfHex } from '../../../src/domain/values/digest.js'
import { isIncluded } from '../../../src/domain/audit/merkle.js'
import { surroundings } from '../../support/commandContext.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, execute, fundedAgent, made, type FundedAgent } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { PASSWORD, tokenIn, type Invited } from '../../support/people.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import { isConsistent } from '../../support/consistency.js'
import type {
  AuditEntryList,
  Checkpoint as Signed,
  CheckpointKey,
  OrganizationKeyList,
  VerifiedAuditLog,
} from '../../../sdk/api.js'

const NOON = Date.parse('2031-07-09T12:00:00Z')
const scope = wholeFile(test)
let service: Started
let buyer: FundedAgent

test.before('the log has some entries', async () => {
  service = await start(scope, { at: NOON })
  const { client } = service
  buyer = await fundedAgent(client)
  const { requestId } = (await ask(client, buyer.key, 12.5, { purpose: 'Bücher ☃' })).body
  await execute(client, buyer.key, requestId)
  await ask(client, buyer.key, 2_000_000)
})

const get = async <Body>(path: string, key = ORGANIZATION_KEY): Promise<Body> =>
  (await service.client.get<Body>(path, key)).body
const list = (query = ''): Promise<AuditEntryList> => get<AuditEntryList>(`/api/audit-logs?limit=100${query}`)
const hashes = (texts: string[]): Uint8Array[] => texts.map((text) => hashOfHex(text)!)
const withoutCursor = ({ entries }: AuditEntryList): number[] => entries.map(({ sequence }) => sequence)

async function exported({ url }: Started): Promise<string> {
  const headers = { authorization: `Bearer ${ORGANIZATION_KEY}` }
  const response = await fetch(`${url}/api/audit-logs/export`, { headers })
  if (!response.headers.get('content-type')!.startsWith('application/jsonl')) throw new Error('It is no JSON Lines')
  return response.text()
}

test('an entry records who changed what, when, in which request, from what to what', async (t) => {
  const body = { name: 'Renamed' }
  const path = `/api/wallets/${buyer.walletId}`
  const answer = await service.client.send('PATCH', path, ORGANIZATION_KEY, body, { 'X-Request-Id': 'request-7' })
  const [entry] = (await list(`&resourceId=${buyer.walletId}&action=wallet.update`)).entries
  const [key] = (await get<OrganizationKeyList>('/api/api-keys')).keys
  t.is(answer.headers['x-request-id'], 'request-7')
  t.like(entry, {
    action: 'wallet.update',
    resource: 'wallet',
    resourceId: buyer.walletId,
    actor: { type: 'ORGANIZATION_KEY', id: key!.id },
    requestId: 'request-7',
  })
  t.true(Math.abs(Date.parse(entry!.at) - service.now()) < 60_000)
  const { fields } = entry!.data as { fields: { from: { name: string }; to: { name: string } } }
  t.deepEqual([fields.from.name, fields.to.name], ['Wallet of Buyer', 'Renamed'])
})

test('all entries of a request name it, even those before anybody has signed in', async (t) => {
  const { client } = await start(t)
  const in8 = { 'X-Request-Id': 'request-8' }
  const named = { name: 'Renamed agent', description: 'Described' }
  const agent = await made<{ id: string }>(client, '/api/agents', { name: 'Agent', agentType: 'CUSTOM' })
  await client.send('PATCH', `/api/agents/${agent.id}`, ORGANIZATION_KEY, named, in8)
  const imported = { name: 'Imported', publicKey: randomAddress() }
  await client.send('POST', '/api/agents/bulk-import', ORGANIZATION_KEY, { agents: [imported] }, in8)
  const email = 'request8@example.com'
  const invited = await client.send<Invited>('POST', '/api/members', ORGANIZATION_KEY, { email, role: 'VIEWER' }, in8)
  const accepted = { token: tokenIn(invited.body), password: PASSWORD }
  await client.send('POST', '/api/session/setup', '', accepted, in8)
  await client.send('POST', '/api/session', '', { email, password: PASSWORD }, in8)
  const { entries } = (await client.get<AuditEntryList>('/api/audit-logs?limit=20', ORGANIZATION_KEY)).body
  const asked = entries.filter(({ requestId }) => requestId === 'request-8').map(({ action }) => action)
  t.deepEqual(asked.reverse(), [
    'agent.update',
    'agent.update',
    'agent.create',
    'member.create',
    'member.set_up',
    'session.create',
    'session.create',
  ])
})

test('an execution entry has the states before and after, and a request entry the decision', async (t) => {
  const [done] = (await list('&action=payment.execute')).entries
  t.like(done!.data, {
    state: { from: 'approved', to: 'executed' },
    executedAt: { to: (done!.data as { executedAt: { to: number } }).executedAt.to },
  })
  t.false('from' in (done!.data as { executedAt: object }).executedAt, 'the log has no nulls')
  const [asked] = (await list(`&action=payment.request&resourceId=${done!.resourceId}`)).entries
  t.like(asked!.data, { state: 'approved', decision: { outcome: 'APPROVED' } })
})

test('every entry is chained from a hash of zeros, with hashes that anybody can compute', async (t) => {
  const text = await exported(service)
  const lines = text.split('\n').slice(0, -1)
  t.true(text.endsWith('\n'))
  let previousHash = '0'.repeat(64)
  lines.forEach((line, at) => {
    const entry = JSON.parse(line) as AuditEntry
    const form = line.replace(/"hash":"[0-9a-f]{64}",(?="id":)/, '').replace(/,"texts":\[.*\](?=,"turn":)/, '')
    t.is(createHash('sha256').update(form).digest('hex'), entry.hash)
    t.like(entry, { sequence: at + 1, previousHash })
    t.regex(entry.action, /^[a-z]+\.[a-z_]+$/)
    previousHash = entry.hash
  })
  const verified = await get<VerifiedAuditLog>('/api/audit-logs/verify')
  t.like(verified, { valid: true })
})

// Serial, because other tests add entries to the log between its reads.
test.serial('filters select the matching entries, and cursors continue them', async (t) => {
  const all = (await list()).entries
  t.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, at) => all.length - at),
  )
  const agents = all.filter(({ resource }) => resource === 'agent').map(({ sequence }) => sequence)
  t.deepEqual(withoutCursor(await list('&resource=agent')), agents)
  const own = all.filter(({ actor }) => actor.type === 'AGENT_KEY')
  t.deepEqual(
    withoutCursor(await list(`&actorId=${own[0]!.actor.id}`)),
    own.map(({ sequence }) => sequence),
  )
  const at = all[3]!.at
  const then = all.filter((entry) => entry.at === at).map(({ sequence }) => sequence)
  t.deepEqual(withoutCursor(await list(`&from=${at}&to=${at}`)), then)
  t.deepEqual(withoutCursor(await list('&to=2020-01-01T00:00:00Z')), [])
  const first = await get<AuditEntryList>('/api/audit-logs?limit=2&resource=payment')
  const next = await get<AuditEntryList>(
    `/api/audit-logs?limit=2&resource=payment&cursor=${first.pagination.nextCursor}`,
  )
  const payments = all.filter(({ resource }) => resource === 'payment').map(({ sequence }) => sequence)
  t.deepEqual([...withoutCursor(first), ...withoutCursor(next)], payments.slice(0, 4))
  t.is(first.pagination.total, payments.length)
  t.true(first.pagination.hasMore)
})

for (const query of ['limit=0', 'limit=101', 'offset=-1', 'cursor=x', 'from=yesterday', 'action=', 'what=1']) {
  test(`the list refuses ${query}`, async (t) => {
    const { status, body } = await service.client.get(`/api/audit-logs?${query}`, ORGANIZATION_KEY)
    t.deepEqual([status, body.code], [400, 'VALIDATION_ERROR'])
  })
}

test('a checkpoint covers the head and is signed by the published key', async (t) => {
  const signed = await get<Signed>('/api/audit-logs/checkpoint')
  const shown = await get<CheckpointKey>('/api/audit-logs/public-key')
  t.is(signed.verifierKey, shown.verifierKey)
  t.true(isSignedBy(signed.checkpoint, readVerifierKey(shown.verifierKey)!, verifyEd25519))
  const checkpoint = readCheckpoint(signed.checkpoint)!
  t.deepEqual([checkpoint.size, checkpoint.head], [signed.size, signed.head])
  const newest = (await list()).entries.find(({ sequence }) => sequence === signed.size)
  t.is(newest!.hash, signed.head)
})

test('the checkpoint key is readable by its owner only and survives a restart', async (t) => {
  const own = await start(t)
  const keyOf = async () => (await own.client.get<object>('/api/audit-logs/public-key', ORGANIZATION_KEY)).body
  const before = await keyOf()
  t.is(statSync(join(own.folder, 'checkpoint.secret')).mode & 0o777, 0o600)
  await own.restart()
  t.deepEqual(await keyOf(), before)
})

test('every entry has an inclusion proof for the checkpoint that comes with it', async (t) => {
  const { size } = await get<Signed>('/api/audit-logs/checkpoint')
  for (let sequence = 1; sequence <= size; sequence += 1) {
    for (const path of [`${sequence}/proof`, `${sequence}/proof?size=${size}`, `${sequence}/proof?size=${sequence}`]) {
      const found = await get<Signed & { entry: AuditEntry; proof: Inclusion }>(`/api/audit-logs/${path}`)
      const { leafIndex: index, treeSize, hashes: proof } = found.proof
      const { root, size: signedSize } = readCheckpoint(found.checkpoint)!
      t.deepEqual([index, treeSize], [sequence - 1, signedSize])
      t.true(isIncluded({ leaf: entryLeaf(found.entry), index, size: treeSize, proof: hashes(proof) }, root))
    }
  }
})

test("an older checkpoint has a consistency proof to today's log", async (t) => {
  const older = await get<Signed>('/api/audit-logs/checkpoint')
  await made(service.client, '/api/agents', { name: 'Another', agentType: 'CUSTOM' })
  for (const from of [1, 2, older.size]) {
    const found = await get<Signed & { from: { size: number; root: string }; hashes: string[] }>(
      `/api/audit-logs/consistency?from=${from}`,
    )
    t.true(found.size > older.size)
    const then = { size: from, root: from === older.size ? hashOfHex(older.root)! : hashOfHex(found.from.root)! }
    t.true(isConsistent(then, readCheckpoint(found.checkpoint)!, hashes(found.hashes)))
  }
})

const REFUSED: [path: string, status: number][] = [
  ['0/proof', 404],
  ['999999/proof', 404],
  ['x/proof', 404],
  ['1.5/proof', 404],
  ['3/proof?size=2', 400],
  ['3/proof?size=999999', 400],
  ['3/proof?size=0', 400],
  ['consistency', 400],
  ['consistency?from=0', 400],
  ['consistency?from=999999', 400],
  ['consistency?from=3&to=2', 400],
]

for (const [path, expected] of REFUSED) {
  test(`${path} answers ${expected}`, async (t) => {
    t.is((await service.client.get(`/api/audit-logs/${path}`, ORGANIZATION_KEY)).status, expected)
  })
}

test('audit verify verifies an export against an earlier checkpoint', async (t) => {
  const own = await start(t)
  const headers = { authorization: `Bearer ${ORGANIZATION_KEY}` }
  const textAt = async (path: string): Promise<string> =>
    (await fetch(`${own.url}/api/audit-logs/${path}`, { headers })).text()
  const checkpoint = `${own.folder}.checkpoint`
  writeFileSync(checkpoint, await textAt('checkpoint'))
  await made(own.client, '/api/agents', { name: 'Later', agentType: 'CUSTOM' })
  const text = await textAt('export')
  const { said, ...around } = surroundings()
  const end = text.indexOf('\n') + 1
  for (const [content, code] of [
    [text, 0],
    [text.slice(end), 1],
    [text.slice(0, end), 1],
  ] as const) {
    const file = `${own.folder}.export`
    writeFileSync(file, content)
    t.is(await runCommand(['audit', 'verify', file, '--checkpoint', checkpoint], around), code, said.join('\n'))
  }
})

test('each organization has its own log and checkpoint key', async (t) => {
  const { client } = service
  const other = { name: 'Other' }
  const { body } = await client.post<{ id: string; apiKey: string }>('/api/organizations', OPERATOR_KEY, other)
  const theirs = await get<AuditEntryList>('/api/audit-logs?format=raw', body.apiKey)
  const mine = new Set((await list()).entries.map(({ id }) => id))
  t.true(theirs.entries.every(({ id }) => !mine.has(id)))
  t.is(faultOf(theirs.entries.at(-1), START), undefined)
  const signed = await get<Signed>('/api/audit-logs/checkpoint', body.apiKey)
  t.is(readCheckpoint(signed.checkpoint)!.origin, `bursar/audit/${body.id}`)
  const ours = readVerifierKey((await get<Signed>('/api/audit-logs/checkpoint')).verifierKey)!
  t.false(isSignedBy(signed.checkpoint, ours, verifyEd25519))
})

test('reading the log changes nothing in it and makes the service log nothing', async (t) => {
  const own = await start(t, { at: NOON })
  await made(own.client, '/api/agents', { name: 'Agent', agentType: 'CUSTOM' })
  const before = await exported(own)
  // Reads so late also store when the key was used last.
  own.setClock(NOON + 3_600_000)
  for (const path of ['', '/verify', '/checkpoint', '/public-key', '/1/proof', '/consistency?from=1'])
    t.is((await own.client.get(`/api/audit-logs${path}`, ORGANIZATION_KEY)).status, 200, path)
  t.is(await exported(own), before)
  t.deepEqual(own.logged, [])
})
