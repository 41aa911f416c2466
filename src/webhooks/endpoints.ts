// Where an organization and its agents want to be told of events, read from the actors that keep it.
import type { Actor } from '../actor/actor.js'
import type { AgentFields } from '../domain/agent.js'
import type { WebhookSettings } from '../domain/webhook.js'

export interface Endpoint {
  url: string
  /** Sealed; null while the organization has none. */
  secret: string | null
  /** The secret before, sealed, while it still signs beside it. */
  previousSecret: string | null
}

/** The settings in an organization's actor. */
export function settingsOf(organization: Actor): WebhookSettings {
  return organization.context['webhook'] as unknown as WebhookSettings
}

/** The callback URL in an agent's actor; null for none and for an agent that is gone. */
export function callbackOf(agent: Actor | undefined): string | null {
  if (agent === undefined || agent.state === 'deleted') return null
  return (agent.context['fields'] as unknown as AgentFields).callbackUrl
}

/**
 * Where a delivery goes at `now`; undefined when its endpoint is gone. `agent` is null for the organization's own;
 * callbacks use the organization's secret.
 */
export function endpointOf(organization: Actor, agent: Actor | undefined | null, now: number): Endpoint | undefined {
  const { webhookUrl, secret, previousSecret, previousUntil } = settingsOf(organization)
  const url = agent === null ? webhookUrl : callbackOf(agent)
  if (url === null) return undefined
  return { url, secret, previousSecret: (previousUntil ?? 0) > now ? previousSecret : null }
}
