// What an idempotency key remembers: the first committed answer, so that the same request meets it again.
import type { Json } from './canonical.js'

export interface Memory {
  /** Principal, route and key in one; unique over the installation. */
  key: string
  /** SHA-256 (hex) of the RFC 8785 form of the request's body. */
  bodyHash: string
  status: number
  /** The answer without its secrets. */
  body: Json
  /** Epoch ms after which the row may go; null keeps it as long as the payment it made. */
  expiresAt: number | null
}
