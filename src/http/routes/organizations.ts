// Organization routes: the caller's own, and creating more as the operator.
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import {
  createOrganization,
  DEFAULTS,
  findOrganization,
  freezeOrganization,
  limitOrganization,
  unfreezeOrganization,
  updateOrganization,
  type OrganizationChanges,
} from '../../commands/organizations/organizations.js'
import type { Services } from '../../commands/ports.js'
import { GOVERNED_ACTIONS } from '../../domain/outcomes/governance.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import type { Limited, OrganizationLimits } from '../../domain/parties/organizationLimits.js'
import { SETTLEMENT_MODES } from '../../domain/payment/settlement.js'
import { answered, ok, type Sequence } from '../server/respond.js'
import { route } from '../server/route.js'
import { enumOf, flag, name, setSchema, shownOnce, text, timezone, wholeFrom, recordSchema } from '../input/schemas.js'
import { outstandingSchema, withOutstanding } from './payments/outstanding.js'
import { organizationWebhook } from './webhooks.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const limitFields = <Field>(field: Field): Record<Limited, Field> => ({
  payments: field,
  agents: field,
  policies: field,
  counterparties: field,
})

const organizationSchema = recordSchema('Organization', {
  id: v.string(),
  name: v.string(),
  timezone: v.string(),
  webhookUrl: v.nullable(v.string()),
  webhookConfigured: v.boolean(),
  governance: v.object({
    enabled: v.boolean(),
    actions: v.array(v.picklist(GOVERNED_ACTIONS)),
    requiredApprovals: v.number(),
    timeoutHours: v.number(),
    strictLineage: v.boolean(),
  }),
  status: v.picklist(['ACTIVE', 'FROZEN']),
  paymentTimeouts: v.object({ approvedMinutes: v.number(), approvalHours: v.number() }),
  settlementMode: v.picklist(SETTLEMENT_MODES),
  rateLimits: v.nullable(v.record(v.string(), v.number())),
  limits: v.object(limitFields(v.nullable(v.number()))),
})

/** A new organization without its key, for the idempotency record. */
function named(organization: Actor<'organization'>): { id: string; name: string } {
  const { id, fields } = organization.context
  return { id, name: fields.name }
}

const frozenSchema = recordSchema('FrozenOrganization', {
  organization: organizationSchema,
  auditSequence: v.number(),
  /** Of a freeze. */
  outstanding: v.optional(v.array(outstandingSchema)),
})

function organizationRecord(
  { settlementMode, rateLimits }: Services,
  actor: Actor<'organization'>,
): v.InferOutput<typeof organizationSchema> {
  const { id, fields, frozenFor } = actor.context
  const { name, timezone: zone, approvedForMs, waitsForMs } = fields
  return {
    id,
    name,
    timezone: zone,
    ...organizationWebhook(actor),
    status: frozenFor === null ? 'ACTIVE' : 'FROZEN',
    governance: { ...fields.governance, strictLineage: fields.strictLineage },
    paymentTimeouts: { approvedMinutes: approvedForMs / MINUTE_MS, approvalHours: waitsForMs / HOUR_MS },
    settlementMode,
    rateLimits,
    limits: { ...fields.limits },
  }
}

/** The most that a number of the store's keys can be sure of. */
const MOST_KEPT = 1_000_000_000
const limitsUpdate = v.strictObject(limitFields(v.optional(v.nullable(wholeFrom(0, MOST_KEPT)))))

/** The given limits; null lifts all. */
function limitsIn(given: v.InferOutput<typeof limitsUpdate> | null): Partial<OrganizationLimits> {
  return given === null ? limitFields(null) : (omitUndefined(given) as Partial<OrganizationLimits>)
}

const { governance, strictLineage } = DEFAULTS
/** What null sets again. */
const INITIAL = {
  governance: { ...governance, strictLineage, actions: null },
  paymentTimeouts: {
    approvedMinutes: DEFAULTS.approvedForMs / MINUTE_MS,
    approvalHours: DEFAULTS.waitsForMs / HOUR_MS,
  },
}

const governanceUpdate = v.strictObject({
  enabled: v.optional(v.nullable(flag, governance.enabled)),
  actions: v.optional(v.nullable(setSchema(enumOf(GOVERNED_ACTIONS), { max: GOVERNED_ACTIONS.length }))),
  requiredApprovals: v.optional(v.nullable(wholeFrom(1, 10), governance.requiredApprovals)),
  timeoutHours: v.optional(v.nullable(wholeFrom(1, 24 * 30), governance.timeoutHours)),
  strictLineage: v.optional(v.nullable(flag, strictLineage)),
})

const timeoutsUpdate = v.strictObject({
  approvedMinutes: v.optional(v.nullable(wholeFrom(1, 24 * 60), INITIAL.paymentTimeouts.approvedMinutes)),
  approvalHours: v.optional(v.nullable(wholeFrom(1, 24 * 30), INITIAL.paymentTimeouts.approvalHours)),
})

const organizationUpdate = v.strictObject({
  name: v.optional(name(100)),
  timezone: v.optional(v.nullable(timezone(), DEFAULTS.timezone)),
  governance: v.optional(v.nullable(governanceUpdate)),
  paymentTimeouts: v.optional(v.nullable(timeoutsUpdate)),
})

/** The given fields in the form in which the organization stores them. */
function changesIn(given: v.InferOutput<typeof organizationUpdate>): OrganizationChanges {
  const { name, timezone: zone } = given
  const { strictLineage: lineage, ...settings } = (given.governance === null ? INITIAL : given).governance ?? {}
  const { approvedMinutes, approvalHours } = (given.paymentTimeouts === null ? INITIAL : given).paymentTimeouts ?? {}
  return {
    ...(name !== undefined && { name }),
    ...(zone !== undefined && { timezone: zone }),
    ...(lineage !== undefined && { strictLineage: lineage }),
    ...(Object.keys(settings).length > 0 && { governance: settings }),
    ...(approvedMinutes !== undefined && { approvedForMs: approvedMinutes * MINUTE_MS }),
    ...(approvalHours !== undefined && { waitsForMs: approvalHours * HOUR_MS }),
  }
}

export const organizationRoutes = [
  route({
    operationId: 'getOrganization',
    method: 'GET',
    path: '/api/organization',
    access: { key: 'organization', scope: 'organization:read' },
    summary: 'Read the organization',
    answers: { 200: organizationSchema },
    handler: async ({ services, caller }) => ok(organizationRecord(services, await findOrganization(services, caller))),
  }),
  route({
    operationId: 'updateOrganization',
    method: 'PATCH',
    path: '/api/organization',
    access: { key: 'organization', scope: 'organization:write' },
    summary: 'Change the organization',
    body: organizationUpdate,
    governed: 'governance.update',
    answers: { 200: organizationSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'organization'>) => ok(organizationRecord(call.services, actor)),
        (caller) => updateOrganization(call.services, caller, changesIn(call.body)),
      ),
  }),
  route({
    operationId: 'createOrganization',
    method: 'POST',
    path: '/api/organizations',
    access: { key: 'operator' },
    foundBy: 'leastLoaded',
    summary: 'Create another organization',
    body: v.strictObject({ name: name(100) }),
    answers: {
      201: recordSchema('NewOrganization', { id: v.string(), name: v.string(), apiKey: shownOnce }),
    },
    refuses: ['NOT_FOUND'],
    handler: async (call) => {
      const { idempotencyKey, record, requestId } = call
      const made = await createOrganization(call.services, call.body.name, {
        idempotencyKey,
        requestId,
        record: (organization) => record?.({ status: 201, body: named(organization) }),
      })
      return made.ok ? ok({ ...named(made.value.organization), apiKey: made.value.secret }, 201) : made
    },
  }),
  route({
    operationId: 'limitOrganization',
    method: 'PATCH',
    path: '/api/organizations/:organizationId',
    access: { key: 'operator' },
    foundBy: 'organizationId',
    summary: 'Limit how many records an organization keeps',
    body: v.strictObject({ limits: v.nullable(limitsUpdate) }),
    answers: { 200: organizationSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'organization'>) => ok(organizationRecord(call.services, actor)),
        (caller) => limitOrganization(call.services, caller, call.params.organizationId, limitsIn(call.body.limits)),
      ),
  }),
]

/** The audit sequence of the freeze: no payment of the organization executes after it. */
const frozen = (services: Services) => (organization: Actor<'organization'>, _view: View, sequence: Sequence) =>
  ok({ organization: organizationRecord(services, organization), auditSequence: sequence() })

/** Routes that freeze and unfreeze all payments of the organization. */
export const freezeRoutes = [
  route({
    operationId: 'freezeOrganization',
    method: 'POST',
    path: '/api/organization/freeze',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Freeze the organization: none of its payments is executed',
    body: v.strictObject({ reason: text(1, 500) }),
    answers: { 200: frozenSchema },
    refuses: ['INVALID_STATUS'],
    handler: async (call) => {
      const { services, principal, body } = call
      const done = await answered(call, frozen(services), (caller) => freezeOrganization(services, caller, body.reason))
      return withOutstanding(services, { organization: principal.organization }, done)
    },
  }),
  route({
    operationId: 'unfreezeOrganization',
    method: 'POST',
    path: '/api/organization/unfreeze',
    access: { key: 'organization', scope: 'organization:write' },
    summary: 'Unfreeze the organization',
    governed: 'organization.unfreeze',
    answers: { 200: frozenSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) => answered(call, frozen(call.services), (caller) => unfreezeOrganization(call.services, caller)),
  }),
]
