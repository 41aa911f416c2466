// A faulty network in front of a real service: it applies faults to the requests of one client in the given order,
// before or after they take effect, and then passes everything on.
import type { Scope } from '../support/process.js'
import { serve, tell, type Sent } from '../support/server.js'

export const FAULTS = ['none', 'unavailable', 'cut', 'cutBefore', 'silence'] as const
/** Answers that say nothing about the outcome. The proxy gives them itself and does not pass the request on. */
const OTHERS = {
  forbidden: { status: 403, body: JSON.stringify({ error: 'The key lacks a scope', code: 'INSUFFICIENT_SCOPE' }) },
  limited: { status: 429, headers: { 'Retry-After': '0' }, body: 'slow down' },
  unreachable: { status: 502, body: 'gone' },
}
type Answered = keyof typeof OTHERS
const isAnswer = (fault: Fault | Answered): fault is Answered => fault in OTHERS

/**
 * `unavailable`: carried out, answered 503. `cut`: carried out, the connection dies. `cutBefore`: it dies before.
 * `silence`: carried out, and no answer ever comes.
 */
export type Fault = (typeof FAULTS)[number]

export interface Proxy {
  url: string
  sent: Sent[]
}

export function proxyTo(scope: Scope, target: string, faults: readonly (Fault | Answered)[]): Promise<Proxy> {
  let next = 0
  return serve(scope, async (sent, response) => {
    const fault = faults[next++] ?? 'none'
    if (isAnswer(fault)) return tell(response, OTHERS[fault])
    if (fault === 'cutBefore') return void response.destroy()
    const answer = await forward(target, sent)
    if (fault === 'cut') return void response.destroy()
    if (fault === 'unavailable') return tell(response, { status: 503, headers: { 'Retry-After': '0' }, body: 'gone' })
    if (fault === 'none') tell(response, answer)
  })
}

async function forward(target: string, { method, path, headers, text }: Sent) {
  const passed = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const answer = await fetch(target + path, { method, headers: passed, body: text === '' ? null : text })
  return { status: answer.status, body: await answer.text() }
}
