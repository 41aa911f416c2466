// Webhook routes: the endpoint, its signing secret and the delivery log. Only the answer that creates a secret contains
// it.
import * as v from 'valibot'
import type { Services } from '../../commands/ports.js'
import { findOrganization } from '../../commands/organizations/organizations.js'
import {
  clearWebhook,
  listDeliveries,
  redeliver,
  rotateSecret,
  setWebhook,
  testWebhook,
  type Configured,
  type DeliveryList,
} from '../../commands/organizations/webhooks.js'
import type { Actor } from '../../actor/actor.js'
import { DELIVERY_STATUSES, type Delivery } from '../../domain/outcomes/delivery.js'
import { redactedUrl } from '../../domain/audit/redact.js'
import { destinationOf, eventUrl } from './eventUrl.js'
import { page } from '../input/querySchemas.js'
import {
  answered,
  answeredOnce,
  iso,
  ok,
  paginationOf,
  paginationSchema,
  queuedAnswer,
  queuedSchema,
  succeeded,
  success,
  wrongCursor,
} from '../server/respond.js'
import { route } from '../server/route.js'
import { enumOf, shownOnce, recordSchema } from '../input/schemas.js'

const webhookSchema = recordSchema('Webhook', {
  url: v.nullable(v.string()),
  webhookConfigured: v.boolean(),
  previousSecretExpiresAt: v.nullable(v.string()),
  webhookSecret: v.optional(v.string()),
})

export const signingSecretSchema = recordSchema('SigningSecret', { webhookSecret: shownOnce })

const attemptSchema = v.object({
  at: v.string(),
  statusCode: v.optional(v.number()),
  error: v.optional(v.string()),
  durationMs: v.number(),
})

const deliverySchema = recordSchema('Delivery', {
  id: v.string(),
  event: v.string(),
  target: v.string(),
  agentId: v.nullable(v.string()),
  channelId: v.optional(v.string()),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.array(attemptSchema),
  nextAttemptAt: v.nullable(v.string()),
  createdAt: v.string(),
})
const deliveryListSchema = recordSchema('DeliveryList', {
  deliveries: v.array(deliverySchema),
  pagination: paginationSchema,
})

/** The endpoint's fields in the organization's record. */
export function organizationWebhook(organization: Actor<'organization'>): {
  webhookUrl: string | null
  webhookConfigured: boolean
} {
  const { webhookUrl } = organization.context.webhook
  return { webhookUrl: webhookUrl === null ? null : redactedUrl(webhookUrl), webhookConfigured: webhookUrl !== null }
}

function webhookRecord(organization: Actor<'organization'>, now: number): v.InferOutput<typeof webhookSchema> {
  const { previousUntil } = organization.context.webhook
  const { webhookUrl: url, webhookConfigured } = organizationWebhook(organization)
  const overlaps = previousUntil !== null && previousUntil > now
  return { url, webhookConfigured, previousSecretExpiresAt: overlaps ? iso(previousUntil) : null }
}

function deliveryRecord({
  id,
  event,
  target,
  agentId,
  channelId,
  status,
  attempts,
  dueAt,
  createdAt,
}: Delivery): v.InferOutput<typeof deliverySchema> {
  return {
    id,
    event,
    target: redactedUrl(target),
    agentId,
    ...(channelId !== undefined && { channelId }),
    status,
    attempts: attempts.map(({ at, ...rest }) => ({ at: iso(at), ...rest })),
    nextAttemptAt: dueAt === null ? null : iso(dueAt),
    createdAt: iso(createdAt),
  }
}

const write = { key: 'organization', scope: 'webhooks:write' } as const
const read = { key: 'organization', scope: 'webhooks:read' } as const
const webhook = webhookSchema

export const webhookRoutes = [
  route({
    operationId: 'setWebhook',
    method: 'PUT',
    path: '/api/webhooks',
    access: write,
    summary: 'Set the event endpoint; the first answer has its signing secret',
    governed: 'webhook.update',
    body: v.strictObject({ url: eventUrl }),
    answers: { 200: webhook },
    refuses: ['INVALID_STATUS'],
    handler: async (call) => {
      const url = destinationOf(call.services, 'url', call.body.url)
      if (!url.ok) return url
      return answeredOnce(
        call,
        (organization: Actor<'organization'>) => webhookRecord(organization, call.services.now()),
        (caller) => setWebhook(call.services, caller, url.value),
        { secret: shownSecret },
      )
    },
  }),
  route({
    operationId: 'getWebhook',
    method: 'GET',
    path: '/api/webhooks',
    access: read,
    summary: 'Read the event endpoint',
    answers: { 200: webhook },
    handler: async ({ services, caller }) =>
      ok(webhookRecord(await findOrganization(services, caller), services.now())),
  }),
  route({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/webhooks',
    access: write,
    summary: 'Remove the event endpoint of the organization',
    governed: 'webhook.update',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) => answered(call, succeeded, (caller) => clearWebhook(call.services, caller)),
  }),
  route({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/webhooks/rotate-secret',
    access: write,
    summary: 'Create a new signing secret; the previous one also signs for a day',
    governed: 'webhook.update',
    collected: true,
    answers: { 200: signingSecretSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answeredOnce(
        call,
        () => ({}),
        (caller) => rotateSecret(call.services, caller),
        { secret: shownSecret },
      ),
  }),
  route({
    operationId: 'testWebhook',
    method: 'POST',
    path: '/api/webhooks/test',
    access: write,
    summary: 'Send a test event to the event endpoint',
    answers: { 202: queuedSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) => queuedAnswer(call, (record) => testWebhook(call.services, call.caller, record)),
  }),
  route({
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/api/webhooks/deliveries',
    access: read,
    summary: 'List deliveries; finished ones are kept for seven days',
    query: v.strictObject({ ...page, status: v.optional(enumOf(DELIVERY_STATUSES)) }),
    answers: { 200: deliveryListSchema },
    handler: ({ services, caller, query }) => deliveryPage(services, caller, query),
  }),
  route({
    operationId: 'redeliver',
    method: 'POST',
    path: '/api/webhooks/deliveries/:deliveryId/redeliver',
    access: write,
    summary: 'Send an event again, as a new delivery',
    answers: { 202: queuedSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      queuedAnswer(call, (record) => redeliver(call.services, call.caller, call.params.deliveryId, record)),
  }),
]

/** Present when the command created a secret. */
export function shownSecret({ secret }: Configured<string>): { webhookSecret?: string } {
  return secret === undefined ? {} : { webhookSecret: secret }
}

async function deliveryPage(services: Services, caller: Parameters<typeof listDeliveries>[1], query: DeliveryList) {
  const found = await listDeliveries(services, caller, query)
  if (!found) return wrongCursor()
  return ok({ deliveries: found.deliveries.map(deliveryRecord), pagination: paginationOf(found, query) })
}
