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
  const newId = inPortions(random)
  return (exchange, next) => {
    const given = exchange.req.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : newId()
    exchange.state.requestId = requestId
    exchange.res.setHeader('X-Request-Id', requestId)
    return next()
  }
}

const PORTION_BYTES = 4096
const ID_DIGITS = 32

/** Draws randomness for many ids at once: a draw costs more than all else about an id. */
function inPortions(random: Random): () => string {
  let digits = ''
  let used = 0
  return () => {
    if (used === digits.length) {
      digits = Buffer.from(random(PORTION_BYTES)).toString('hex')
      used = 0
    }
    used += ID_DIGITS
    return digits.slice(used - ID_DIGITS, used)
  }
}
