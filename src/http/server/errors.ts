// The one place that turns refusals and bugs into error answers. A bug is logged and its details are never shown: the
// caller gets INTERNAL_ERROR and a request id.
import type { Middleware } from 'koa'
import { CODES, type Code } from '../../domain/outcomes/codes.js'
import type { Log } from '../../domain/values/log.js'
import { refuse, type Refusal, type Refused } from '../../domain/outcomes/refusal.js'
import type { Exchange, ExchangeState } from './context.js'

/** The body of an error answer: `{error, code}` and the refusal's further members. */
export function errorBody({ code, message, details, reasons, extra }: Refusal): { [member: string]: unknown } {
  const body: { [member: string]: unknown } = { ...extra, error: message, code }
  if (details !== undefined) body.details = details
  if (reasons !== undefined) body.reasons = reasons
  return body
}

/** Of refusals that end by themselves, at no known time, unlike the window of a rate limit. */
const WAIT_SECONDS: { [code in Code]?: string } = { RATE_LIMITED: '5', UNAVAILABLE: '2', NOT_CONFIRMED: '5' }

export function writeRefusal(exchange: Exchange, { refusal }: Refused): void {
  const { status, meaning } = CODES[refusal.code]
  exchange.status = status
  const wait = WAIT_SECONDS[refusal.code]
  if (wait !== undefined && !exchange.res.hasHeader('Retry-After')) exchange.set('Retry-After', wait)
  exchange.vary('Accept')
  const body = errorBody(refusal)
  if (!asksForProblem(exchange.req.headers.accept)) {
    exchange.set('Content-Type', 'application/json; charset=utf-8')
    exchange.body = JSON.stringify(body)
    return
  }
  const { code, message } = refusal
  exchange.set('Content-Type', PROBLEM)
  // The members of RFC 9457 come last: its `status` is a number.
  exchange.body = JSON.stringify({ ...body, type: `/docs#error-${code}`, title: meaning, status, detail: message })
}

const PROBLEM = 'application/problem+json'
const NAMES_PROBLEM = /(?:^|,)\s*application\/problem\+json\s*(?:;([^,]*))?(?:,|$)/i
const REFUSES = /(?:^|;)\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i

/** True when `Accept` names problem details: a client that only takes anything expects the plain form. */
function asksForProblem(accept: string | undefined): boolean {
  const named = accept === undefined ? null : NAMES_PROBLEM.exec(accept)
  return named !== null && !REFUSES.test(named[1] ?? '')
}

/** `isUnavailable` tells failures of the machine from bugs. */
export function catchBugs(log: Log, isUnavailable: (bug: unknown) => boolean): Middleware<ExchangeState> {
  return async (exchange, next) => {
    try {
      await next()
    } catch (bug) {
      log('request failed', { requestId: exchange.state.requestId, route: exchange.state.route, error: bug })
      writeRefusal(exchange, refuse(isUnavailable(bug) ? 'UNAVAILABLE' : 'INTERNAL_ERROR'))
    }
  }
}
