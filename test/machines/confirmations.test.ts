// payment.confirmed, on the chart alone, when the block of a transfer is reorganized away: once while the hash is the same.
import test from 'ava'
import { fieldsOf, type Message } from '../../src/actor/actor.js'
import { message } from '../support/gateMessages.js'
import { request } from '../support/paymentMessages.js'
import { stepIn, type World } from '../support/walk.js'

const form = (hash: string) => ({ transfer: { hash, nonce: 3 } as never })
const confirmed = (txHash: string) => message('CONFIRMED', { txHash, block: 7 })
const reorged = message('REORGED')
const SENT = [request('APPROVED', true, 'live'), message('SIGNED', form('0x1')), message('ACCEPTED')]

/** The hashes that payment.confirmed was sent with. */
function announcedIn(messages: Message[]): unknown[] {
  const announced: unknown[] = []
  let world: World = { actor: undefined, holds: {} }
  for (const one of messages) {
    const { turn, after } = stepIn('payment/p1', world, one)
    world = after
    const isTold = turn.events.some(({ event }) => event === 'payment.confirmed')
    if (isTold) announced.push(fieldsOf(after.actor!)['txHash'])
  }
  return announced
}

test('the same hash is announced once', (t) => {
  t.deepEqual(announcedIn([...SENT, confirmed('0x1')]), ['0x1'])
  t.deepEqual(announcedIn([...SENT, confirmed('0x1'), reorged, confirmed('0x1')]), ['0x1'])
  t.deepEqual(announcedIn([...SENT, confirmed('0x1'), reorged, message('ACCEPTED'), confirmed('0x1')]), ['0x1'])
})

test('another hash is announced again', (t) => {
  const raised = message('REPLACED', form('0x2'))
  const renamed = message('ACCEPTED', { txHash: '0x3' })
  t.deepEqual(announcedIn([...SENT, confirmed('0x1'), reorged, raised, confirmed('0x2')]), ['0x1', '0x2'])
  t.deepEqual(announcedIn([...SENT, confirmed('0x1'), reorged, confirmed('0x2')]), ['0x1', '0x2'])
  t.deepEqual(announcedIn([...SENT, confirmed('0x1'), reorged, renamed, confirmed('0x3')]), ['0x1', '0x3'])
  t.deepEqual(announcedIn([...SENT, raised, confirmed('0x1')]), ['0x1'])
})
