// Idempotency records: the first committed answer under a key, given again to the same request.
import type { Json } from '../values/canonical.js'

export interface IdempotencyRecord {
  /** Unique in the installation: the ref of the payment that is requested, else principal, path and key in one. */
  key: string
  /** SHA-256 (hex) of the RFC 8785 form of the request's body. */
  bodyHash: string
  status: number
  /** The answer without its secrets. */
  body: Json
  /** Epoch ms from which the row may be removed; null keeps it as long as its payment. */
  expiresAt: number | null
}
