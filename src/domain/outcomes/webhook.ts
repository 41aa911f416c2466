// The stored part of an organization's event endpoint. Secrets are sealed; the store never holds their text.
export interface WebhookSettings {
  webhookUrl: string | null
  /** Sealed; null until the first endpoint is configured. It outlives the endpoint. */
  secret: string | null
  /** The previous secret, sealed, and the time (epoch ms) until which it signs beside the new one. */
  previousSecret: string | null
  previousUntil: number | null
}

/** How long a previous secret still signs. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000
