// The caller's organization, and further ones for the operator.
import * as v from 'valibot'
import type { Actor } from '../actor/actor.js'
import { createOrganization, findOrganization, organizationContext, updateOrganization } from '../commands/organizations.js'
import type { Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import { answered, ok, reader } from './respond.js'
import { route, type Route } from './route.js'
import { text, timezone } from './schemas.js'
import { organizationWebhook } from './webhooks.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const NOT_GOVERNED = { enabled: false, actions: [], requiredApprovals: 1, timeoutHours: 24 }

const organizationSchema = v.object({
  id: v.string(),
  name: v.string(),
  timezone: v.string(),
  webhookUrl: v.nullable(v.string()),
  webhookConfigured: v.boolean(),
  governance: v.object({
    enabled: v.boolean(),
    actions: v.array(v.string()),
    requiredApprovals: v.number(),
    timeoutHours: v.number(),
  }),
  paymentTimeouts: v.object({ approvedMinutes: v.number(), approvalHours: v.number() }),
  settlementMode: v.picklist(['test', 'live']),
  rateLimits: v.nullable(v.record(v.string(), v.number())),
})

/** A new organization without its key, as an idempotency record may keep it. */
function named(organization: Actor): { id: string; name: string } {
  const { id, fields } = organizationContext(organization)
  return { id, name: fields.name }
}

const wholeUpTo = (most: number) =>
  v.optional(v.pipe(v.number('must be a whole number'), v.integer('must be a whole number'), v.minValue(1), v.maxValue(most)))

function organizationRecord({ settlementMode, rateLimits }: Services, actor: Actor): Json {
  const { id, fields } = organizationContext(actor)
  const { name, timezone: zone, approvedForMs, waitsForMs } = fields
  return {
    id,
    name,
    timezone: zone,
    ...organizationWebhook(actor),
    governance: NOT_GOVERNED,
    paymentTimeouts: { approvedMinutes: approvedForMs / MINUTE_MS, approvalHours: waitsForMs / HOUR_MS },
    settlementMode,
    rateLimits,
  }
}

export function organizationRoutes(services: Services): Route[] {
  const record = (actor: Actor): Json => organizationRecord(services, actor)
  return [
    route({
      method: 'GET',
      path: '/api/organization',
      access: { key: 'organization', scope: 'organization:read' },
      summary: 'Read the organization',
      answers: { 200: { name: 'Organization', schema: organizationSchema } },
      handler: async (call) => ok(record(await findOrganization(services, reader(call)))),
    }),
    route({
      method: 'PATCH',
      path: '/api/organization',
      access: { key: 'organization', scope: 'organization:write' },
      summary: 'Change the organization',
      body: v.strictObject({
        name: v.optional(text(1, 100)),
        timezone: v.optional(timezone()),
        paymentTimeouts: v.optional(
          v.strictObject({ approvedMinutes: wholeUpTo(24 * 60), approvalHours: wholeUpTo(24 * 30) }),
        ),
      }),
      answers: { 200: { name: 'Organization', schema: organizationSchema } },
      handler: (call) => {
        const { name, timezone: zone, paymentTimeouts } = call.body
        const { approvedMinutes, approvalHours } = paymentTimeouts ?? {}
        const changes = {
          ...(name !== undefined && { name }),
          ...(zone !== undefined && { timezone: zone }),
          ...(approvedMinutes !== undefined && { approvedForMs: approvedMinutes * MINUTE_MS }),
          ...(approvalHours !== undefined && { waitsForMs: approvalHours * HOUR_MS }),
        }
        return answered(call, (actor) => ok(record(actor)), (caller) => updateOrganization(services, caller, changes))
      },
    }),
    route({
      method: 'POST',
      path: '/api/organizations',
      access: { key: 'operator' },
      summary: 'Make a further organization',
      body: v.strictObject({ name: text(1, 100) }),
      answers: {
        201: { name: 'NewOrganization', schema: v.object({ id: v.string(), name: v.string(), apiKey: v.string() }) },
      },
      handler: async (call) => {
        const { idempotencyKey, remember } = call
        const made = await createOrganization(services, call.body.name, {
          idempotencyKey,
          remember: (organization) => remember?.({ status: 201, body: named(organization) }),
        })
        return made.ok ? { status: 201, body: { ...named(made.organization), apiKey: made.secret } } : made
      },
    }),
  ]
}
