// Requests of other shards: which names lead to them, and where they are sent.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import { EntryWriter, seal } from '../../src/store/journal/entry.js'
import { Forwarder } from '../../src/nodes/forward.js'
import { changedNames, emailName } from '../../src/nodes/shards/names.js'
import { bodyName, credentialName, formTokenName, foundByRoute } from '../../src/nodes/shards/requestNames.js'
import type { RequestShards, ShardDestination } from '../../src/nodes/shards/requestShards.js'
import { TooLarge, wholeBody } from '../../src/nodes/shards/wholeBody.js'
import { membersByEmail } from '../../machines/member.js'
import { mintKey } from '../../src/domain/access/apiKey.js'
import { newId } from '../../src/domain/values/ids.js'
import { mintToken } from '../../src/domain/access/sessionToken.js'
import { ask, raw } from '../support/rawClient.js'
import { startNode, startOwner, type Node } from './stage.js'

const ID = newId(randomBytes)
const hashKey = (text: string): string => `#${text}`

/** An entry with one row in each of these tables. */
function entryOf(rows: [table: string, key: string, isThere: boolean][]): Buffer {
  const writer = new EntryWriter(1, Buffer.alloc(16))
  for (const [table, key, isThere] of rows) {
    writer.table(table, 1)
    if (isThere) writer.value(key, 4, '""')
    else writer.removal(key)
  }
  const entry = writer.bytes.subarray(0, writer.end)
  seal(entry, 1, 0)
  return entry
}

test('An entry changes the names of keys, sessions, set-up links, addresses, organizations and channels', (t) => {
  const list = membersByEmail('a@example.com')
  const entry = entryOf([
    ['payments', 'payment/1', true],
    ['lookups', 'key/abc', true],
    ['lookups', 'approval/x', true],
    ['lookups', 'session/def', false],
    ['lists', `${list}/0000000000a/member/m`, true],
    ['lists', `${list}/0000000000b/member/n`, false],
    ['lists', 'members/o/0000000000a/member/m', true],
    ['actors', 'organization/o', true],
    ['actors', 'agent/a', true],
    ['actors', 'channel/c', true],
    ['audit', 'o/1', true],
  ])
  t.deepEqual(changedNames(entry, hashKey), {
    added: ['key/abc', emailName(hashKey, list), 'organization/o', 'channel/c'],
    removed: ['session/def'],
  })
})

test('A request is found by its key, its session, or what its route says', (t) => {
  const [key, token] = [mintKey('agent', randomBytes), mintToken(randomBytes)]
  const named = (headers: object) => credentialName({ headers } as never, hashKey)
  t.is(named({ authorization: `Bearer ${key}` }), `key/#${key}`)
  t.is(named({ cookie: `a=b; bursar_session=${token}` }), `session/#${token}`)
  t.is(named({ authorization: 'Bearer of nothing', cookie: `bursar_session=${token}` }), undefined)
  t.is(named({ cookie: 'bursar_session=short' }), undefined)
  t.is(named({}), undefined)
  const found = (method: string, url: string) => foundByRoute({ method, url } as never)
  t.deepEqual(found('POST', '/api/session?x=y'), { by: 'email', parameter: undefined })
  t.deepEqual(found('PATCH', '/api/organizations/o1'), { by: 'organizationId', parameter: 'o1' })
  t.deepEqual(found('POST', '/api/channels/c1/slack/actions'), { by: 'channelId', parameter: 'c1' })
  t.is(found('GET', '/api/session'), undefined)
  t.is(found('PATCH', '/api/organizations/o1/x'), undefined)
  const namedBy = (body: unknown) => bodyName(Buffer.from(JSON.stringify(body)), hashKey)
  t.is(namedBy({ email: 'A@Example.com' }), emailName(hashKey, membersByEmail('a@example.com')))
  t.is(namedBy({ email: 'a@example.com', organizationId: ID }), `organization/${ID}`)
  t.is(namedBy({ token }), `set-up/#${token}`)
  for (const body of [{ email: 'none' }, { token: 1 }, { organizationId: '\0' }, [], null, 7])
    t.is(namedBy(body), undefined)
  t.is(bodyName(Buffer.from('{'), hashKey), undefined)
})

test('A request of a client of OAuth is found by the token that it calls with, or that is in its form', (t) => {
  const [token, other] = [mintToken(randomBytes), mintToken(randomBytes)]
  const headers = { authorization: `Bearer ${token}` }
  t.is(credentialName({ headers } as never, hashKey), `key/#${token}`)
  const found = (method: string, url: string) => foundByRoute({ method, url } as never)
  t.deepEqual(found('POST', '/oauth/token'), { by: 'oauthToken', parameter: undefined })
  t.deepEqual(found('POST', '/oauth/revoke'), { by: 'oauthToken', parameter: undefined })
  // The person's session finds these, or any shard answers them.
  for (const path of ['/oauth/authorize', '/oauth/register']) t.is(found('POST', path), undefined)
  const named = (form: { [name: string]: string }) =>
    formTokenName(Buffer.from(new URLSearchParams(form).toString()), hashKey)
  t.is(named({ grant_type: 'authorization_code', code: token }), `key/#${token}`)
  // All of a grant have the same name, also those that are kept no more.
  const refreshing = { grant_type: 'refresh_token', refresh_token: token, code_verifier: other }
  t.is(named(refreshing), `key/#${token.slice(0, 22)}`)
  t.is(named({ token }), `key/#${token}`)
  for (const form of [{}, { code: 'short' }, { client_id: token }]) t.is(named(form), undefined)
})

interface Answering {
  of: RequestShards['of']
  owners?: { [shard: string]: Node }
}

function shardsOf({ of, owners = {} }: Answering) {
  return { of, ownerOf: (shard: string) => owners[shard]?.url ?? null, others: [] }
}

const owner = (t: ExecutionContext, shard: string, status: number): Promise<Node> =>
  startOwner(
    t,
    async (req, res) => {
      let text = ''
      for await (const chunk of req) text += String(chunk)
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ text }))
    },
    shard,
  )

test('A request goes to the owner of its shard, with what was read of it', async (t) => {
  const there = await owner(t, 'b', 200)
  const of = async (req: Parameters<RequestShards['of']>[0]): Promise<ShardDestination> => ({
    shards: ['b'],
    body: await wholeBody(req, 100),
  })
  const node = await startNode(t, { role: 'OWNER' }, { shards: shardsOf({ of, owners: { b: there } }) })
  const reply = await ask(node.url, '/x', { method: 'POST', body: { a: 1 } })
  t.is(reply.headers.get('x-service-node'), there.url)
  t.deepEqual(reply.body, { text: '{"a":1}' })
})

test('Each shard is asked until one knows the caller, and the last one answers', async (t) => {
  const owners = { a: await owner(t, 'a', 401), b: await owner(t, 'b', 201), c: await owner(t, 'c', 401) }
  const statusFrom = async (...shards: string[]): Promise<number> => {
    const node = await startNode(
      t,
      {},
      { shards: shardsOf({ of: () => ({ shards, body: Buffer.from('{}') }), owners }) },
    )
    return (await ask(node.url, '/x', { method: 'POST', body: {} })).status
  }
  t.is(await statusFrom('a', 'b', 'c'), 201)
  t.is(await statusFrom('a', 'c'), 401)
  t.is(await statusFrom('nowhere', 'b'), 201)
  t.is(await statusFrom('a', 'nowhere'), 503)
  t.is(await statusFrom('nowhere', 'a'), 503)
})

test('What a request belongs to and cannot be found out is refused, and so is a body that is too large', async (t) => {
  const answerOf = async (error: Error) => {
    const of = () => Promise.reject(error)
    const node = await startNode(t, { role: 'OWNER' }, { shards: shardsOf({ of }) })
    const { status, body } = await ask(node.url, '/x', { method: 'POST', body: {} })
    return [status, body.code]
  }
  t.deepEqual(await answerOf(new Error('not reached')), [503, 'NO_OWNER'])
  t.deepEqual(await answerOf(new TooLarge()), [413, 'PAYLOAD_TOO_LARGE'])
})

test('A request that was sent to the owner of another shard is answered by nobody', async (t) => {
  const other = await owner(t, 'c', 200)
  const of = () => ({ shards: ['b'] })
  const node = await startNode(t, {}, { shards: shardsOf({ of, owners: { b: other } }) })
  t.is((await ask(node.url, '/x')).status, 503)
})

test('Nothing is sent for a client that has left while it was found out where to', async (t) => {
  const asked: (string | undefined)[] = []
  const there = await startOwner(t, (req, res) => void res.end(String(asked.push(req.url))))
  const forwarder = new Forwarder({ connectTimeoutMs: 1_000, onFailure: () => {} })
  t.teardown(() => forwarder.close())
  const here = await startOwner(t, async (req, res) => {
    await once(req.socket, 'close')
    outcome.settle(await forwarder.send(req, res, { node: there.url, own: {} }))
  })
  const outcome = promised<string>()
  await raw(here.url, ['GET /x HTTP/1.1\r\nHost: a\r\n\r\n'], { leave: true })
  t.is(await outcome.promise, 'answered')
  t.deepEqual(asked, [])
})

function promised<Value>(): { promise: Promise<Value>; settle: (value: Value) => void } {
  let settle: (value: Value) => void = () => {}
  const promise = new Promise<Value>((resolve) => (settle = resolve))
  return { promise, settle }
}
