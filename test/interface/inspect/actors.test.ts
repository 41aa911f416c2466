// Actors as Inspect shows them: their present state, what they hold at their gates, their history and their story.
import test from 'ava'
import { wholeFile } from '../../support/process.js'
import { openStage, type Stage } from './stage.js'
import type { ActorHistory, ActorStory, InspectedActor, Machines, Violation } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage

test.before('payments have taken every course', async () => {
  stage = await openStage(scope)
})

const pathOf = (course: string): string => `/api/machines/payment/actors/${stage.payments[course]}`
const inspected = (course: string): Promise<InspectedActor> => stage.read<InspectedActor>(pathOf(course))

async function historyOf(course: string): Promise<ActorHistory['entries']> {
  return (await stage.read<ActorHistory>(`${pathOf(course)}/history`)).entries.reverse()
}

test.serial('an actor shows its state, what it waits for, the messages it takes and its holds', async (t) => {
  const { state, context, concealed, waitsFor, messages, holds } = await inspected('open')
  t.is(state, 'approved')
  t.deepEqual(concealed, ['transfers'])
  t.false('transfers' in context)
  t.deepEqual(waitsFor, { call: null, wakeAt: new Date(Number(context['expiresAt'])).toISOString() })
  t.deepEqual(
    messages.map(({ message }) => message),
    ['EXECUTE', 'PERMIT', 'REFUSED', 'CANCEL', 'RELEASE_HOLD', 'WAKE', 'REQUEST'],
  )
  t.deepEqual(
    holds.map(({ gate, amount, level, capturedAt }) => [gate.split('/')[0], amount, level, capturedAt]),
    ['agent', 'delegation', 'wallet', 'counterparty'].map((kind) => [kind, 4_000_000, 'held', null]),
  )
})

/** The status and the holds of every state of a payment. */
const STATES: [path: string, status: string | null, holds: string][] = [
  ['created', null, 'none'],
  ['awaitingApproval', 'REQUIRES_APPROVAL', 'held'],
  ['approved', 'APPROVED', 'held'],
  ['permitted', 'APPROVED', 'permitted'],
  ['authorized', 'EXECUTING', 'captured'],
  ['authorized.byWord', 'EXECUTING', 'captured'],
  ['authorized.onChain', 'EXECUTING', 'captured'],
  ['transferring', 'EXECUTING', 'captured'],
  ['transferring.signing', 'EXECUTING', 'captured'],
  ['transferring.submitting', 'EXECUTING', 'captured'],
  ['transferring.unknown', 'EXECUTING', 'captured'],
  ['transferred', 'EXECUTED', 'captured'],
  ['transferred.submitted', 'EXECUTED', 'captured'],
  ['transferred.confirmed', 'EXECUTED', 'captured'],
  ['executed', 'EXECUTED', 'captured'],
  ['paid', 'EXECUTED', 'captured'],
  ['charged', 'EXECUTED', 'captured'],
  ['denied', 'DENIED', 'none'],
  ['failed', 'FAILED', 'none'],
  ['cancelled', 'CANCELLED', 'none'],
  ['expired', 'EXPIRED', 'none'],
]

test.serial('the list of machines shows the status and the holds of every state of a payment', async (t) => {
  const { machines } = await stage.read<Machines>('/api/machines')
  const { states } = machines.find(({ name }) => name === 'payment')!
  t.deepEqual(
    states.map(({ path, status, holds }) => [path, status, holds]),
    STATES,
  )
  t.like(
    states.find(({ path }) => path === 'transferring.signing'),
    { calls: 'sign', wakesAt: null },
  )
  t.true(
    machines.filter(({ name }) => name !== 'payment').every((one) => one.states.every(({ holds }) => holds === null)),
  )
})

/** For each course the level at each of the payment's gates; null where nothing is held any more. */
const LEVELS: [course: string, level: string | null][] = [
  ['open', 'held'],
  ['stopped', 'held'],
  ['atOnce', 'captured'],
  ['approved', 'captured'],
  ['cancelled', null],
  ['blocked', null],
  ['denied', null],
]

for (const [course, level] of LEVELS) {
  test.serial(`a payment shows ${level ?? 'no'} holds: ${course}`, async (t) => {
    const { holds, context } = await inspected(course)
    const { holds: told } = await stage.read<ActorStory>(`${pathOf(course)}/story`)
    const capturedAt = level === 'captured' ? new Date(Number(context['executedAt'])).toISOString() : null
    t.is(holds.length, 4)
    for (const hold of holds) t.like(hold, { level, capturedAt }, hold.gate)
    t.deepEqual(
      told.map(({ state: _state, ...hold }) => hold as unknown),
      holds as unknown[],
    )
    t.true(told.every(({ state }) => state !== null))
  })
}

/** For each course the gate that refused its last command, and why; null where none did. */
const REFUSALS: [course: string, refusedBy: string | null, causes: string[]][] = [
  ['blocked', 'counterparty', ['BLOCKED_COUNTERPARTY']],
  ['stopped', 'agent', ['AGENT_NOT_ACTIVE']],
  ['refused', null, ['PER_TX_LIMIT', 'INSUFFICIENT_BALANCE']],
  ['open', null, []],
]

for (const [course, refusedBy, causes] of REFUSALS) {
  test.serial(`a refusal is shown with its reasons by the actor, its history and its story: ${course}`, async (t) => {
    const typesOf = ({ causes: told }: { causes: unknown[] }) => (told as Violation[]).map(({ type }) => type)
    const actor = await inspected(course)
    t.deepEqual([actor.refusedBy, typesOf(actor)], [refusedBy, causes])
    const last = (await historyOf(course)).at(-1)!
    t.deepEqual([last.refusedBy, typesOf(last)], [refusedBy, causes])
    const { lines, ...story } = await stage.read<ActorStory>(`${pathOf(course)}/story`)
    t.deepEqual([story.refusedBy, typesOf(story)], [refusedBy, causes])
    const told = lines.filter(({ sequence, kind }) => {
      return sequence === last.sequence && kind === (refusedBy === null ? 'command' : 'refusal')
    })
    t.deepEqual(
      told.map(({ reasons }) => reasons),
      [causes],
    )
  })
}

/** For each course its states in order, and the guard of its last command. */
const COURSES: [course: string, states: string[], guard: string | null][] = [
  ['atOnce', ['executed'], 'asksForExecution'],
  ['inTwo', ['approved', 'executed'], null],
  ['cancelled', ['approved', 'cancelled'], null],
  ['open', ['approved'], null],
  ['blocked', ['approved', 'denied'], 'isFinal'],
  ['stopped', ['approved'], null],
  ['refused', ['denied'], 'deniedByFacts'],
  ['approved', ['awaitingApproval', 'executed'], 'executesAtOnce'],
  ['denied', ['awaitingApproval', 'denied'], null],
  ['mayNot', ['approved'], null],
]

for (const [course, states, guard] of COURSES) {
  test.serial(`the history of a payment explains every command: ${course}`, async (t) => {
    const history = await historyOf(course)
    const { state, context } = await inspected(course)
    t.true(history.every(({ choice }) => choice !== null))
    t.deepEqual(
      history.filter(({ from, to }) => from !== to).map(({ to }) => to),
      states,
    )
    t.is(history.at(-1)!.guard, guard)
    t.is(history.at(-1)!.to, state)
    const latest = Object.fromEntries(history.flatMap(({ changed }) => changed.map(({ field, to }) => [field, to])))
    for (const [field, value] of Object.entries(latest)) t.deepEqual(value, context[field], field)
  })
}

test.serial(
  'a history names the guard that held, those that did not, and what the state demands of the gates',
  async (t) => {
    const [request] = await historyOf('atOnce')
    t.like(request, {
      message: 'REQUEST',
      choice: 'created.REQUEST[3]',
      guard: 'asksForExecution',
      passedOver: ['deniedByFacts', 'asksForPerson', 'asksForTransfer'],
      actions: ['file', 'approve', 'beginExecution', 'complete'],
      events: ['payment.requested', 'payment.approved', 'payment.executed'],
      holds: 'captured',
    })
  },
)

test.serial(
  'a command that a gate refused is told by its own name, and by the choice that the refusal took',
  async (t) => {
    const [, execute] = await historyOf('stopped')
    t.like(execute, {
      action: 'payment.attempt',
      message: 'EXECUTE',
      choice: 'approved.REFUSED[1]',
      passedOver: ['isFinal'],
      refusal: 'INVALID_STATUS',
      holds: 'held',
    })
  },
)

test.serial('other actors have histories too: an agent that was frozen, a wallet that was funded', async (t) => {
  const of = async (path: string): Promise<[string, string | null, string][]> => {
    const { entries } = await stage.read<ActorHistory>(`/api/machines/${path}/history`)
    return entries.reverse().map(({ action, message, to }) => [action, message, to])
  }
  t.deepEqual(await of(`agent/actors/${stage.buyer.agentId}`), [
    ['agent.create', 'CREATE', 'registered.active'],
    ['agent.freeze', 'FREEZE', 'registered.suspended'],
    ['agent.unfreeze', 'UNFREEZE', 'registered.active'],
  ])
  t.deepEqual(await of(`wallet/actors/${stage.buyer.walletId}`), [
    ['wallet.create', 'CREATE', 'kept.active'],
    ['wallet.fund', 'FUND', 'kept.active'],
  ])
})

test.serial('a history comes in pages, newest first', async (t) => {
  const path = `${pathOf('stopped')}/history`
  const first = await stage.read<ActorHistory>(`${path}?limit=1`)
  t.deepEqual(
    [first.entries[0]!.action, first.pagination.total, first.pagination.hasMore],
    ['payment.attempt', 2, true],
  )
  const next = await stage.read<ActorHistory>(`${path}?limit=1&cursor=${first.pagination.nextCursor}`)
  t.deepEqual([next.entries[0]!.action, next.pagination.hasMore], ['payment.request', false])
  await stage.read(`${path}?cursor=nonsense`, 400)
})

test.serial('the story of a payment includes all participants and names the gate that refused', async (t) => {
  const { participants, lines } = await stage.read<ActorStory>(`${pathOf('blocked')}/story`)
  t.deepEqual(
    participants.map(({ kind }) => kind),
    ['AGENT_KEY', 'payment', 'agent', 'delegation', 'wallet', 'counterparty', 'world'],
  )
  t.is(participants.find(({ kind }) => kind === 'agent')!.name, 'Buyer')
  const known = new Set(participants.map(({ id }) => id))
  t.true(lines.every(({ from, to }) => known.has(from) && known.has(to)))
  t.deepEqual(
    lines.map(({ kind, from, text, reasons }) => [kind, from.split('/')[0], text, ...reasons]),
    [
      ['command', 'AGENT_KEY', 'REQUEST'],
      ['state', 'payment', 'approved'],
      ['event', 'payment', 'payment.requested'],
      ['event', 'payment', 'payment.approved'],
      ['command', 'AGENT_KEY', 'EXECUTE', 'INVALID_STATUS'],
      ['refusal', 'counterparty', 'REFUSED', 'BLOCKED_COUNTERPARTY'],
      ['state', 'payment', 'denied'],
      ['event', 'payment', 'payment.denied'],
    ],
  )
})
