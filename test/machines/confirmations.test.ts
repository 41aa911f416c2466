// payment.confirmed, on the chart alone, when the block of a transfer is reorganized away: once for each hash.
import test from 'ava'
import { charts } from '../../machines/index.js'
import type { Actor, Message } from '../../src/actor/actor.js'
import { ANSWERS } from '../../src/actor/drive.js'
import { createTake } from '../../src/actor/turn.js'
import { traceCourse, type Course } from '../../src/inspect/turnTrace.js'
import { message } from './gateMessages.js'
import { request } from './paymentMessages.js'

const take = createTake(charts)
const form = (hash: string) => ({ transfer: { hash, nonce: 3 } as never })
const confirmed = (txHash: string) => message('CONFIRMED', { txHash, block: 7 })
const reorged = message('REORGED')
const SENT = [request('APPROVED', true, 'live'), message('SIGNED', form('0x1')), message('ACCEPTED')]

/** Drives a command with gates that all agree. */
function courseOf(actor: Actor | undefined, command: Message): Course {
  const course = traceCourse(charts, take, 'payment/p1', actor, { message: command })
  let step = course.next()
  while (!step.done) {
    const { type, now, organization } = step.value.message
    step = course.next({ type: ANSWERS[type]!, now, organization })
  }
  return step.value
}

/** The hashes that payment.confirmed was sent with. */
function announcedIn(messages: Message[]): unknown[] {
  const announced: unknown[] = []
  let actor: Actor | undefined
  for (const one of messages) {
    const course = courseOf(actor, one)
    actor = course.actor
    const events = course.turns.flatMap((turn) => turn.events)
    for (const event of events) if (event === 'payment.confirmed') announced.push(actor.context['txHash'])
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
