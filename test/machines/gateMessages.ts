// The messages that walks send to gates: everything one payment may have in flight, in whatever order it comes.
import type { Message } from '../../src/actor/actor.js'
import type { GateMessage } from '../../src/domain/gate.js'
import type { LimitTerm } from '../../src/domain/limit.js'

export const ORGANIZATION = 'o1'
/** A Wednesday noon, and the Thursday after it. */
export const TODAY = Date.UTC(2024, 1, 28, 12)
export const TOMORROW = Date.UTC(2024, 1, 29, 12)
const DAY = TOMORROW - TODAY
/** What was spent before a budget was asked for the first time. */
export const OPENED_WITH = 10

export function message(type: string, fields: Partial<Message> = {}): Message {
  return { type, now: TODAY, organization: ORGANIZATION, ...fields }
}

/** A limit of a policy on what it measures; a count is one of two days. */
export function limitTo(limit: number, measure: LimitTerm['measure'], of: LimitTerm['of'] = 'AGENT'): LimitTerm {
  const rule = { policyId: 'y1', policyVersion: 1, ruleId: 'r1', violation: 'DAILY_LIMIT' } as const
  return { of, measure, limit, ...(measure === 'COUNT' && { periodMs: 2 * DAY }), ...rule }
}

/** What a payment tells a gate beside its amount. */
type Told = Pick<GateMessage, 'terms' | 'limits' | 'recent' | 'opening'>

/** Two executions of a payment, the second on the next day, each given up, and the end of its hold. */
export function asksOf(holder: string, amount: number, told: Told = {}): Message[] {
  const ask = (type: string, attempt: number, now: number): Message => {
    return message(type, { now, holder, attempt, amount, ...(told as Partial<Message>) })
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

/** A payment of the next day that is executed once and never given up, which makes fewer worlds. */
export function fewAsksOf(holder: string, amount: number, told: Told = {}): Message[] {
  const once = asksOf(holder, amount, told).filter(({ type, attempt }) => attempt !== 2 || type === 'RELEASE')
  return once.filter(({ type }) => type !== 'RESTORE').map((ask) => ({ ...ask, now: TOMORROW }))
}

/** What the gates under an asking actor answer, to whatever it asked. */
export const ANSWERS: Message[] = ['ADMITTED', 'HELD', 'CAPTURED', 'RECONCILED', 'RESTORED', 'RELEASED'].map((type) =>
  message(type),
)
