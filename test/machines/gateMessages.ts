// The messages that walks send to gates: everything that one payment may have in flight, in any order.
import type { Message } from '../../src/actor/actor.js'
import type { GateMessage } from '../../src/domain/gate.js'
import type { LimitTerm } from '../../src/domain/limit.js'

export const ORGANIZATION = 'o1'
/** Noon on a Wednesday, and on the Thursday after it. */
export const TODAY = Date.UTC(2024, 1, 28, 12)
export const TOMORROW = Date.UTC(2024, 1, 29, 12)
const DAY = TOMORROW - TODAY
/** The amount spent before a budget received its first ask. */
export const OPENED_WITH = 10

export function message(type: string, fields: Partial<Message> = {}): Message {
  return { type, now: TODAY, organization: ORGANIZATION, ...fields }
}

/** A policy's limit on a measure; counts are over two days. */
export function limitTo(limit: number, measure: LimitTerm['measure'], of: LimitTerm['of'] = 'AGENT'): LimitTerm {
  const rule = { policyId: 'y1', policyVersion: 1, ruleId: 'r1', violation: 'DAILY_LIMIT' } as const
  return { of, measure, limit, ...(measure === 'COUNT' && { periodMs: 2 * DAY }), ...rule }
}

/** What a payment sends to a gate besides its amount. */
type AskDetails = Pick<GateMessage, 'terms' | 'limits' | 'recent' | 'opening'>

/** Two execution attempts of a payment, the second on the next day, both abandoned, and the release of its hold. */
export function asksOf(holder: string, amount: number, details: AskDetails = {}): Message[] {
  const ask = (type: string, attempt: number, now: number): Message => {
    return message(type, { now, holder, attempt, amount, ...(details as Partial<Message>) })
  }
  return [
    ask('RESERVE', 0, TODAY),
    ask('CAPTURE', 1, TODAY),
    ask('CAPTURE', 2, TOMORROW),
    ask('SETTLE', 1, TODAY),
    ask('RESTORE', 1, TODAY),
    ask('RESTORE', 2, TOMORROW),
    ask('RELEASE', 2, TODAY),
  ]
}

/** A payment of the next day with one attempt that is never abandoned, which makes fewer worlds. */
export function fewAsksOf(holder: string, amount: number, details: AskDetails = {}): Message[] {
  const once = asksOf(holder, amount, details).filter(({ type, attempt }) => attempt !== 2 || type === 'RELEASE')
  return once.filter(({ type }) => type !== 'RESTORE').map((ask) => ({ ...ask, now: TOMORROW }))
}

/** All answers of gates except REFUSED; walks send each of them, whatever the actor asked. */
export const ANSWERS: Message[] = ['ADMITTED', 'HELD', 'CAPTURED', 'RECONCILED', 'RESTORED', 'RELEASED'].map((type) =>
  message(type),
)
