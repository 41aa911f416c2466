// What an agent with thresholds is told of its payments, and what it is not told any more.
import test from 'ava'
import { charts } from '../../machines/index.js'
import type { Actor } from '../../src/actor/actor.js'
import type { ActorMove, Left } from '../../src/actor/followUps.js'
import { noteOf as noteOfChange } from '../../src/alerts/autoFreeze.js'
import { paymentChange } from '../../src/alerts/payment.js'

const TERMS = { agentId: 'a1', walletId: 'w1', amount: 5, recipientAddress: '0xa' }

function payment(state: string, context: object = {}): Actor<'payment'> {
  const initial = charts.payment.machine.config.context as object
  const paid = {
    ...initial,
    id: 'p1',
    organization: 'o1',
    terms: TERMS,
    holds: [{ amount: 5 }],
    executedAt: 1,
    ...context,
  }
  return {
    ref: 'payment/p1',
    version: charts.payment.version,
    revision: 1,
    state,
    context: paid,
  } as unknown as Actor<'payment'>
}

function leftWith(state: string): Left {
  const context = { autoFreeze: { action: 'FREEZE', consecutiveFailures: 1 }, activity: null, clock: 7 }
  const agent = { ref: 'agent/a1', version: 1, revision: 1, state, context }
  return {
    organization: 'o1',
    at: 5,
    sequence: () => 1,
    actor: ((ref: string) => (ref === 'agent/a1' ? agent : undefined)) as unknown as Left['actor'],
    keyOwner: () => undefined,
  }
}

function noteOf(move: ActorMove<'payment'>, left: Left) {
  return noteOfChange(paymentChange(move), left)
}

const failure = { before: payment('transferred.submitted'), after: payment('failed', { holds: [] }) }

test('an agent is told of a failure by the later of both clocks', (t) => {
  const [note] = noteOf(failure, leftWith('registered.active'))
  t.like(note, { to: 'agent/a1', message: { type: 'NOTE', now: 7, isFailed: true, isExecuted: false } })
})

test('a deleted agent is told nothing, so that its transfers still fail as they must', (t) => {
  t.deepEqual(noteOf(failure, leftWith('deleted')), [])
})

test('a transfer that is confirmed is told apart from one that was sent', (t) => {
  const before = payment('transferring.submitting', { executedAt: null })
  const sent = payment('transferred.submitted')
  t.like(noteOf({ before, after: sent }, leftWith('registered.active'))[0]!.message, {
    isExecuted: true,
    isConfirmed: false,
  })
  t.like(noteOf({ before: sent, after: payment('transferred.confirmed') }, leftWith('registered.active'))[0]!.message, {
    isExecuted: false,
    isConfirmed: true,
  })
})
