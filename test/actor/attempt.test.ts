// One command is one attempt: it is committed as a whole, or has never been.
import { fieldsOf } from '../../src/actor/actor.js'
import test from 'ava'
import { MOST_MESSAGES, type Attempt } from '../../src/actor/attempt.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { MemoryLedger, message, SENDER } from './toys.js'

const name = (text: string) => message('NAME', { name: text })
const ann = { owner: 'named/a', organization: 'o' }

/** Ann is `named/a`. */
async function withAnn(): Promise<MemoryLedger> {
  const ledger = new MemoryLedger()
  await ledger.sent(['named/a', name('ann')])
  return ledger
}

const shown = (ledger: MemoryLedger) =>
  structuredClone({ actors: ledger.actors, keys: ledger.keys, sequence: ledger.lastSequence() })

test('an attempt that is dropped has never been', async (t) => {
  const ledger = await withAnn()
  const before = shown(ledger)
  const attempt = ledger.begin()
  t.true(attempt.send('named/a', name('bea')).ok)
  t.true(attempt.send('named/b', name('ann')).ok)
  t.true(attempt.take('address', { owner: 'o', organization: 'o' }))
  await attempt.drop()
  t.deepEqual(shown(ledger), before)
  t.is(ledger.commits.length, 1)
  t.is(ledger.begin().actor('named/b'), undefined)
})

test('an attempt that another one has overtaken is not committed, and none is committed twice', async (t) => {
  const ledger = await withAnn()
  const [late, other] = [ledger.begin(), ledger.begin()]
  late.send('named/a', name('bea'))
  other.send('named/b', name('ben'))
  await other.commit()
  t.throws(() => late.commit(), { message: 'Another attempt was committed since this one began' })
  t.throws(() => other.commit(), { message: 'This attempt is over' })
  t.is(fieldsOf(ledger.actors.get('named/a')!)['name'], 'ann')
})

test('a commit has the actors, keys, entries and events of all messages, and nobody sees them before', async (t) => {
  const ledger = await withAnn()
  const attempt = ledger.begin()
  attempt.send('named/a', name('bea'))
  attempt.send('named/b', name('ben'))
  t.is(fieldsOf(attempt.actor('named/a')!)['name'], 'bea')
  t.is(fieldsOf(attempt.before('named/a')!)['name'], 'ann')
  t.is(fieldsOf(ledger.begin().actor('named/a')!)['name'], 'ann')
  t.is(attempt.sequence(), 3)
  await attempt.commit()
  t.is(ledger.lastSequence(), 3)
  const { actors, keys, audited, events, sender, organization } = ledger.commits[1]!
  t.deepEqual(actors.map(({ after }) => after.ref).sort(), ['named/a', 'named/b'])
  t.deepEqual([...keys.keys()].sort(), ['name ann', 'name bea', 'name ben'])
  t.deepEqual(
    audited.map(({ turn: { command, refusal } }) => [command, refusal]),
    [
      ['NAME', undefined],
      ['NAME', undefined],
    ],
  )
  t.deepEqual(
    events.map(({ event, ref }) => [event, ref]),
    [
      ['named', 'named/a'],
      ['named', 'named/b'],
    ],
  )
  t.deepEqual([sender, organization], [SENDER, 'o'])
})

test('of several messages, one that is refused leaves none', async (t) => {
  const ledger = await withAnn()
  const attempt = ledger.begin()
  t.true(attempt.send('named/b', name('ben')).ok)
  const reply = attempt.send('named/a', message('REFUSE', { name: 'rejected' }))
  t.like(reply, { ok: false, code: 'INVALID_STATUS' })
  t.is(attempt.sequence(), 1)
  await attempt.commit()
  t.is(ledger.actor('named/b'), undefined)
  t.is(fieldsOf(ledger.actor('named/a')!)['name'], 'ann')
  t.deepEqual([...ledger.keys.keys()], ['name ann'])
  t.like(ledger.commits[1], { actors: [], audited: [], events: [] })
})

test('a message that is refused alone leaves what its actor records of it', async (t) => {
  const ledger = await withAnn()
  await ledger.sent(['named/a', message('REFUSE', { name: 'rejected' })])
  t.is(fieldsOf(ledger.actor('named/a')!)['name'], 'rejected')
  t.is(ledger.commits[1]!.audited[0]!.turn.refusal, 'INVALID_STATUS')
})

test('a refusal that changes nothing that the log shows has no entry, and none is promised', async (t) => {
  const ledger = await withAnn()
  const attempt = ledger.begin()
  t.false(attempt.send('named/a', message('TOUCH')).ok)
  t.is(attempt.sequence(), 1)
  await attempt.commit()
  t.is(ledger.commits[1]!.actors.length, 1)
  t.is(ledger.lastSequence(), 1)
})

test('a message that no state takes creates nobody and is answered with INVALID_STATUS', async (t) => {
  const ledger = new MemoryLedger()
  const attempt = ledger.begin()
  t.like(attempt.send('named/a', message('END')), { ok: false, code: 'INVALID_STATUS', violations: [] })
  await attempt.commit()
  t.like(ledger.commits[0], { actors: [], audited: [] })
})

test('a key that another actor has refuses the command with the code of its kind', async (t) => {
  const ledger = await withAnn()
  await ledger.sent(['named/b', name('ben')])
  const attempt = ledger.begin()
  t.like(attempt.send('named/c', name('ann')), { ok: false, code: 'ALREADY_DECIDED' })
  await attempt.commit()
  t.is(ledger.actor('named/c'), undefined)
  await ledger.sent(['named/b', name('ann')])
  t.is(fieldsOf(ledger.actor('named/b')!)['name'], 'ben')
  t.deepEqual(ledger.keys.get('name ann'), ann)
})

test('a rename takes the new key and frees the old one in the same commit; an end frees it', async (t) => {
  const ledger = await withAnn()
  await ledger.sent(['named/a', name('bea')])
  t.deepEqual([...ledger.keys.keys()], ['name bea'])
  const attempt = ledger.begin()
  t.true(attempt.send('named/a', name('cleo')).ok)
  t.true(attempt.send('named/b', name('bea')).ok)
  await attempt.commit()
  t.is(ledger.keys.get('name bea')!.owner, 'named/b')
  await ledger.sent(['named/b', message('END')])
  t.deepEqual([...ledger.keys.keys()], ['name cleo'])
})

test('a key that was given up, or never had, names its last holder until another has it', async (t) => {
  const ledger = new MemoryLedger()
  const row = () => ledger.keyOwner('count ann')
  await ledger.sent(['counted/a', message('SPEND', { name: 'ann' })])
  t.deepEqual(row(), { owner: 'counted/a', organization: 'o', isFormer: true })
  await ledger.sent(['counted/b', name('ann')])
  t.deepEqual(row(), { owner: 'counted/b', organization: 'o' })
  for (const refused of [name('ann'), message('SPEND', { name: 'ann' })]) {
    t.like(ledger.begin().send('counted/c', refused), { ok: false, code: 'ALREADY_DECIDED' })
  }
  await ledger.sent(['counted/b', message('END')])
  t.deepEqual(row(), { owner: 'counted/b', organization: 'o', isFormer: true })
  const dropped = ledger.begin()
  t.true(dropped.send('counted/c', name('ann')).ok)
  await dropped.drop()
  t.is(row()!.owner, 'counted/b')
})

test('what is taken for ever is given to nobody else, and given back with a dropped attempt', async (t) => {
  const ledger = new MemoryLedger()
  const mine = { owner: 'o', organization: 'o' }
  const take = (attempt: Attempt, owner: string): boolean => attempt.take('address', { owner, organization: owner })
  await (() => {
    const dropped = ledger.begin()
    t.true(take(dropped, 'o'))
    return dropped.drop()
  })()
  t.is(ledger.keyOwner('address'), undefined)
  const attempt = ledger.begin()
  t.true(take(attempt, 'o'))
  t.true(take(attempt, 'o'))
  t.false(take(attempt, 'other'))
  t.true(attempt.send('named/a', name('ann')).ok)
  await attempt.commit()
  t.deepEqual(ledger.keys.get('address'), mine)
  t.false(take(ledger.begin(), 'other'))
  t.true(take(ledger.begin(), 'o'))
})

test('a refused message after it gives back what was taken for ever', async (t) => {
  const ledger = await withAnn()
  const attempt = ledger.begin()
  attempt.take('address', { owner: 'o', organization: 'o' })
  t.false(attempt.send('named/b', name('ann')).ok)
  await attempt.commit()
  t.is(ledger.keyOwner('address'), undefined)
})

test(`an attempt sends at most ${MOST_MESSAGES} messages`, (t) => {
  const attempt = new MemoryLedger().begin()
  for (let sent = 0; sent < MOST_MESSAGES; sent += 1) attempt.send(`named/n${sent}`, name(`n${sent}`))
  t.throws(() => attempt.send('named/more', name('more')), { message: /at most 500 messages/ })
})

const OPEN = message('OPEN', { gates: [], over: 10 })
const at = (now: number, type: string) => message(type, { now })
const commandsOf = (ledger: MemoryLedger) => ledger.commits.at(-1)!.audited.map(({ turn }) => turn.command)

/** What a second message finds: its own reply, the state, and the commands in the log. */
const DUE: [title: string, ref: Ref, sent: ReturnType<typeof at>, state: string, commands: string[]][] = [
  ['a WAKE that is due goes before the command', 'order/p', at(10, 'PAY'), 'ended', ['WAKE']],
  ['a command before the time is due triggers no WAKE', 'order/p', at(9, 'PAY'), 'paid', ['PAY']],
  ['a WAKE that is sent itself runs only once', 'order/p', at(10, 'WAKE'), 'ended', ['WAKE']],
  ['a WAKE before its time changes nothing', 'order/p', at(9, 'WAKE'), 'open', []],
]

for (const [title, ref, sent, state, commands] of DUE) {
  test(title, async (t) => {
    const ledger = new MemoryLedger()
    await ledger.sent(['organization/o', message('CREATE')], [ref, OPEN], [ref, sent])
    t.is(ledger.actor(ref)!.state, state)
    t.deepEqual(commandsOf(ledger), commands)
  })
}

test('a due WAKE stays when the command that found it is refused', async (t) => {
  const ledger = new MemoryLedger()
  await ledger.sent(['order/p', OPEN])
  const attempt = ledger.begin()
  t.like(attempt.send('order/p', at(10, 'PAY')), { ok: false, code: 'INVALID_STATUS', actor: { state: 'ended' } })
  await attempt.commit()
  t.is(fieldsOf(ledger.actor('order/p')!)['refusedBy'], 'time')
})
