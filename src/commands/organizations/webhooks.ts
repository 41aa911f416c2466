// Commands on an organization's event endpoint, signing secret and deliveries.
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { DeliveryPage, Paging } from '../../actor/query.js'
import type { Delivery, DeliveryStatus } from '../../domain/outcomes/delivery.js'
import { CARRIES_REDACTED, unredactedUrl } from '../../domain/audit/redact.js'
import { refuse, refuseField, succeed, type Result } from '../../domain/outcomes/result.js'
import { SECRET_OVERLAP_MS, type WebhookSettings } from '../../domain/outcomes/webhook.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { find, outcome, send } from '../send.js'
import { findOrganization } from './organizations.js'
import type { Caller, RecordQueued, Services } from '../ports.js'

export interface Configured<K extends string = 'organization'> {
  actor: Actor<K>
  /** Present where this command made it; it is never shown again. */
  secret?: string
}

/** Sends the organization a command that may give it a new signing secret. */
async function withSecret(
  services: Services,
  caller: Caller,
  type: string,
  fields: object,
): Promise<Result<Configured, 'INVALID_STATUS'>> {
  const { organization } = caller.principal
  const { secret, sealed } = services.newSigningSecret(organization)
  const told = await send(services, caller, `organization/${organization}`, type, { ...fields, secret: sealed })
  const done = outcome<'organization', 'INVALID_STATUS'>(told, {
    INVALID_STATUS: 'Configure an endpoint first, which makes the first secret',
  })
  if (!done.ok) return done
  const actor = done.value
  return succeed({ actor, ...(webhookOf(actor).secret === sealed && { secret }) })
}

function webhookOf(organization: Actor<'organization'>): WebhookSettings {
  return organization.context.webhook
}

export async function setWebhook(
  services: Services,
  caller: Caller,
  given: string,
): Promise<Result<Configured, 'INVALID_STATUS' | 'VALIDATION_ERROR'>> {
  const url = unredactedUrl(given, await endpointUrl(services, caller))
  return url === undefined ? refuseField('url', CARRIES_REDACTED) : withSecret(services, caller, 'SET_WEBHOOK', { url })
}

/** The message that makes the organization's signing secret where there is none; `isNew` if it did. */
export function secretFor({ newSigningSecret }: Services, organization: string) {
  const { secret, sealed } = newSigningSecret(organization)
  const to = `organization/${organization}` as const
  const isNew = (left: View): boolean => left(to)!.context.webhook.secret === sealed
  return { command: { to, type: 'ISSUE_SECRET', fields: { secret: sealed } }, secret, isNew }
}

/** The old secret goes on signing beside the new one for a day. */
export function rotateSecret(services: Services, caller: Caller): Promise<Result<Configured, 'INVALID_STATUS'>> {
  return withSecret(services, caller, 'ROTATE_SECRET', { overlapMs: SECRET_OVERLAP_MS })
}

export async function clearWebhook(
  services: Services,
  caller: Caller,
): Promise<Result<Actor<'organization'>, 'INVALID_STATUS'>> {
  return outcome(await send(services, caller, `organization/${caller.principal.organization}`, 'CLEAR_WEBHOOK'))
}

export interface DeliveryList extends Paging {
  status?: DeliveryStatus | undefined
}

export function listDeliveries(
  services: Services,
  caller: Caller,
  query: DeliveryList,
): Promise<DeliveryPage | undefined> {
  return services.query.deliveries({ ...query, organization: caller.principal.organization })
}

const NO_ENDPOINT = 'Configure an endpoint first: there is nowhere to send to'
const NO_CALLBACK = 'The agent has no callback URL any more: there is nowhere to send to'

async function endpointUrl(services: Services, caller: Caller): Promise<string | null> {
  return webhookOf(await findOrganization(services, caller)).webhookUrl
}

async function callbackUrl(services: Services, caller: Caller, agentId: string): Promise<string | null> {
  const agent = await find(services, caller, 'agent', agentId)
  return agent.ok ? agent.value.context.fields.callbackUrl : null
}

/** Sends a sample payment.confirmed to the organization's endpoint; the value is the delivery's id. */
export async function testWebhook(
  services: Services,
  caller: Caller,
  record: RecordQueued,
): Promise<Result<string, 'INVALID_STATUS'>> {
  const webhookUrl = await endpointUrl(services, caller)
  if (webhookUrl === null) return refuse('INVALID_STATUS', NO_ENDPOINT)
  const { organization } = caller.principal
  const at = services.now()
  const data = JSON.stringify({ ...services.testPayload(at), organizationId: organization })
  const told = { organization, agentId: null, event: 'payment.confirmed', at, data, target: webhookUrl }
  return succeed(await services.enqueue(told, record))
}

const NO_CHANNEL = 'The channel is paused or was removed: there is nowhere to send to'

/** Where the channel sends; null where it takes nothing. */
async function channelTarget(services: Services, caller: Caller, channelId: string): Promise<string | null> {
  const channel = await find(services, caller, 'channel', channelId)
  return channel.ok && channel.value.state === 'kept.active' ? channel.value.context.fields.target : null
}

/** Sends an event again, as a new delivery, to the endpoint's present URL, or to the channel as it is. */
export async function redeliver(
  services: Services,
  caller: Caller,
  id: string,
  record: RecordQueued,
): Promise<Result<string, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const { organization } = caller.principal
  const found = await services.query.delivery(organization, id)
  if (!found) return refuse('NOT_FOUND', `There is no delivery ${id}`)
  const again = await newDelivery(services, caller, found)
  if (!again.ok) return again
  // One commit: both are written before either is awaited.
  const [noted, delivery] = await Promise.all([
    send(services, caller, `organization/${organization}`, 'REDELIVER', { delivery: id }),
    services.enqueue(again.value, record),
  ])
  const done = outcome<'organization', 'INVALID_STATUS'>(noted)
  return done.ok ? succeed(delivery) : done
}

type Again = Parameters<Services['enqueue']>[0]

/** What is sent again, where there is somewhere to send it. */
async function newDelivery(
  services: Services,
  caller: Caller,
  found: Delivery,
): Promise<Result<Again, 'INVALID_STATUS'>> {
  const { organization } = caller.principal
  const { agentId, channelId, event, at, data, target, subject } = found
  if (channelId !== undefined) {
    const channel = await channelTarget(services, caller, channelId)
    if (channel === null) return refuse('INVALID_STATUS', NO_CHANNEL)
    return succeed({
      organization,
      agentId,
      channelId,
      event,
      at,
      data,
      target: channel,
      ...omitUndefined({ subject }),
    })
  }
  const url = await (agentId === null ? endpointUrl(services, caller) : callbackUrl(services, caller, agentId))
  if (url === null) return refuse('INVALID_STATUS', agentId === null ? NO_ENDPOINT : NO_CALLBACK)
  return succeed({ organization, agentId, event, at, data, target })
}
