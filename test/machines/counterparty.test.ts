// The status that each state of the counterparty's chart stands for, and that blocked states are those whose gate
// refuses.
import test from 'ava'
import { counterparty } from '../../machines/counterparty.js'
import { counterpartyStatusOf, isBlocked, isListed, STATE_OF_STATUS } from '../../src/domain/parties/counterparty.js'
import { statesOf } from '../support/walk.js'

test('every state of a counterparty maps to a status', (t) => {
  const meanings = statesOf(counterparty).map((state) => [state, counterpartyStatusOf(state)])
  t.deepEqual(Object.fromEntries(meanings), {
    unmet: 'UNKNOWN',
    unmetBlocked: 'BLOCKED',
    'met.unknown': 'UNKNOWN',
    'met.verified': 'VERIFIED',
    'met.trusted': 'TRUSTED',
    blocked: 'BLOCKED',
  })
  t.is(counterpartyStatusOf(undefined), 'UNKNOWN')
})

test('mapping a status to its state and back returns the status', (t) => {
  for (const [status, state] of Object.entries(STATE_OF_STATUS)) t.is(counterpartyStatusOf(state), status as never)
})

test('exactly the states whose gate refuses count as blocked, and only met.trusted and met.verified as listed', (t) => {
  const refusing = statesOf(counterparty).filter((state) => {
    const answers = JSON.stringify(counterparty.root.config.states![state.split('.')[0]!]!.on)
    return answers.includes('refuseBlocked')
  })
  t.deepEqual(statesOf(counterparty).filter(isBlocked), refusing)
  t.deepEqual(statesOf(counterparty).filter(isListed).toSorted(), ['met.trusted', 'met.verified'])
})
