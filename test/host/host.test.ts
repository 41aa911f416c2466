// The real host: its cases, and what a caller may rely on beside them.
import test, { type ExecutionContext } from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import type { Reply } from '../../src/actor/attempt.js'
import { deliver, deliverIf, type ActorHost } from '../../src/actor/host.js'
import { isCaptured, type Hold, type Ref } from '../../src/domain/limits/gate.js'
import { CASES } from './cases.js'
import { createAgent, rename, setStatus, type Letter } from '../support/messages.js'
import { execute, NOON, pay, world, type Case } from '../support/host.js'
import { StoredHost } from '../support/storedHost.js'

const BY = { type: 'test', id: 'client' }

function opened(t: ExecutionContext): StoredHost {
  const stored = new StoredHost()
  t.teardown(() => stored.close())
  return stored
}

const send = (host: ActorHost, { to, message }: Letter): Promise<Reply> => deliver(host, BY, to, message)

async function withWorld(t: ExecutionContext, letters = world()): Promise<StoredHost> {
  const stored = opened(t)
  for (const letter of letters) await send(stored.host, letter)
  return stored
}

function counted(replies: Reply[]): { [answer: string]: number } {
  const answers: { [answer: string]: number } = {}
  for (const reply of replies) {
    const answer = reply.ok ? reply.actor.state : reply.code
    answers[answer] = (answers[answer] ?? 0) + 1
  }
  return answers
}

/** The value at a dotted path: `sums.day.spent`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
}

/** What a payment has at every gate; the list where they differ. */
function holdsOf(payment: Actor | undefined): string {
  const { gates, holds } = payment!.context as unknown as { gates: object[]; holds: Hold[] }
  if (holds.length === 0) return 'none'
  const kinds = new Set(gates.map((_, place) => (isCaptured(holds[place]) ? 'captured' : 'held')))
  return holds.length === gates.length ? [...kinds].join() : 'some'
}

function check(t: ExecutionContext, { peek }: { peek: (ref: Ref) => Actor | undefined }, expected: Case): void {
  for (const [ref, state] of Object.entries(expected.states ?? {})) t.is(peek(ref as Ref)?.state, state, ref)
  for (const [id, holds] of Object.entries(expected.holds ?? {})) t.is(holdsOf(peek(`payment/${id}`)), holds, id)
  for (const [ref, fields] of Object.entries(expected.fields ?? {})) {
    const { context } = peek(ref as Ref)!
    for (const [path, value] of Object.entries(fields)) t.deepEqual(at(context, path), value, `${ref} ${path}`)
  }
}

for (const expected of CASES) {
  test(expected.title, async (t) => {
    const { host, store } = await withWorld(t, expected.given)
    const replies = await Promise.all(expected.when.map((letter) => send(host, letter)))
    t.deepEqual(counted(replies), expected.answers)
    check(t, { peek: (ref) => store.committed(ref) }, expected)
  })
}

test('a command from outside an organization is never carried out', async (t) => {
  const { host } = await withWorld(t)
  const before = host.peek('agent/a')
  const trespass = setStatus({ ...NOON, organization: 'other' }, 'a', 'PAUSE')
  await t.throwsAsync(send(host, trespass), { message: /outside its organization/ })
  t.is(host.peek('agent/a'), before)
})

test('an answer is on disk, and agrees with what is read', async (t) => {
  const { host, store } = await withWorld(t)
  const { actor } = await send(host, pay('p', 10))
  t.deepEqual(store.committed('payment/p'), actor)
  t.deepEqual(await host.read(['payment/p', 'payment/none']), [actor, undefined])
})

test('a command whose grounds have changed is a conflict, and nothing was done', async (t) => {
  const { host, store } = await withWorld(t)
  const read = host.peek('agent/a')
  await send(host, setStatus(NOON, 'a', 'PAUSE'))
  const { to, message } = pay('p', 10)
  const sequence = store.lastSequence('o')
  t.is(await deliverIf(host, BY, (view) => view('agent/a') === read, to, message), undefined)
  t.is(host.peek('payment/p'), undefined)
  t.is(store.lastSequence('o'), sequence)
  const now = host.peek('agent/a')
  t.true((await deliverIf(host, BY, (view) => view('agent/a') === now, to, message))!.ok)
})

test('what an attempt sees and promises is what its commit has; dropped, it leaves nothing', async (t) => {
  const { host, store } = await withWorld(t)
  const first = store.lastSequence('o')
  const [wallet, known] = [host.peek('wallet/w'), host.peek('agent/a')]
  const dropped = host.attempt(BY)!
  dropped.send('payment/p', pay('p', 10).message)
  dropped.send('agent/a', rename(NOON, 'a', 'ann').message)
  t.is(dropped.sequence(), first + 2)
  await dropped.drop()
  t.deepEqual([host.peek('wallet/w'), host.peek('agent/a'), host.peek('payment/p')], [wallet, known, undefined])
  t.is(store.lastSequence('o'), first)
  const attempt = host.attempt(BY)!
  attempt.send('payment/p', pay('p', 10).message)
  const promised = attempt.sequence()
  await attempt.commit()
  t.is(store.lastSequence('o'), promised)
})

test('an idempotency record is stored with the command', async (t) => {
  const { host, store } = await withWorld(t)
  const record = { key: 'key', bodyHash: '', status: 200, body: null, expiresAt: null }
  const attempt = host.attempt(BY)!
  attempt.send('agent/b', createAgent(NOON, 'b', 'ben').message)
  t.is(store.idempotencyRecord('key'), undefined)
  await attempt.commit(record)
  t.deepEqual(store.idempotencyRecord('key'), record)
})

test('keys, holds and sums outlast a restart', async (t) => {
  const stored = await withWorld(t, [...world(), pay('p', 10), pay('q', 10), execute('q')])
  const before = ['payment/p', 'payment/q', 'wallet/w', 'agent/a', 'delegation/d'] as const
  const known = before.map((ref) => stored.host.peek(ref))
  await stored.restart()
  t.deepEqual(
    before.map((ref) => stored.host.peek(ref)),
    known,
  )
  t.like(await send(stored.host, createAgent(NOON, 'b', 'ada')), { ok: false, code: 'ALREADY_EXISTS' })
  t.true((await send(stored.host, execute('p'))).ok)
})
