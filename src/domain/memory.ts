// Idempotency records: the first committed answer under a key, given again to the same request.
import type { Json } from './canonical.js'

export interface Memory {
  /** Principal, route and key in one; unique in the installation. */
  key: string
  /** SHA-256 (hex) of the RFC 8785 form of the request's body. */
  bodyHash: string
  status: number
  /** The answer without its secrets. */
  body: Json
  /** Epoch ms from which the row may be removed; null keeps it as long as its payment. */
  expiresAt: number | null
}
