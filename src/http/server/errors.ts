// The one place that turns refusals and bugs into error answers. A bug is logged and its details are never shown: the
// caller gets INTERNAL_ERROR and a request id.
import type { Middleware } from 'koa'
import { CODES, type Code } from '../../domain/outcomes/codes.js'
import type { Log } from '../../domain/values/log.js'
import { refuse, type Refusal, type Refused } from '../../domain/outcomes/result.js'
import type { Context, ContextState } from './context.js'

/** The body of an error answer: `{error, code}` and the refusal's further members. */
function errorBody({ code, message, details, reasons, extra }: Refusal): { [member: string]: unknown } {
  const body: { [member: string]: unknown } = { ...extra, error: message, code }
  if (details !== undefined) body.details = details
  if (reasons !== undefined) body.reasons = reasons
  return body
}

/** Of refusals that end by themselves, at no known time, unlike the window of a rate limit. */
const WAIT_SECONDS: { [code in Code]?: string } = {
  RATE_LIMITED: '5',
  UNAVAILABLE: '2',
  NOT_CONFIRMED: '5',
  NO_OWNER: '1',
}

export function writeRefusal(context: Context, { refusal }: Refused): void {
  const { status, meaning } = CODES[refusal.code]
  context.status = status
  const wait = WAIT_SECONDS[refusal.code]
  if (wait !== undefined && !context.res.hasHeader('Retry-After')) context.set('Retry-After', wait)
  context.vary('Accept')
  const body = errorBody(refusal)
  if (!asksForProblem(context.req.headers.accept)) {
    context.set('Content-Type', 'application/json; charset=utf-8')
    context.body = JSON.stringify(body)
    return
  }
  const { code, message } = refusal
  context.set('Content-Type', PROBLEM)
  // The members of RFC 9457 come last: its `status` is a number.
  context.body = JSON.stringify({ ...body, type: `/docs#error-${code}`, title: meaning, status, detail: message })
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
export function catchBugs(log: Log, isUnavailable: (bug: unknown) => boolean): Middleware<ContextState> {
  return async (context, next) => {
    try {
      await next()
    } catch (bug) {
      log('request failed', { requestId: context.state.requestId, route: context.state.route, error: bug })
      writeRefusal(context, refuse(isUnavailable(bug) ? 'UNAVAILABLE' : 'INTERNAL_ERROR'))
    }
  }
}
