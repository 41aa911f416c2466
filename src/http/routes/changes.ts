// Routes for changes that wait for approval: list, read, decide, and collect an answer that only the requester
// may see.
import { succeed } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import { collectChange, decideChange, findChange, listChanges } from '../../commands/approvals/changes.js'
import type { Actor } from '../../actor/actor.js'
import type { Services } from '../../commands/ports.js'
import {
  APPROVAL_STATUSES,
  decisionsThatCount,
  shownDecisions,
  requiredApprovals,
  VERDICTS,
  type Approval,
} from '../../domain/payment/approval.js'
import type { Json } from '../../domain/values/canonical.js'
import { GOVERNED_ACTIONS, type HeldRequest } from '../../domain/outcomes/governance.js'
import { redacted } from '../../domain/audit/redact.js'
import { createdChannelSchema } from './channels/channels.js'
import { mintedKeySchema } from './people/keys.js'
import { invitedSchema } from './people/members.js'
import { page } from '../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema } from '../server/respond.js'
import { route, type HandlerInput, type RouteAnswer } from '../server/route.js'
import { enumOf, identitySchema, text, titled, recordSchema } from '../input/schemas.js'
import { signingSecretSchema } from './webhooks.js'

export const approvalDecisionSchema = recordSchema('ApprovalDecision', {
  by: v.object({ ...identitySchema.entries, name: v.string() }),
  decision: v.picklist(VERDICTS),
  comment: v.nullable(v.string()),
  at: v.string(),
  /** The decision no longer counts: its author may no longer decide, or its step is over. */
  lapsed: v.optional(v.literal(true)),
})

/** The fields common to all approval requests. */
export const askedEntries = {
  id: v.string(),
  status: v.picklist(APPROVAL_STATUSES),
  requestedBy: identitySchema,
  requiredApprovals: v.number(),
  /** Approvals given in the current step. */
  givenApprovals: v.number(),
  workflowId: v.nullable(v.string()),
  /** Empty when every person with the right to decide may do so. */
  approverIds: v.array(v.string()),
  decisions: v.array(approvalDecisionSchema),
  /** Why an approval is required. */
  reasons: v.array(v.string()),
  contentHash: v.string(),
  expiresAt: v.string(),
  createdAt: v.string(),
}

export const changeSchema = recordSchema('GovernanceApproval', {
  ...askedEntries,
  kind: v.literal('GOVERNANCE'),
  action: v.picklist(GOVERNED_ACTIONS),
  resource: v.string(),
  resourceId: v.nullable(v.string()),
  /** The HTTP request that is carried out once approved. */
  change: v.object({ method: v.string(), path: v.string(), query: v.string(), body: v.unknown() }),
  /** The result after approval; WAITING until the requester collects it. */
  application: v.optional(
    v.object({
      status: v.picklist(['WAITING', 'APPLIED', 'REFUSED', 'STALE']),
      code: v.optional(v.string()),
      error: v.optional(v.string()),
    }),
  ),
})

type ChangeRecord = v.InferOutput<typeof changeSchema>

/** The common part of an approval request's record. */
export function askedRecord(
  approval: Approval,
): Omit<ChangeRecord, 'requestedBy' | 'kind' | 'action' | 'resource' | 'resourceId' | 'change' | 'application'> {
  const { workflowId, approverIds } = approval.steps[approval.step]!
  return {
    id: approval.id,
    status: approval.status,
    requiredApprovals: requiredApprovals(approval),
    givenApprovals: decisionsThatCount(approval).filter(({ decision }) => decision === 'APPROVED').length,
    workflowId,
    approverIds,
    decisions: shownDecisions(approval),
    reasons: approval.reasons,
    contentHash: approval.contentHash,
    expiresAt: iso(approval.expiresAt),
    createdAt: iso(approval.createdAt),
  }
}

/** The request as people may see it, without the fields that an answer conceals. */
function shownRequest({ method, path, params, query, body }: HeldRequest): ChangeRecord['change'] {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const fields = isObject ? Object.entries(body).map(([name, value]) => [name, redacted(name, value ?? null)]) : []
  return { method, path: filled, query, body: isObject ? (Object.fromEntries(fields) as Json) : body }
}

export function changeRecord(change: Actor<'change'>): ChangeRecord {
  const { approval, requestedBy, action, resource, resourceId, heldRequest, application } = change.context
  const waits = change.state === 'approved' ? ({ status: 'WAITING' } as const) : null
  const became = application ?? waits
  return {
    ...askedRecord(approval),
    kind: 'GOVERNANCE',
    requestedBy: { type: requestedBy.type, id: requestedBy.id },
    action,
    resource,
    resourceId,
    change: shownRequest(heldRequest),
    ...(became !== null && { application: became }),
  }
}

type Deciding = HandlerInput<Record<string, string>, unknown, v.InferOutput<typeof decisionBody>>

export function decidedChange(services: Services, call: Deciding, id: string) {
  const { decision, comment = null } = call.body
  return answered(
    call,
    (change: Actor<'change'>) => ok(changeRecord(change)),
    (caller) => {
      return decideChange(services, caller, id, { decision, comment })
    },
  )
}

const single = { 200: changeSchema }

export const decisionBody = v.strictObject({
  decision: enumOf(VERDICTS),
  comment: v.optional(v.nullable(text(0, 500))),
})

export const changeRoutes = [
  route({
    operationId: 'listGovernanceApprovals',
    method: 'GET',
    path: '/api/governance/approvals',
    access: { key: 'organization', scope: 'approvals:read' },
    summary: 'List changes that require or required approval',
    query: v.strictObject({ ...page, status: v.optional(enumOf(APPROVAL_STATUSES)) }),
    answers: {
      200: recordSchema('GovernanceApprovalList', { requests: v.array(changeSchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, query }) =>
      pageAnswer('requests', await listChanges(services, caller, query), query, changeRecord),
  }),
  route({
    operationId: 'getGovernanceApproval',
    method: 'GET',
    path: '/api/governance/approvals/:governanceApprovalRequestId',
    access: { key: 'organization', scope: 'approvals:read' },
    summary: 'Read a change that requires or required approval',
    answers: single,
    handler: async ({ services, caller, params }) => {
      const found = await findChange(services, caller, params.governanceApprovalRequestId)
      return found.ok ? ok(changeRecord(found.value)) : found
    },
  }),
  route({
    operationId: 'decideGovernanceApproval',
    method: 'POST',
    path: '/api/governance/approvals/:governanceApprovalRequestId/decision',
    access: { key: 'organization', scope: 'approvals:write' },
    summary: 'Approve or deny a change that another person or key has requested',
    body: decisionBody,
    answers: single,
    refuses: ['INVALID_STATUS', 'SELF_APPROVAL', 'ALREADY_DECIDED'],
    handler: (call) => decidedChange(call.services, call, call.params.governanceApprovalRequestId),
  }),
  route({
    operationId: 'collectGovernanceApproval',
    method: 'POST',
    path: '/api/governance/approvals/:governanceApprovalRequestId/collect',
    access: { key: 'organization', scope: 'approvals:read' },
    summary: 'Apply an approved change that shows a secret; only its requester can, and only once',
    answers: {
      200: titled('Collected', v.union([invitedSchema, signingSecretSchema])),
      201: titled('CollectedNew', v.union([mintedKeySchema, invitedSchema, createdChannelSchema])),
    },
    refuses: ['INVALID_STATUS', 'LIMIT_REACHED'],
    handler: async ({ services, caller, params }) => {
      const done = await collectChange(services, caller, params.governanceApprovalRequestId)
      if (!done.ok) return done
      const { status, body, memorable } = done.value
      // Of whichever route the change was asked for.
      return succeed({ status, body, memorable } as RouteAnswer<never, 200> | RouteAnswer<never, 201>)
    },
  }),
]
