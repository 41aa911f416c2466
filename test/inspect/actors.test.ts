// Actors as Inspect shows them: their present state, their history, and what a message would do, without any of it
// happening.
import test from 'ava'
import type { Story } from '../../src/commands/history.js'
import type { HistoryEntry } from '../../src/inspect/replay.js'
import type { TurnTrace } from '../../src/inspect/turnTrace.js'
import { populate } from '../interface/population.js'
import { OPERATOR_KEY } from '../interface/started.js'
import { ORGANIZATION_KEY, wholeFile } from '../service/service.js'
import { made } from '../service/setup.js'
import { openStage, type Stage } from './stage.js'

const scope = wholeFile(test)
let stage: Stage

interface Inspected {
  state: string
  revision: number
  context: { [field: string]: unknown }
  concealed: string[]
  waitsFor: { ask: unknown; call: unknown; wakeAt: string | null }
  messages: { message: string; choices: { name: string }[] }[]
  rows: { gate: string; entry: { state: string } | null }[]
}

interface History {
  entries: HistoryEntry[]
  pagination: { total: number; hasMore: boolean; nextCursor?: string }
}

interface Supposed {
  state: string
  taken: boolean
  refusal: string | null
  violations: { type: string }[]
  events: string[]
  changed: { field: string }[]
  turns: TurnTrace[]
}

test.before('payments have taken every course', async () => {
  stage = await openStage(scope)
})

const pathOf = (course: string): string => `/api/machines/payment/actors/${stage.payments[course]}`
const inspected = (course: string): Promise<Inspected> => stage.read<Inspected>(pathOf(course))

async function historyOf(course: string): Promise<HistoryEntry[]> {
  return (await stage.read<History>(`${pathOf(course)}/history`)).entries.reverse()
}

async function suppose(path: string, body: object, status = 200): Promise<Supposed> {
  const answer = await stage.service.client.post<Supposed>(`${path}/what-if`, ORGANIZATION_KEY, body)
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

test.serial('an actor shows its state, what it waits for, the messages it takes and its gate rows', async (t) => {
  const { state, context, concealed, waitsFor, messages, rows } = await inspected('open')
  t.is(state, 'approved')
  t.deepEqual(concealed, ['transfers'])
  t.false('transfers' in context)
  t.is(waitsFor.wakeAt, new Date(Number(context['expiresAt'])).toISOString())
  t.deepEqual(
    messages.map(({ message }) => message),
    ['EXECUTE', 'PERMIT', 'CANCEL', 'RELEASE_HOLD', 'WAKE', 'REQUEST'],
  )
  t.deepEqual(
    rows.map(({ gate, entry }) => [gate.split('/')[0], entry?.state]),
    [
      ['agent', 'held'],
      ['delegation', 'held'],
      ['wallet', 'held'],
      ['counterparty', 'held'],
    ],
  )
})

/** For each course its states in order, and the guard of its last turn. */
const COURSES: [course: string, states: string[], guard: string | null][] = [
  ['atOnce', ['reserving', 'admitting', 'capturing', 'executed'], null],
  ['inTwo', ['reserving', 'approved', 'admitting', 'capturing', 'executed'], null],
  ['cancelled', ['reserving', 'approved', 'releasing', 'cancelled'], 'endsCancelled'],
  ['open', ['reserving', 'approved'], null],
  ['blocked', ['reserving', 'approved', 'admitting', 'capturing', 'releasing', 'denied'], 'endsDenied'],
  ['stopped', ['reserving', 'approved', 'admitting', 'capturing', 'restoring', 'approved'], null],
  ['refused', ['denied'], 'deniedByFacts'],
  ['approved', ['reserving', 'awaitingApproval', 'admitting', 'capturing', 'executed'], null],
  ['denied', ['reserving', 'awaitingApproval', 'releasing', 'denied'], 'endsDenied'],
  ['mayNot', ['reserving', 'approved'], null],
]

for (const [course, states, guard] of COURSES) {
  test.serial(`the history of a payment explains every turn: ${course}`, async (t) => {
    const history = await historyOf(course)
    const { state, context } = await inspected(course)
    t.true(history.every(({ basis }) => basis === 'replayed'))
    const turns = history.flatMap((entry) => entry.turns)
    t.deepEqual(
      turns.filter(({ from, to }) => from !== to).map(({ to }) => to),
      states,
    )
    t.is(turns.at(-1)!.guard, guard)
    t.is(history.at(-1)!.to, state)
    const latest = Object.fromEntries(history.flatMap(({ changed }) => changed.map(({ field, to }) => [field, to])))
    for (const [field, value] of Object.entries(latest)) t.deepEqual(value, context[field], field)
  })
}

test.serial('a turn names the guard that held and those that did not', async (t) => {
  const [request] = await historyOf('atOnce')
  const held = request!.turns.filter(({ message }) => message === 'HELD')
  t.deepEqual(
    held.map(({ guard }) => guard),
    ['moreGates', 'moreGates', 'moreGates', 'executesAtOnce'],
  )
  t.deepEqual(held.at(-1)!.passedOver, ['moreGates', 'needsPerson'])
  t.deepEqual(held.at(-1)!.events, ['payment.approved'])
})

test.serial('other actors have histories too: an agent that was frozen, a wallet that was funded', async (t) => {
  const of = async (path: string): Promise<[string, string | null, string][]> => {
    const { entries } = await stage.read<History>(`/api/machines/${path}/history`)
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
  const first = await stage.read<History>(`${path}?limit=1`)
  t.deepEqual(
    [first.entries[0]!.action, first.pagination.total, first.pagination.hasMore],
    ['payment.attempt', 2, true],
  )
  const next = await stage.read<History>(`${path}?limit=1&cursor=${first.pagination.nextCursor}`)
  t.deepEqual([next.entries[0]!.action, next.pagination.hasMore], ['payment.request', false])
  await stage.read(`${path}?cursor=nonsense`, 400)
})

test.serial('the story of a payment includes all participants and names the gate that refused', async (t) => {
  const { participants, lines, rows } = await stage.read<Story>(`${pathOf('blocked')}/story`)
  t.deepEqual(
    participants.map(({ kind }) => kind),
    ['AGENT_KEY', 'payment', 'agent', 'delegation', 'wallet', 'counterparty', 'organization', 'world'].filter((kind) =>
      participants.some((one) => one.kind === kind),
    ),
  )
  t.is(participants.find(({ kind }) => kind === 'agent')!.name, 'Buyer')
  const known = new Set(participants.map(({ id }) => id))
  t.true(lines.every(({ from, to }) => known.has(from) && known.has(to)))
  t.is(lines.filter(({ kind }) => kind === 'ask').length, lines.filter(({ kind }) => kind === 'answer').length)
  const refused = lines.find(({ kind, text }) => kind === 'answer' && text === 'REFUSED')!
  t.regex(refused.from, /^counterparty\//)
  t.deepEqual(refused.reasons, ['BLOCKED_COUNTERPARTY'])
  t.deepEqual(
    lines.filter(({ kind }) => kind === 'event').map(({ text }) => text),
    ['payment.requested', 'payment.approved', 'payment.denied'],
  )
  t.true(rows.every(({ entry, state }) => entry?.state === 'released' && state !== null))
})

test.serial('what-if returns the next state, the changes and the events, and stores nothing', async (t) => {
  const path = pathOf('open')
  const before = await stage.read<Inspected>(path)
  const log = await stage.read<{ pagination: { total: number } }>('/api/audit-logs?limit=1')
  const turn = await suppose(path, { message: { type: 'CANCEL' } })
  t.like(turn, { state: 'releasing', taken: true, refusal: null })
  t.deepEqual(
    turn.changed.map(({ field }) => field),
    ['ending'],
  )
  const course = await suppose(path, { message: { type: 'CANCEL' }, untilRest: true })
  t.is(course.state, 'cancelled')
  t.is(course.turns.length, 5)
  const paid = await suppose(path, { message: { type: 'EXECUTE' }, untilRest: true })
  t.like(paid, { state: 'executed', events: ['payment.executed'] })
  t.deepEqual(await stage.read<Inspected>(path), before)
  const after = await stage.read<{ pagination: { total: number } }>('/api/audit-logs?limit=1')
  t.deepEqual(after.pagination, log.pagination)
})

test.serial('what-if applies the given time, and reports refusals and messages that are not taken', async (t) => {
  const path = pathOf('open')
  t.like(await suppose(path, { message: { type: 'WAKE' } }), { state: 'approved', taken: false })
  const late = await suppose(path, { message: { type: 'WAKE' }, at: '2031-07-10T12:00:00Z', untilRest: true })
  t.like(late, { state: 'expired', events: ['payment.expired'] })
  t.like(await suppose(pathOf('atOnce'), { message: { type: 'EXECUTE' } }), {
    state: 'executed',
    refusal: 'ALREADY_EXECUTED',
  })
  t.like(await suppose(pathOf('atOnce'), { message: { type: 'NONSENSE' } }), { state: 'executed', taken: false })
})

test.serial('what-if asks the gates in their present state: a frozen agent refuses', async (t) => {
  const { client } = stage.service
  await made(client, `/api/agents/${stage.buyer.agentId}/freeze`, { reason: 'Test' })
  const refused = await suppose(pathOf('open'), { message: { type: 'EXECUTE' }, untilRest: true })
  await made(client, `/api/agents/${stage.buyer.agentId}/unfreeze`, {})
  t.is(refused.state, 'approved')
  t.is(refused.refusal, 'INVALID_STATUS')
  t.deepEqual(
    (await inspected('open')).rows.map(({ entry }) => entry?.state),
    ['held', 'held', 'held', 'held'],
  )
})

test.serial('what-if on a gate uses the row of the holder in the message', async (t) => {
  const path = `/api/machines/agent/actors/${stage.buyer.agentId}`
  const holder = stage.payments['open']
  const message = { type: 'RELEASE', holder, amount: 4_000_000, attempt: 0, terms: { timezone: 'UTC' } }
  for (const untilRest of [false, true]) {
    const { turns } = await suppose(path, { message, untilRest })
    t.is(turns.length, 1)
    t.is(turns[0]!.guard, 'open')
    t.is(turns[0]!.entry?.state, 'released')
  }
})

test.serial('what-if refuses a message that makes the actor ask more than 400 times', async (t) => {
  const { context } = await inspected('open')
  const gates = context['gates'] as { ref: string }[]
  const { ref } = gates.find((gate) => gate.ref.startsWith('wallet/'))!
  const course = (count: number, status: number): Promise<unknown> => {
    const more = Array.from({ length: count }, (_, place) => ({ ref, holder: `h${place}`, amount: 1 }))
    const review = { after: context['reviews'], gates: [...gates, ...more], decision: context['decision'] }
    return suppose(pathOf('open'), { message: { type: 'EXECUTE', review }, untilRest: true }, status)
  }
  t.like(await course(100, 200), { state: 'executed' })
  const refused = await course(500, 400)
  const [detail] = (refused as { details: { path: string; message: string }[] }).details
  t.deepEqual(detail, { path: 'message', message: 'makes the actor ask its gates more than 400 times' })
})

test.serial('what-if refuses a malformed message with 400', async (t) => {
  const path = pathOf('open')
  await suppose(path, { message: { type: 5 } }, 400)
  await suppose(path, { message: {} }, 400)
  const { policies } = await stage.read<{ policies: { id: string }[] }>('/api/policies')
  await suppose(`/api/machines/policy/actors/${policies[0]!.id}`, { message: { type: 'ADD_RULES' } }, 400)
  t.deepEqual(stage.service.logged, [])
})

test.serial("what-if treats another organization's gates as if they did not exist", async (t) => {
  const { client } = stage.service
  const other = await client.post<{ id: string; apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  const { ids } = await populate(client, other.body.apiKey)
  const { context } = await inspected('open')
  const at = new Date(Number(context['createdAt']) + 1000).toISOString()
  const course = (gate: object): Promise<Supposed> => {
    const gates = [...(context['gates'] as object[]), gate]
    const review = { after: context['reviews'], gates, decision: context['decision'] }
    return suppose(pathOf('open'), { message: { type: 'EXECUTE', review }, at, untilRest: true })
  }
  const asked = { holder: 'x', amount: 1e15, organization: other.body.id }
  const theirs = await course({ ref: `wallet/${ids['walletId']}`, ...asked })
  const nobodys = await course({ ref: 'wallet/cnobody', ...asked })
  t.true(
    theirs.turns.some(({ message }) => message === 'REFUSED'),
    JSON.stringify(theirs.turns.map(({ message }) => message)),
  )
  const seen = (supposed: Supposed): string => JSON.stringify(supposed).replaceAll(ids['walletId']!, 'cnobody')
  t.is(seen(theirs), seen(nobodys))
})

test.serial('what-if runs a due WAKE before the message', async (t) => {
  const { context } = await inspected('open')
  const at = new Date(Number(context['expiresAt']) + 1000).toISOString()
  t.is((await suppose(pathOf('open'), { message: { type: 'EXECUTE' }, at, untilRest: true })).state, 'expired')
  const untaken = await suppose(pathOf('open'), { message: { type: 'NONSENSE' }, at, untilRest: true })
  t.like(untaken, { state: 'expired', taken: false, events: ['payment.expired'] })
  t.true(
    untaken.changed.some(({ field }) => field === 'ending'),
    'what the time changed is told too',
  )
})
