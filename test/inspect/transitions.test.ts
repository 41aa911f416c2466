// The transition of an audit entry, found in the chart by state, command and guard.
import test from 'ava'
import { charts, type Kind } from '../../machines/index.js'
import type { Actor, Message } from '../../src/actor/actor.js'
import { createTurns } from '../../src/actor/turn.js'
import { AUDIT_FORMAT, difference, type AuditEntry, type RecordedTurn } from '../../src/domain/audit/entry.js'
import { choicesFor, messagesFor, outlineOf, statesWithin } from '../../src/inspect/outline.js'
import { explainHistory } from '../../src/inspect/history.js'
import { message } from '../support/gateMessages.js'
import { request } from '../support/paymentMessages.js'

for (const [kind, { machine }] of Object.entries(charts)) {
  test(`a guard names one transition of a state of ${kind} for a message`, (t) => {
    for (const { path, children } of statesWithin(outlineOf(machine))) {
      if (children.length > 0) continue
      for (const type of messagesFor(machine, path)) {
        const guards = choicesFor(machine, path, type).map(({ guard }) => guard)
        // What follows a transition without a guard, in a state around this one, is never taken.
        const last = guards.indexOf(undefined)
        if (last >= 0) guards.length = last + 1
        t.is(new Set(guards).size, guards.length, `${path} ${type}`)
      }
    }
  })
}

const REF = 'payment/p1'
const take = createTurns(charts)
const requested = request('APPROVED', false, 'live')
const filed = take(REF, undefined, undefined, requested).actor
const violations = [{ type: 'AGENT_NOT_ACTIVE', message: 'It is paused' }]

function executed(turn: Partial<RecordedTurn>, more: Partial<Message> = {}): AuditEntry[] {
  const execute = message('EXECUTE')
  const refused = message('REFUSED', {
    by: 'organization',
    ask: 'ADMIT',
    violations,
    command: execute as never,
    ...more,
  })
  const { actor } = take(REF, filed, undefined, refused)
  return [
    entryOf(1, { command: 'REQUEST' }, undefined, filed),
    entryOf(2, { command: 'EXECUTE', ...turn }, filed, actor),
  ]
}

function entryOf(sequence: number, turn: RecordedTurn, before: Actor | undefined, after: Actor): AuditEntry {
  const chained = { sequence, id: `e${sequence}`, previousHash: '', hash: '', at: new Date(0).toISOString() }
  const by = { type: 'SYSTEM', id: 'settlement' }
  const action = `payment.${turn.command.toLowerCase()}`
  const data = difference(before, after)
  return {
    format: AUDIT_FORMAT,
    ...chained,
    resource: 'payment' satisfies Kind,
    resourceId: 'p1',
    action,
    actor: by,
    turn,
    data,
  }
}

const lastOf = (entries: AuditEntry[]) => [...explainHistory(charts, filed, entries)].at(-1)!

test('a command that a gate refused is explained by a transition for its refusal', (t) => {
  t.like(lastOf(executed({ refusedBy: 'organization/o1' })), {
    message: 'EXECUTE',
    choice: 'approved.REFUSED[1]',
    guard: null,
    refusedBy: 'organization',
    gate: 'organization/o1',
    causes: [{ type: 'AGENT_NOT_ACTIVE' }],
  })
})

test('a guard that the chart no longer has is shown without a transition', (t) => {
  t.like(lastOf(executed({ guard: 'isFormer' })), { guard: 'isFormer', choice: null, passedOver: [], actions: [] })
})
