// Reads what a server says with HTTP 402 of x402: the decoded body, or the header PAYMENT-REQUIRED as it came.
import { readOffer, type ReadOffer } from '../../commands/payments/x402/offers.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { X402_VERSION, type Offer } from '../../domain/payment/x402.js'
import type { Json } from '../../domain/values/canonical.js'
import { objectProblem } from './freeJson.js'
import { readAs } from './schemas.js'

const MAX_OFFERS = 32
const MAX_HEADER = 64 * 1024
/** Of `extra`: it is kept with the payment. */
const MAX_EXTRA_BYTES = 1_024
const MAX_TEXT = 200

export type ReadOffers = readonly [ReadOffer, ...ReadOffer[]]

export function paymentRequired() {
  const description = {
    description: `What the server answered with HTTP 402: the header PAYMENT-REQUIRED as text, or what it decodes to. Version ${X402_VERSION} of x402.`,
    anyOf: [
      { type: 'string', format: 'byte', maxLength: MAX_HEADER },
      {
        type: 'object',
        properties: {
          x402Version: { const: X402_VERSION },
          accepts: { type: 'array', items: { type: 'object', properties: {} }, maxItems: MAX_OFFERS },
        },
        required: ['x402Version', 'accepts'],
      },
    ],
  }
  return readAs<ReadOffers>(description, (value) => readOffers(typeof value === 'string' ? decoded(value) : value))
}

/** Undefined for text that is no JSON in base64. */
export function decoded(header: string): unknown {
  try {
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header.slice(0, MAX_HEADER), 'base64')),
    )
  } catch {
    return undefined
  }
}

function readOffers(value: unknown): Result<ReadOffers, 'VALIDATION_ERROR'> {
  const { x402Version, accepts } = (isObject(value) ? value : {}) as { x402Version?: unknown; accepts?: unknown }
  if (x402Version !== X402_VERSION) return refuse('VALIDATION_ERROR', `must be of version ${X402_VERSION} of x402`)
  if (!Array.isArray(accepts) || accepts.length > MAX_OFFERS) {
    return refuse('VALIDATION_ERROR', `must have at most ${MAX_OFFERS} offers in accepts`)
  }
  const [first, ...others] = accepts.flatMap((one) => offerIn(one) ?? [])
  if (first) return succeed([first, ...others])
  return refuse(
    'VALIDATION_ERROR',
    'must have an offer in accepts with an amount and an address on an EVM chain to pay to',
  )
}

function offerIn(value: unknown): ReadOffer | undefined {
  if (!isObject(value)) return undefined
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = value
  const texts = [scheme, network, amount, asset, payTo]
  if (!texts.every(isShortText) || !isTimeout(maxTimeoutSeconds) || !isExtra(extra)) return undefined
  const offer = { scheme, network, amount, asset, payTo, maxTimeoutSeconds, ...(extra !== undefined && { extra }) }
  return readOffer(offer as Offer)
}

function isObject(value: unknown): value is { [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed()
}

function isTimeout(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isExtra(value: unknown): value is Json | undefined {
  return value === undefined || objectProblem(value, MAX_EXTRA_BYTES) === undefined
}
