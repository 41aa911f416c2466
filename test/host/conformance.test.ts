// Runs the conformance suite on every host.
import test, { type ExecutionContext } from 'ava'
import type { ActorHost, Reply } from '../../src/actor/host.js'
import type { Ref } from '../../src/domain/gate.js'
import { CASES, CROSSING, REMEMBERED } from './conformance.js'
import { HOSTS, type TestedHost } from './hosts.js'
import type { Letter } from './messages.js'
import type { Case } from './stage.js'

const BY = { type: 'test', id: 'client' }

function send(host: ActorHost, { to, message }: Letter): Promise<Reply> {
  return host.ask(to, message, { by: BY })
}

async function sendAll(host: ActorHost, letters: Letter[]): Promise<void> {
  for (const letter of letters) await send(host, letter)
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

async function check(t: ExecutionContext, { host, entry }: TestedHost, expected: Case): Promise<void> {
  for (const [ref, state] of Object.entries(expected.states ?? {})) {
    const [actor] = await host.read([ref as Ref])
    t.is(actor?.state, state, ref)
  }
  for (const [holder, rows] of Object.entries(expected.rows ?? {})) {
    for (const [gate, state] of Object.entries(rows)) {
      t.is(entry(gate as Ref, holder)?.state, state, `${holder} at ${gate}`)
    }
  }
  for (const [ref, fields] of Object.entries(expected.fields ?? {})) {
    const [actor] = await host.read([ref as Ref])
    for (const [path, value] of Object.entries(fields)) t.deepEqual(at(actor?.context, path), value, `${ref} ${path}`)
  }
}

for (const { name, make } of HOSTS) {
  for (const expected of CASES) {
    test(`${name}: ${expected.title}`, async (t) => {
      const tested = await make()
      t.teardown(tested.close)
      await sendAll(tested.host, expected.given)
      const replies = await Promise.all(expected.when.map((letter) => send(tested.host, letter)))
      t.deepEqual(counted(replies), expected.answers)
      await check(t, tested, expected)
    })
  }

  test(`${name}: a command from outside an organization is never carried out`, async (t) => {
    const { host, close } = await make()
    t.teardown(close)
    await sendAll(host, CROSSING.given)
    const before = await host.read([CROSSING.when.to])
    await t.throwsAsync(send(host, CROSSING.when), { message: /outside its organization/ })
    t.deepEqual(await host.read([CROSSING.when.to]), before)
  })

  test(`${name}: remember is called once, with a view of the committed state`, async (t) => {
    const { host, close } = await make()
    t.teardown(close)
    await sendAll(host, REMEMBERED.given)
    const { to, message } = REMEMBERED.when
    const seen: unknown[] = []
    await host.ask(to, message, {
      by: BY,
      remember: (reply, view) => {
        seen.push([reply.actor.state, view(to)?.state, view('wallet/w')?.context['held'], view('wallet/none')])
        return { key: 'key', bodyHash: '', status: 200, body: null, expiresAt: null }
      },
    })
    t.deepEqual(seen, [['approved', 'approved', 10, undefined]])
  })

  test(`${name}: a reply agrees with what is read afterwards`, async (t) => {
    const { host, close } = await make()
    t.teardown(close)
    await sendAll(host, REMEMBERED.given)
    const { actor } = await send(host, REMEMBERED.when)
    t.deepEqual(await host.read([REMEMBERED.when.to, 'payment/none']), [actor, undefined])
    t.deepEqual([host.peek(REMEMBERED.when.to), host.peek('payment/none')], [actor, undefined])
  })
}
