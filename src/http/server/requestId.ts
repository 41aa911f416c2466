// Sets the `X-Request-Id` of every answer: the caller's own if it is 1 to 128 visible characters, else a random one.
import type { Middleware } from 'koa'
import type { Random } from '../../domain/values/ids.js'
import type { ContextState } from './context.js'

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

export function newRequestId(random: Random): string {
  return Buffer.from(random(16)).toString('hex')
}

export function requestIds(random: Random): Middleware<ContextState> {
  return (context, next) => {
    const given = context.req.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : newRequestId(random)
    context.state.requestId = requestId
    context.res.setHeader('X-Request-Id', requestId)
    return next()
  }
}
