// The messages that walks send to gates: everything that one payment may have in flight, in any order.
import type { Message } from '../../src/actor/actor.js'
import type { GateMessage } from '../../src/domain/limits/gate.js'
import type { LimitTerm } from '../../src/domain/limits/limit.js'

const ORGANIZATION = 'o1'
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
type AskDetails = Pick<GateMessage, 'terms' | 'limits' | 'opening'>

/** Everything that one payment may ask, today and on the next day. */
export function asksOf(holder: string, amount: number, details: AskDetails = {}): Message[] {
  const ask = (type: string, now: number): Message =>
    message(type, { now, holder, amount, ...(details as Partial<Message>) })
  return [
    ask('RESERVE', TODAY),
    ask('CAPTURE', TODAY),
    ask('CAPTURE', TOMORROW),
    ask('SETTLE', TODAY),
    ask('RESTORE', TODAY),
    ask('RESTORE', TOMORROW),
    ask('RELEASE', TODAY),
  ]
}

/** A payment of the next day that restores no capture, which makes fewer worlds. */
export function fewAsksOf(holder: string, amount: number, details: AskDetails = {}): Message[] {
  const asks = asksOf(holder, amount, details).filter(({ now, type }) => now === TODAY && type !== 'RESTORE')
  return asks.map((ask) => ({ ...ask, now: TOMORROW }))
}
