// The webhook endpoints of an organization and its agents, read from their actors.
import type { Actor } from '../actor/actor.js'
import type { WebhookSettings } from '../domain/outcomes/webhook.js'

export interface WebhookEndpoint {
  url: string
  /** Sealed; null while the organization has none. */
  secret: string | null
  /** The previous secret, sealed, while it still signs beside the current one. */
  previousSecret: string | null
}

export function settingsOf(organization: Actor<'organization'>): WebhookSettings {
  return organization.context.webhook
}

/** The agent's callback URL; null where it has none or is deleted. */
export function callbackOf(agent: Actor<'agent'> | undefined): string | null {
  if (agent === undefined || agent.state === 'deleted') return null
  return agent.context.fields.callbackUrl
}

/**
 * The endpoint of a delivery at `now`; undefined when it was removed. `agent` is null for the organization's endpoint.
 * Callbacks are signed with the organization's secret.
 */
export function endpointOf(
  organization: Actor<'organization'>,
  agent: Actor<'agent'> | undefined | null,
  now: number,
): WebhookEndpoint | undefined {
  const { webhookUrl, secret, previousSecret, previousUntil } = settingsOf(organization)
  const url = agent === null ? webhookUrl : callbackOf(agent)
  if (url === null) return undefined
  return { url, secret, previousSecret: (previousUntil ?? 0) > now ? previousSecret : null }
}
