// The messages that walks send to gates: everything one payment may have in flight, in whatever order it comes.
import type { Message } from '../../src/actor/actor.js'

export const ORGANIZATION = 'o1'
/** A Wednesday noon, and the Thursday after it. */
export const TODAY = Date.UTC(2024, 1, 28, 12)
export const TOMORROW = Date.UTC(2024, 1, 29, 12)

export function message(type: string, fields: Partial<Message> = {}): Message {
  return { type, now: TODAY, organization: ORGANIZATION, ...fields }
}

/** Two executions of a payment, the second on the next day, each given up, and the end of its hold. */
export function asksOf(holder: string, amount: number, terms?: { [name: string]: string }): Message[] {
  const ask = (type: string, attempt: number, now: number): Message => {
    return message(type, { now, holder, attempt, amount, ...(terms && { terms }) })
  }
  return [
    ask('RESERVE', 0, TODAY),
    ask('CAPTURE', 1, TODAY),
    ask('CAPTURE', 2, TOMORROW),
    ask('RESTORE', 1, TODAY),
    ask('RESTORE', 2, TOMORROW),
    ask('RELEASE', 2, TODAY),
  ]
}

/** A payment of the next day that is executed once and never given up, which makes fewer worlds. */
export function fewAsksOf(holder: string, amount: number): Message[] {
  const once = asksOf(holder, amount).filter(({ type, attempt }) => attempt !== 2 || type === 'RELEASE')
  return once.filter(({ type }) => type !== 'RESTORE').map((ask) => ({ ...ask, now: TOMORROW }))
}

/** What the gates under an asking actor answer, to whatever it asked. */
export const ANSWERS: Message[] = ['HELD', 'CAPTURED', 'RESTORED', 'RELEASED'].map((type) => message(type))
