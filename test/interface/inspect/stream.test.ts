// The stream of transitions: those of the caller's own actors, once they are on disk, for as long as the caller may
// read them.
import { request } from 'node:http'
import test, { type ExecutionContext } from 'ava'
import { newPerson } from '../../support/people.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, fundedAgent, made, type FundedAgent, type Key } from '../../support/payments.js'

const scope = wholeFile(test)
let service: Started
let buyer: FundedAgent

test.before('somebody can pay', async () => {
  service = await start(scope)
  buyer = await fundedAgent(service.client, { name: 'Buyer' })
})

interface Event {
  event: string
  id: string
  data: { [field: string]: unknown }
}

interface Stream {
  status: number
  /** The next event that fits; never resolves if none comes. */
  next(fits: (event: Event) => boolean): Promise<Event>
  ended: Promise<void>
  close(): void
}

/** Opens the stream; resolves when it has begun, or was refused. */
async function follow(key: string, query = '', headers: { [name: string]: string } = {}): Promise<Stream> {
  const credential = key.startsWith('bursar_session=') ? { cookie: key } : { authorization: `Bearer ${key}` }
  const abort = new AbortController()
  const url = `${service.url}/api/inspect/stream${query}`
  const response = await fetch(url, { headers: { ...credential, ...headers }, signal: abort.signal })
  const seen: Event[] = []
  let wake = (): void => {}
  const read = async (): Promise<void> => {
    let text = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part
      const messages = text.split('\n\n')
      text = messages.pop()!
      seen.push(...messages.filter((one) => one.includes('data: ')).map(eventIn))
      wake()
    }
  }
  const ended = read().catch(() => {})
  const next: Stream['next'] = async (fits) => {
    for (;;) {
      const place = seen.findIndex(fits)
      if (place >= 0) return seen.splice(0, place + 1).at(-1)!
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  scope.teardown(() => abort.abort())
  return { status: response.status, next, ended, close: () => abort.abort() }
}

function eventIn(message: string): Event {
  const fields = Object.fromEntries(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { event: fields['event']!, id: fields['id']!, data: JSON.parse(fields['data']!) as Event['data'] }
}

const sequencesIn = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

const isOf = (id: string) => (one: Event) => one.data['actorId'] === id || one.data['sessionId'] === `payment/${id}`

async function reads(t: ExecutionContext, key: string): Promise<void> {
  const stream = await follow(key)
  t.is(stream.status, 200)
  const { requestId } = (await ask(service.client, buyer.key, 5)).body
  const { event, id, data } = await stream.next(isOf(requestId))
  t.is(event, 'transition')
  t.is(id, String(data['sequence']))
  t.like(data, { machine: 'payment', action: 'payment.request', from: null, to: 'approved' })
  await service.client.post(`/api/sdk/payments/${requestId}/execute`, buyer.key)
  t.like((await stream.next(isOf(requestId))).data, { action: 'payment.execute', from: 'approved', to: 'executed' })
  stream.close()
}

test('a key receives the transitions of its organization’s actors', (t) => reads(t, ORGANIZATION_KEY))

test('a signed-in person receives them too', async (t) => reads(t, (await newPerson(service.client, 'VIEWER')).cookie))

test('a stream has no events of another organization', async (t) => {
  const { body } = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  const theirs = await follow(body.apiKey)
  await ask(service.client, buyer.key, 5)
  const own = await made<{ id: string }>(service.client, '/api/agents', { name: 'Mine', agentType: 'CUSTOM' })
  const other = await service.client.post<{ id: string }>('/api/agents', body.apiKey, {
    name: 'Theirs',
    agentType: 'CUSTOM',
  })
  const first = await theirs.next(() => true)
  t.is(first.data['actorId'], other.body.id)
  t.not(first.data['actorId'], own.id)
  theirs.close()
})

test('a stream starts after the given sequence and ends after the given seconds', async (t) => {
  const { body } = await service.client.get<string>('/api/inspect/stream?after=0&seconds=0', ORGANIZATION_KEY)
  const sequences = sequencesIn(body)
  t.deepEqual(
    sequences,
    sequences.map((_, place) => place + 1),
  )
  t.true(sequences.length > 5)
})

test('a stream that was lost goes on after the last event that its reader has', async (t) => {
  const { body } = await service.client.get<string>('/api/inspect/stream?after=0&seconds=0', ORGANIZATION_KEY)
  const before = sequencesIn(body)
  const resumed = async (id: string, query = ''): Promise<number[]> => {
    const headers = { authorization: `Bearer ${ORGANIZATION_KEY}`, 'last-event-id': id }
    const response = await fetch(`${service.url}/api/inspect/stream?seconds=0${query}`, { headers })
    return sequencesIn(await response.text())
  }
  t.is((await resumed('3'))[0], 4)
  t.is((await resumed('3', '&after=1'))[0], 4)
  t.true((await resumed(String(before.at(-1)))).every((sequence) => sequence > before.at(-1)!))
  t.is((await resumed('none of ours', '&after=1'))[0], 2)
})

test('the revocation of a key ends its stream', async (t) => {
  const key = await made<Key>(service.client, '/api/api-keys', { name: 'Listener', scopePreset: 'READ_ONLY' })
  const stream = await follow(key.key)
  await service.client.send('DELETE', `/api/api-keys?keyId=${key.id}`, ORGANIZATION_KEY)
  await stream.ended
  t.pass()
})

test('a stalled reader blocks nobody, and is disconnected when the service stops', async (t) => {
  const other = await start(scope)
  const { port } = new URL(other.url)
  const stalled = request({
    port,
    path: '/api/inspect/stream',
    headers: { authorization: `Bearer ${ORGANIZATION_KEY}` },
  })
  await new Promise<void>((resolve) =>
    stalled
      .on('response', (response) => (response.pause(), resolve()))
      .on('error', () => {})
      .end(),
  )
  for (let made = 0; made < 20; made += 1) {
    const answer = await other.client.post('/api/agents', ORGANIZATION_KEY, {
      name: `Agent ${made}`,
      agentType: 'CUSTOM',
    })
    t.is(answer.status, 201)
  }
  await other.stop()
  t.deepEqual(other.logged, [])
})

test('a stream that is far behind reports how much it missed and continues with the latest', async (t) => {
  // Its own service, because who follows another stream would be far behind as well.
  const own = await start(t)
  for (let round = 0; round < 12; round += 1) {
    const agents = Array.from({ length: 100 }, (_, place) => {
      const digits = String(round * 100 + place).padStart(40, '0')
      return { name: `Bulk ${round} ${place}`, publicKey: `0x${digits}` }
    })
    await made(own.client, '/api/agents/bulk-import', { agents })
  }
  const { body } = await own.client.get<string>('/api/inspect/stream?after=1&seconds=0', ORGANIZATION_KEY)
  const [first] = body
    .split('\n\n')
    .filter((one) => one.includes('data: '))
    .map(eventIn)
  t.is(first!.event, 'missed')
  t.true(Number(first!.data['count']) > 1000)
  t.true([...body.matchAll(/^event: transition$/gm)].length >= 50)
})

test('an organization has at most 20 streams at a time, and a closed one frees its slot', async (t) => {
  const { body } = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Crowd' })
  const streams = await Promise.all(Array.from({ length: 40 }, () => follow(body.apiKey)))
  const open = streams.filter(({ status }) => status === 200)
  t.deepEqual([open.length, streams.filter(({ status }) => status === 429).length], [20, 20])
  const refused = await fetch(`${service.url}/api/inspect/stream`, {
    headers: { authorization: `Bearer ${body.apiKey}` },
  })
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
  for (const { close } of open) close()
  let again = await follow(body.apiKey)
  while (again.status !== 200) again = await follow(body.apiKey)
  again.close()
})
