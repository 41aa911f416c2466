// The status that each state of the counterparty's chart shows, and that blocked states are those whose gate refuses.
import test from 'ava'
import { counterparty } from '../../machines/counterparty.js'
import { COUNTERPARTY_STATUSES, isAllowlisted } from '../../src/domain/parties/counterparty.js'
import { statusOfCounterparty, stateOfStatus } from '../../src/commands/status.js'
import { statesOf } from '../support/walk.js'

test('every state of a counterparty shows a status', (t) => {
  const meanings = statesOf(counterparty).map((state) => [state, statusOfCounterparty({ state })])
  t.deepEqual(Object.fromEntries(meanings), {
    unmet: 'UNKNOWN',
    unmetBlocked: 'BLOCKED',
    'met.unknown': 'UNKNOWN',
    'met.verified': 'VERIFIED',
    'met.trusted': 'TRUSTED',
    blocked: 'BLOCKED',
  })
  t.is(statusOfCounterparty(undefined), 'UNKNOWN')
})

test('mapping a status to its state and back returns the status', (t) => {
  for (const status of COUNTERPARTY_STATUSES) t.is(statusOfCounterparty({ state: stateOfStatus(status) }), status)
})

test('exactly the states whose gate refuses count as blocked, and only met.trusted and met.verified as listed', (t) => {
  const refusing = statesOf(counterparty).filter((state) => {
    const answers = JSON.stringify(counterparty.root.config.states![state.split('.')[0]!]!.on)
    return answers.includes('refuseBlocked')
  })
  const showing = (is: (status: ReturnType<typeof statusOfCounterparty>) => boolean): string[] =>
    statesOf(counterparty).filter((state) => is(statusOfCounterparty({ state })))
  t.deepEqual(
    showing((status) => status === 'BLOCKED'),
    refusing,
  )
  t.deepEqual(showing(isAllowlisted).toSorted(), ['met.trusted', 'met.verified'])
})
