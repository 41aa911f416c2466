// Gives every answer an `X-Request-Id`: the caller's own where it is 1 to 128 visible characters, else a random one.
import type { Middleware } from 'koa'
import type { ExchangeState } from './exchange.js'

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

/** Bytes of randomness, injected. */
export type Random = (bytes: number) => Uint8Array

export function newRequestId(random: Random): string {
  return Buffer.from(random(16)).toString('hex')
}

export function requestIds(random: Random): Middleware<ExchangeState> {
  const pooled = inPool(random)
  return (exchange, next) => {
    const given = exchange.req.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : newRequestId(pooled)
    exchange.state.requestId = requestId
    exchange.set('X-Request-Id', requestId)
    return next()
  }
}

const POOL_BYTES = 4096

/** Draws randomness for many requests at once: a draw costs as much as a fifth of a request. */
function inPool(random: Random): Random {
  let pool = new Uint8Array(0)
  return (bytes) => {
    if (pool.length < bytes) pool = Uint8Array.from(random(POOL_BYTES))
    const drawn = pool.subarray(0, bytes)
    pool = pool.subarray(bytes)
    return drawn
  }
}
