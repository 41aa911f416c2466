// The history of payments in live settlement: every message that settlement may send to one, on its chart alone; and a
// transfer on a chain, whose first answer is lost, from the log of a service.
import test from 'ava'
import { charts } from '../../../machines/index.js'
import type { Actor, Message } from '../../../src/actor/actor.js'
import { metaOfActor, createTurns } from '../../../src/actor/turn.js'
import type { Story } from '../../../src/commands/audit/history.js'
import { actionOf, difference, type AuditEntry } from '../../../src/domain/audit/entry.js'
import { explainHistory, type HistoryEntry } from '../../../src/inspect/replay.js'
import { Proxy } from './proxy.js'
import { approved, newPayer, newRecipient, settled, startChain, startLive, until, type Live } from './stage.js'
import { message } from '../../machines/gateMessages.js'
import { request } from '../../machines/paymentMessages.js'
import { ORGANIZATION_KEY } from '../../service/service.js'
import { execute } from '../../service/setup.js'

const take = createTurns(charts)
const REF = 'payment/p1'

/** What a payment hears when a gate refuses the command for the moment. */
function refusedBy(by: string, ask: string, command: Message): Message {
  const violations = [{ type: 'AGENT_NOT_ACTIVE', message: 'It is paused' }]
  return { ...message('REFUSED', { by, ask, violations }), command: command as never }
}

const unmade = message('UNMADE', { code: 'INSUFFICIENT_BALANCE', message: 'No gas' })

const sent = {
  request: request('APPROVED', false, 'live'),
  requestAtOnce: request('APPROVED', true, 'live'),
  execute: message('EXECUTE'),
  signed: message('SIGNED', { transfer: { hash: '0x1', nonce: 3 } as never }),
  replaced: message('REPLACED', { transfer: { hash: '0x2', nonce: 3 } as never }),
  replacedAgain: message('REPLACED', { transfer: { hash: '0x3', nonce: 3 } as never }),
  entrusted: message('ENTRUSTED', { provider: 'x' }),
  requestUnreserved: refusedBy('agent', 'RESERVE', request('APPROVED', true, 'live')),
  requestUncaptured: refusedBy('agent', 'CAPTURE', request('APPROVED', true, 'live')),
  executeRefused: refusedBy('organization', 'ADMIT', message('EXECUTE')),
  unmade,
  unmadeRefused: refusedBy('agent', 'RESTORE', unmade),
  unknown: message('UNKNOWN'),
  accepted: message('ACCEPTED'),
  acceptedAs: message('ACCEPTED', { txHash: '0x7' }),
  acceptedAnew: message('ACCEPTED', { txHash: '0x8' }),
  confirmed: message('CONFIRMED', { txHash: '0x2', block: 7 }),
  reverted: message('REVERTED', { txHash: '0x1', reason: 'Reverted' }),
  reorged: message('REORGED'),
  final: message('FINAL'),
}

type Sent = keyof typeof sent

const COURSES: [title: string, state: string, messages: Sent[]][] = [
  ['confirmed and final', 'executed', ['request', 'execute', 'signed', 'accepted', 'confirmed', 'final']],
  ['executed with the request', 'executed', ['requestAtOnce', 'signed', 'accepted', 'confirmed', 'final']],
  ['executed with the request and unmade', 'approved', ['requestAtOnce', 'unmade']],
  [
    'unmade, and made when executed again',
    'transferred.submitted',
    ['request', 'execute', 'unmade', 'execute', 'signed', 'accepted'],
  ],
  ['unknown, and found', 'transferred.submitted', ['request', 'execute', 'signed', 'unknown', 'accepted']],
  [
    'replaced while unknown and while submitted',
    'executed',
    ['request', 'execute', 'signed', 'unknown', 'replaced', 'accepted', 'replacedAgain', 'confirmed', 'final'],
  ],
  [
    'in a block that is reorganized away',
    'executed',
    ['request', 'execute', 'signed', 'accepted', 'confirmed', 'reorged', 'confirmed', 'final'],
  ],
  ['reverted', 'failed', ['request', 'execute', 'signed', 'accepted', 'reverted']],
  [
    'entrusted, accepted with a new hash',
    'transferred.submitted',
    ['request', 'execute', 'entrusted', 'acceptedAs', 'acceptedAnew'],
  ],
  ['not reserved', 'denied', ['requestUnreserved']],
  ['not captured with the request', 'approved', ['requestUncaptured']],
  ['stopped by the organization, and made later', 'transferring.signing', ['request', 'executeRefused', 'execute']],
  ['unmade, and its holds are not restored', 'denied', ['requestAtOnce', 'unmadeRefused']],
  ['entrusted and refused', 'approved', ['request', 'execute', 'entrusted', 'unmade']],
  ['entrusted, unknown and refused', 'approved', ['request', 'execute', 'entrusted', 'unknown', 'unmade']],
]

for (const [title, state, names] of COURSES) {
  test(`every turn of a transfer is explained from the log: ${title}`, (t) => {
    const entries: AuditEntry[] = []
    const taken: unknown[] = []
    let actor: Actor | undefined
    for (const [place, name] of names.entries()) {
      const now = sent[name].now + place
      const turn = take(REF, actor, undefined, { ...sent[name], ...commandAt(name, now), now })
      const { type } = commandOf(sent[name])
      entries.push(entryOf(place, type, actor, turn.actor, now))
      taken.push(['replayed', type, turn.actor.state, turn.events.map(({ event }) => event), refuserIn(sent[name])])
      actor = turn.actor
    }
    t.is(actor!.state, state)
    const explained = [...explainHistory(charts, take, actor!, entries)]
    t.deepEqual(
      explained.map(({ basis, message: type, to, events, refusedBy: by }) => [basis, type, to, events, by]),
      taken,
    )
  })
}

test('a refused command that cannot be replayed is explained by the choices for its refusal', (t) => {
  const before = take(REF, undefined, undefined, sent.request).actor
  const { actor } = take(REF, before, undefined, sent.executeRefused)
  const first = entryOf(0, 'REQUEST', undefined, before, sent.request.now)
  const logged = entryOf(1, 'EXECUTE', before, actor, sent.request.now)
  // No chart makes this record.
  const entry = { ...logged, data: { ...(logged.data as object), expiresAt: { from: 1, to: 2 } } }
  t.like([...explainHistory(charts, take, actor, [first, entry])].at(-1), {
    message: 'EXECUTE',
    basis: 'inferred',
    choices: ['approved.REFUSED[1]'],
    refusedBy: 'organization',
    causes: [{ type: 'AGENT_NOT_ACTIVE' }],
  })
})

const commandOf = (one: Message): Message => (one['command'] as unknown as Message | undefined) ?? one
const commandAt = (name: Sent, now: number): object =>
  'command' in sent[name] ? { command: { ...commandOf(sent[name]), now } } : {}
const refuserIn = (one: Message): unknown => (one.type === 'REFUSED' ? one['by'] : null)

function entryOf(place: number, type: string, before: Actor | undefined, after: Actor, now: number): AuditEntry {
  const chained = { sequence: place + 1, id: `e${place}`, previousHash: '', hash: '' }
  return {
    ...chained,
    resource: 'payment',
    resourceId: 'p1',
    action: actionOf('payment', type, before?.state === after.state, metaOfActor(charts, after)),
    actor: { type: 'SYSTEM', id: 'settlement' },
    at: new Date(now).toISOString(),
    data: difference(before, after),
  }
}

async function read<Body>({ client }: Live, id: string, part: string): Promise<Body> {
  return (await client.get<Body>(`/api/machines/payment/actors/${id}${part}`, ORGANIZATION_KEY)).body
}

/** The history, oldest first, once it ends in this state; mines blocks until then. */
function historyUntil(live: Live, id: string, state: string): Promise<HistoryEntry[]> {
  return until(async () => {
    const { entries } = await read<{ entries: HistoryEntry[] }>(live, id, '/history')
    if (entries[0]!.to === state) return entries.reverse()
    await live.chain.mine(1)
    return undefined
  }, `it does not come to ${state}`)
}

test('the history of a transfer on a chain has every command from its request to its end', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const live = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(live.client, chain)
  const id = await approved(live.client, payer.key, 12.5, newRecipient())
  let isLost = false
  node.deed = ({ method }) => {
    if (method !== 'eth_sendRawTransaction' || isLost) return undefined
    isLost = true
    return { answer: { status: 502 } }
  }
  t.is((await execute(live.client, payer.key, id)).status, 200)
  await settled(live, payer.key, id)
  const { holds } = await read<{ holds: { level: string }[] }>(live, id, '')
  t.deepEqual(new Set(holds.map(({ level }) => level)), new Set(['captured']))
  const history = await historyUntil(live, id, 'executed')
  t.deepEqual(
    history.map(({ message: type, to, basis }) => [type, to, basis]),
    [
      ['REQUEST', 'approved', 'replayed'],
      ['EXECUTE', 'transferring.signing', 'replayed'],
      ['SIGNED', 'transferring.submitting', 'replayed'],
      ['UNKNOWN', 'transferring.unknown', 'replayed'],
      ['ACCEPTED', 'transferred.submitted', 'replayed'],
      ['CONFIRMED', 'transferred.confirmed', 'replayed'],
      ['FINAL', 'executed', 'replayed'],
    ],
  )
  const { lines } = await read<Story>(live, id, '/story')
  t.deepEqual(
    lines.filter(({ kind }) => kind === 'event').map(({ text }) => text),
    ['payment.requested', 'payment.approved', 'payment.executed', 'payment.confirmed'],
  )
})
