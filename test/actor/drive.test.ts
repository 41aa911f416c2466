// Driving a command until its actor rests: the order in which gates are asked, due WAKEs first, and how gates answer.
import test from 'ava'
import { charts } from '../../machines/index.js'
import type { Actor, Message, Turn } from '../../src/actor/actor.js'
import { answerOf, drive, pendingAsk, type Ask, type Run } from '../../src/actor/drive.js'
import { replyOf } from '../../src/actor/host.js'
import { createTake } from '../../src/actor/turn.js'
import type { Entry } from '../../src/domain/gate.js'
import type { Violation } from '../../src/domain/violation.js'
import { asksOf, message, TODAY } from '../machines/gateMessages.js'
import { request } from '../machines/paymentMessages.js'

const take = createTake(charts)
const AFFIRMATIVE = {
  RESERVE: 'HELD',
  ADMIT: 'ADMITTED',
  CAPTURE: 'CAPTURED',
  SETTLE: 'CAPTURED',
  RESTORE: 'RESTORED',
  RELEASE: 'RELEASED',
} as const
const ADMITTED = ['ADMIT organization/o1']
const EXPIRY = TODAY + 60_000
const FORWARDS = ['delegation/d1', 'wallet/w1', 'counterparty/c1']
const BACKWARDS = FORWARDS.toReversed()

/** Drives a command at a payment whose gates agree to everything but `refuses`, and lists what was asked. */
function driven(actor: Actor | undefined, command: Message, refuses?: { ask: string; with: Violation }) {
  const asked: string[] = []
  const driving = drive(charts, take, 'payment/p1', actor, command)
  let step = driving.next()
  while (!step.done) {
    const { to, message: ask } = step.value
    asked.push(`${ask.type} ${to}`)
    const { now, organization } = command
    const refusal = refuses?.ask === asked.at(-1) && { type: 'REFUSED', violations: [refuses?.with] as never }
    const type = AFFIRMATIVE[ask.type as keyof typeof AFFIRMATIVE]
    step = driving.next({ type, now, organization, ...refusal })
  }
  const runs: Run[] = step.value
  return { asked, runs, commands: runs.map((run) => run.command), actor: runs.at(-1)!.turns.at(-1)!.actor }
}

const asks = (type: string, refs: string[]): string[] => refs.map((ref) => `${type} ${ref}`)
const { actor: approved, asked: reserved } = driven(undefined, request('APPROVED', false))

test('a payment request reserves at its gates one at a time, in order', (t) => {
  t.is(approved.state, 'approved')
  t.deepEqual(reserved, asks('RESERVE', FORWARDS))
})

test('a gate that refuses and the gates before it are released in reverse order', (t) => {
  const violation: Violation = { type: 'DAILY_LIMIT', message: 'Too much' }
  const refusal = { ask: 'RESERVE wallet/w1', with: violation }
  const { actor, asked } = driven(undefined, request('APPROVED', false), refusal)
  t.is(actor.state, 'denied')
  t.deepEqual(actor.context['causes'], [violation] as never)
  t.deepEqual(asked, [...asks('RESERVE', FORWARDS.slice(0, 2)), ...asks('RELEASE', BACKWARDS.slice(1))])
})

test('an execution refused for a temporary reason restores its captures and stays approved', (t) => {
  const violation: Violation = { type: 'WALLET_NOT_ACTIVE', message: 'Frozen' }
  const { actor, asked } = driven(approved, message('EXECUTE'), { ask: 'CAPTURE counterparty/c1', with: violation })
  t.is(actor.state, 'approved')
  t.deepEqual(asked, [...ADMITTED, ...asks('CAPTURE', FORWARDS), ...asks('RESTORE', BACKWARDS)])
})

test('a due WAKE is driven to rest before the command', (t) => {
  const { actor, asked, commands, runs } = driven(approved, message('EXECUTE', { now: EXPIRY }))
  t.deepEqual(commands, ['WAKE', 'EXECUTE'])
  t.deepEqual(asked, asks('RELEASE', BACKWARDS))
  t.is(actor.state, 'expired')
  t.is(runs[0]!.before, approved)
  t.is(runs[1]!.before?.state, 'expired')
  t.is(runs[1]!.turns[0]!.refusal, 'EXPIRED')
})

test('a command before the expiry triggers no WAKE', (t) => {
  const { actor, asked, commands } = driven(approved, message('EXECUTE', { now: EXPIRY - 1 }))
  t.deepEqual(commands, ['EXECUTE'])
  t.deepEqual(asked, [...ADMITTED, ...asks('CAPTURE', FORWARDS)])
  t.is(actor.state, 'executed')
})

test('a WAKE sent as the command runs only once', (t) => {
  t.deepEqual(driven(approved, message('WAKE', { now: EXPIRY })).commands, ['WAKE'])
})

test('a WAKE that comes too early changes nothing', (t) => {
  t.is(driven(approved, message('WAKE', { now: EXPIRY - 1 })).actor, approved)
})

test('the same state always has the same pending ask', (t) => {
  const { actor } = take('payment/p1', undefined, undefined, request('APPROVED', false))
  const terms = { holder: 'p1', amount: 60, attempt: 0 }
  const ask: Ask = { to: 'delegation/d1', message: { type: 'RESERVE', now: TODAY, organization: 'o1', ...terms } }
  t.like(pendingAsk(charts, actor, TODAY), ask)
  t.deepEqual(pendingAsk(charts, actor, TODAY), pendingAsk(charts, actor, TODAY))
  t.is(pendingAsk(charts, approved, TODAY), undefined)
})

test('a cursor beyond the last gate throws', (t) => {
  const { actor } = take('payment/p1', undefined, undefined, request('APPROVED', false))
  const astray: Actor = { ...actor, context: { ...actor.context, cursor: 3 } }
  t.throws(() => pendingAsk(charts, astray, TODAY), { message: 'payment/p1 in reserving has no gate 3' })
})

const LIMIT: Violation = { type: 'DAILY_LIMIT', message: 'Too much' }
const BALANCE: Violation = { type: 'INSUFFICIENT_BALANCE', message: 'Too little' }
const row = (state: Entry['state'], attempt = 1): Entry => ({ state, amount: 60, attempt })
const refusedRow: Entry = { ...row('refused', 0), violations: [LIMIT] }

type Answered = [ask: string, entry: Entry | undefined, violations: Violation[], answer: string, causes?: Violation[]]

/** RESERVE asks as attempt 0, RELEASE as any attempt, all others as attempt 1. */
const ANSWERS: Answered[] = [
  ['RESERVE', row('held', 0), [], 'HELD'],
  ['RESERVE', row('held', 1), [], 'REFUSED', []],
  ['RESERVE', row('released', 0), [], 'REFUSED', []],
  ['RESERVE', row('captured', 0), [], 'REFUSED', []],
  ['RESERVE', refusedRow, [], 'REFUSED', [LIMIT]],
  ['RESERVE', refusedRow, [BALANCE], 'REFUSED', [BALANCE]],
  ['RESERVE', undefined, [], 'REFUSED', []],
  ['CAPTURE', row('captured'), [], 'CAPTURED'],
  ['CAPTURE', row('captured', 2), [], 'REFUSED', []],
  ['CAPTURE', row('held', 1), [BALANCE], 'REFUSED', [BALANCE]],
  ['CAPTURE', row('held', 0), [], 'REFUSED', []],
  ['CAPTURE', row('released'), [], 'REFUSED', []],
  ['CAPTURE', undefined, [], 'REFUSED', []],
  ['RESTORE', row('held'), [], 'RESTORED'],
  ['RESTORE', row('held', 0), [], 'REFUSED', []],
  ['RESTORE', row('captured'), [], 'REFUSED', []],
  ['RESTORE', { ...row('released'), violations: [LIMIT] }, [], 'REFUSED', [LIMIT]],
  ['RESTORE', undefined, [], 'REFUSED', []],
  ['SETTLE', row('captured', 2), [], 'CAPTURED'],
  ['SETTLE', undefined, [LIMIT], 'CAPTURED'],
  ['RELEASE', row('held'), [], 'RELEASED'],
  ['RELEASE', row('released'), [], 'RELEASED'],
  ['RELEASE', undefined, [], 'RELEASED'],
]

for (const [type, entry, violations, answer, causes] of ANSWERS) {
  const shown = entry ? `${entry.state} by attempt ${entry.attempt}` : 'absent'
  const suffix = violations.length > 0 ? ' with a violation' : ''

  const count = causes ? ` (violations: ${causes.length})` : ''

  test(`after ${type}${suffix} a row that is ${shown} answers ${answer}${count}`, (t) => {
    const ask = asksOf('p1', 60).find((one) => one.type === type)!
    const turn = { violations } as unknown as Turn
    const expected = message(answer, causes && { violations: causes as never })
    t.deepEqual(answerOf(ask, turn, entry), expected)
  })
}

const PERMIT_TERMS = { permitForMs: 1 }
const HASH = { txHash: '0x1', claim: { ref: 'claim/hash', holder: 'p1.transfer', amount: 0 } }

test('PERMIT captures and then restores every gate; CONFIRM claims the hash and settles every gate', (t) => {
  const { actor: permitted, asked } = driven(approved, message('PERMIT', PERMIT_TERMS))
  t.is(permitted.state, 'permitted')
  t.deepEqual(asked, [...ADMITTED, ...asks('CAPTURE', FORWARDS), ...asks('RESTORE', BACKWARDS)])
  const confirmed = driven(permitted, message('CONFIRM', HASH))
  t.is(confirmed.actor.state, 'executed')
  t.deepEqual(confirmed.asked, ['RESERVE claim/hash', ...asks('SETTLE', [...FORWARDS, 'claim/hash'])])
})

test('an organization admits an execution if it takes the ask and reports no violations', (t) => {
  const answer = (taken: boolean, violations: Violation[]) =>
    answerOf(message('ADMIT'), { taken, violations } as unknown as Turn, undefined).type
  t.is(answer(true, []), 'ADMITTED')
  t.is(answer(true, [LIMIT]), 'REFUSED')
  t.is(answer(false, []), 'REFUSED')
})

test('a reply is the first refusal, INVALID_STATUS if no turn took the message, or else the actor', (t) => {
  const turn = (refusal?: 'EXPIRED' | 'NOT_FOUND', taken = true): Turn => {
    return { actor: approved, changed: false, taken, events: [], violations: [LIMIT], entry: undefined, refusal }
  }
  const untaken = { ok: false as const, code: 'INVALID_STATUS' as const, violations: [], actor: approved }
  t.deepEqual(replyOf([turn(undefined, false)]), untaken)
  t.deepEqual(replyOf([turn(), turn()]), { ok: true, actor: approved })
  const refused = { ok: false as const, code: 'EXPIRED' as const, violations: [LIMIT], actor: approved }
  t.deepEqual(replyOf([turn(), turn('EXPIRED'), turn('NOT_FOUND')]), refused)
})
