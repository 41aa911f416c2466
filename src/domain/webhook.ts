// What an organization keeps of its event endpoint. Secrets are sealed: their text is nowhere in the store.
export interface WebhookSettings {
  webhookUrl: string | null
  /** Sealed; null until an endpoint was configured for the first time. It outlives the endpoint. */
  secret: string | null
  /** The secret that was rotated out, sealed, and until when (epoch ms) it signs beside the new one. */
  previousSecret: string | null
  previousUntil: number | null
}

/** How long a secret that was rotated out still signs. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000
