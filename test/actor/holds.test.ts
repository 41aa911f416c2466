// What a state declares of its gates is brought about in the same attempt: the order of asks, refusals, and what goes
// back.
import test from 'ava'
import { fieldsOf, type Message } from '../../src/actor/actor.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { MemoryLedger, message } from './toys.js'

const gateAt = (ref: Ref) => ({ ref, amount: 5 })
const TILLS = ['till/a', 'till/b', 'till/c'] as const
const GATES = { gates: TILLS.map(gateAt) as never, over: 1_000 }
const each = (ask: string, refs: readonly Ref[] = TILLS): string[] => refs.map((ref) => `${ask} ${ref}`)
const ADMIT = ['ADMIT organization/o']
const told = (refuses: string) => message('TELL', { refuses })

/** A ledger whose till refuses the ask, after these messages to the order. */
async function after(types: string[], refusing?: [till: Ref, ask: string]): Promise<MemoryLedger> {
  const ledger = new MemoryLedger()
  await ledger.sent(['organization/o', message('CREATE')])
  for (const type of types) await ledger.sent(['order/p', message(type, GATES)])
  if (refusing) await ledger.sent([refusing[0], told(refusing[1])])
  return ledger
}

/** What the order's last message did. */
async function said(ledger: MemoryLedger, sent: Message) {
  const attempt = ledger.begin()
  const { ok, actor } = attempt.send('order/p', sent)
  await attempt.commit()
  const sums = TILLS.map((ref) => ledger.actor(ref)).map((actor) =>
    actor ? fieldsOf(actor) : { held: 0, captured: 0 },
  )
  const held = sums.map((context) => context['held'])
  const captured = sums.map((context) => context['captured'])
  const { refusedBy, holds } = fieldsOf(actor) as { refusedBy: string; holds: object[] }
  return { ok, state: actor.state, refusedBy, holds: holds.length, held, captured, asked: ledger.asked }
}

const NONE = [0, 0, 0]
const ALL = [5, 5, 5]
const RECONCILED = each('RECONCILE')

type Case = [title: string, before: string[], sent: string, refusing: [Ref, string] | undefined, expected: object]

const CASES: Case[] = [
  [
    'a state that holds reserves at every gate in order',
    [],
    'OPEN',
    undefined,
    { ok: true, state: 'open', held: ALL, holds: 3, asked: each('RESERVE') },
  ],
  [
    'all is reserved before the organization is asked, and captured only after that',
    [],
    'BUY',
    undefined,
    {
      state: 'paid',
      held: NONE,
      captured: ALL,
      asked: [...each('RESERVE'), ...ADMIT, ...each('CAPTURE'), ...RECONCILED],
    },
  ],
  [
    'what is reserved already is only captured',
    ['OPEN'],
    'PAY',
    undefined,
    { state: 'paid', captured: ALL, asked: [...ADMIT, ...each('CAPTURE'), ...RECONCILED] },
  ],
  [
    'a gate that refuses to reserve leaves nothing at the gates before it',
    [],
    'OPEN',
    ['till/b', 'RESERVE'],
    {
      ok: true,
      state: 'ended',
      refusedBy: 'RESERVE till',
      held: NONE,
      holds: 0,
      asked: each('RESERVE', ['till/a', 'till/b']),
    },
  ],
  [
    'a gate that refuses to capture undoes the captures before it, and the holds stay',
    ['OPEN'],
    'PAY',
    ['till/c', 'CAPTURE'],
    { ok: false, state: 'open', refusedBy: 'CAPTURE till', held: ALL, captured: NONE, holds: 3 },
  ],
  [
    'an order whose first capture is refused is reserved again',
    [],
    'BUY',
    ['till/b', 'CAPTURE'],
    {
      ok: false,
      state: 'open',
      held: ALL,
      captured: NONE,
      asked: [...each('RESERVE'), ...ADMIT, ...each('CAPTURE', ['till/a', 'till/b']), ...each('RESERVE')],
    },
  ],
  [
    'a permit only tries the captures',
    ['OPEN'],
    'PERMIT',
    undefined,
    { ok: true, state: 'permitted', held: ALL, captured: NONE, asked: [...ADMIT, ...each('CAPTURE')] },
  ],
  [
    'a permit is refused where a capture would be',
    ['OPEN'],
    'PERMIT',
    ['till/c', 'CAPTURE'],
    { ok: false, state: 'open', refusedBy: 'CAPTURE till', held: ALL },
  ],
  [
    'after a permit gates settle, whatever they would refuse',
    ['OPEN', 'PERMIT'],
    'SETTLE',
    ['till/a', 'CAPTURE'],
    { ok: true, state: 'paid', captured: ALL, asked: [...each('SETTLE'), ...RECONCILED] },
  ],
  [
    'captures are restored where a state only holds, the last one first',
    ['OPEN', 'PAY'],
    'UNDO',
    undefined,
    { ok: true, state: 'open', held: ALL, captured: NONE, asked: each('RESTORE', TILLS.toReversed()) },
  ],
  [
    'a refused restore is heard in the state that captured, whose way out releases',
    ['OPEN', 'PAY'],
    'UNDO',
    ['till/b', 'RESTORE'],
    { ok: true, state: 'ended', held: NONE, captured: NONE, holds: 0 },
  ],
  [
    'an end releases holds',
    ['OPEN'],
    'END',
    undefined,
    { ok: true, state: 'ended', held: NONE, holds: 0, asked: each('RELEASE') },
  ],
  [
    'an end releases captures',
    ['OPEN', 'PAY'],
    'END',
    undefined,
    { ok: true, state: 'ended', captured: NONE, holds: 0, asked: each('RELEASE') },
  ],
]

for (const [title, before, sent, refusing, expected] of CASES) {
  test(title, async (t) => {
    t.like(await said(await after(before, refusing), message(sent, GATES)), expected)
  })
}

test('a gate that is added later is the only one to reserve', async (t) => {
  const ledger = await after(['OPEN'])
  const done = await said(ledger, message('ADD', { gate: gateAt('till/d') as never }))
  t.like(done, { ok: true, state: 'open', holds: 4, held: ALL, asked: each('RESERVE', ['till/d']) })
})

test('a gate added later that refuses leaves the others as they were', async (t) => {
  const ledger = await after(['OPEN'], ['till/d', 'RESERVE'])
  const done = await said(ledger, message('ADD', { gate: gateAt('till/d') as never }))
  t.like(done, { ok: false, state: 'open', refusedBy: 'RESERVE till', holds: 3, held: ALL })
})

test('a gate without a transition for the ask refuses, and so does an organization without one for ADMIT', async (t) => {
  const walled = await said(await after([]), message('OPEN', { gates: [gateAt('till/a'), gateAt('wall/w')] as never }))
  t.like(walled, { state: 'ended', refusedBy: 'RESERVE wall', held: NONE })
  const nobody = new MemoryLedger()
  t.like(await said(nobody, message('BUY', GATES)), { ok: false, refusedBy: 'ADMIT organization', held: ALL })
})

test('a gate that holds and has an objection has refused', async (t) => {
  const ledger = await after([], ['till/a', 'OBJECT'])
  t.like(await said(ledger, message('OPEN', GATES)), { state: 'ended', refusedBy: 'RESERVE till', held: NONE })
})

test('an organization that refuses stops captures, and not holds', async (t) => {
  const ledger = await after([])
  await ledger.sent(['organization/o', message('FREEZE')])
  t.like(await said(ledger, message('OPEN', GATES)), { ok: true, state: 'open' })
  const stopped = await said(ledger, message('PAY'))
  t.like(stopped, { ok: false, state: 'open', refusedBy: 'ADMIT organization', held: ALL, captured: NONE })
})

test('a release that a gate does not take throws, and nothing is committed', async (t) => {
  const ledger = await after(['OPEN'])
  await ledger.sent(['till/b', message('BREAK')])
  const attempt = ledger.begin()
  const error = t.throws(() => attempt.send('order/p', message('END')))
  t.is(error.message, 'till/b does not release what payment p holds')
})

test('a refusal that the state has no answer to throws', async (t) => {
  const ledger = await after(['OPEN', 'PERMIT'])
  await ledger.sent(['till/a', message('BREAK')])
  const error = t.throws(() => ledger.begin().send('order/p', message('SETTLE')))
  t.is(error.message, 'order/p has no state for a refusal of SETTLE by till/a')
})

test('the refusal carries the command, and what was dropped leaves no event', async (t) => {
  const ledger = await after([], ['till/b', 'CAPTURE'])
  const attempt = ledger.begin()
  const reply = attempt.send('order/p', message('BUY', GATES))
  t.like(reply, { ok: false, code: 'LIMIT_EXCEEDED' })
  await attempt.commit()
  const { events, audited } = ledger.commits.at(-1)!
  t.deepEqual(
    events.map(({ event }) => event),
    ['order.filed'],
  )
  t.deepEqual(
    audited.map(({ turn: { command, refusal } }) => [command, refusal]),
    [['BUY', 'LIMIT_EXCEEDED']],
  )
})

test('what a gate needs for its first ask alone is not kept', async (t) => {
  const ledger = await after([])
  const gate = { ...gateAt('till/a'), opening: {}, terms: { kept: 'true' } }
  await said(ledger, message('OPEN', { gates: [gate] as never }))
  t.deepEqual(fieldsOf(ledger.actor('order/p')!)['gates'], [
    { ref: 'till/a', amount: 5, terms: { kept: 'true' } },
  ] as never)
})
