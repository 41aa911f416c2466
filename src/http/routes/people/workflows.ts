// Approval workflow routes.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import {
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  listWorkflows,
  updateWorkflow,
} from '../../../commands/people/workflows.js'
import { toNumber } from '../../../domain/values/money.js'
import { ON_TIMEOUT, type WorkflowConditions } from '../../../domain/payment/workflow.js'
import { page } from '../../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../../server/respond.js'
import { route } from '../../server/route.js'
import {
  amountSchema,
  enumOf,
  flag,
  id,
  name as named,
  setSchema,
  text,
  titled,
  wholeFrom,
  recordSchema,
} from '../../input/schemas.js'

const workflowSchema = recordSchema('ApprovalWorkflow', {
  id: v.string(),
  name: v.string(),
  priority: v.number(),
  conditions: v.object({
    amountAtLeast: v.optional(v.number()),
    categories: v.optional(v.array(v.string())),
    agentIds: v.optional(v.array(v.string())),
    newCounterparty: v.optional(v.boolean()),
  }),
  requiredApprovals: v.number(),
  timeoutHours: v.number(),
  onTimeout: v.picklist(ON_TIMEOUT),
  approverIds: v.array(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
})

function workflowRecord(actor: Actor<'workflow'>): v.InferOutput<typeof workflowSchema> {
  const { id: workflowId, fields, createdAt, updatedAt } = actor.context
  const { amountAtLeast, ...conditions } = fields.conditions
  const shown = { ...(amountAtLeast !== undefined && { amountAtLeast: toNumber(amountAtLeast) }), ...conditions }
  return { ...fields, id: workflowId, conditions: shown, createdAt: iso(createdAt), updatedAt: iso(updatedAt) }
}

const conditions = titled(
  'GivenConditions',
  v.strictObject({
    amountAtLeast: v.nullish(amountSchema({ zero: true })),
    categories: v.nullish(setSchema(text(1, 100), { min: 1, max: 100 })),
    agentIds: v.nullish(setSchema(id(), { min: 1, max: 100 })),
    newCounterparty: v.nullish(flag),
  }),
)

const MAX_APPROVALS = 10
const MAX_APPROVERS = 50
const MAX_HOURS = 24 * 30

const name = named(100)
const priority = wholeFrom(0, 100)
const requiredApprovals = wholeFrom(1, MAX_APPROVALS)
const timeoutHours = wholeFrom(1, MAX_HOURS)
const onTimeout = enumOf(ON_TIMEOUT)
const approverIds = setSchema(id(), { max: MAX_APPROVERS })

/** Defaults of absent fields, also restored by null. */
const INITIAL = {
  priority: 50,
  conditions: {},
  requiredApprovals: 1,
  timeoutHours: 24,
  onTimeout: 'DENY',
  approverIds: [] as string[],
} as const

const newWorkflow = v.strictObject({
  name,
  priority: v.optional(priority, INITIAL.priority),
  conditions: v.optional(conditions, INITIAL.conditions),
  requiredApprovals: v.optional(requiredApprovals, INITIAL.requiredApprovals),
  timeoutHours: v.optional(timeoutHours, INITIAL.timeoutHours),
  onTimeout: v.optional(onTimeout, INITIAL.onTimeout),
  approverIds: v.optional(approverIds, INITIAL.approverIds),
})

const changes = v.strictObject({
  name: v.optional(name),
  priority: v.optional(v.nullable(priority, INITIAL.priority)),
  conditions: v.optional(v.nullable(conditions, INITIAL.conditions)),
  requiredApprovals: v.optional(v.nullable(requiredApprovals, INITIAL.requiredApprovals)),
  timeoutHours: v.optional(v.nullable(timeoutHours, INITIAL.timeoutHours)),
  onTimeout: v.optional(v.nullable(onTimeout, INITIAL.onTimeout)),
  approverIds: v.optional(v.nullable(approverIds, INITIAL.approverIds)),
})

/** Drops the conditions that were not given. */
function given(some: v.InferOutput<typeof conditions>): WorkflowConditions {
  return Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined && value !== null))
}

const write = { key: 'organization', scope: 'approvals:write' } as const
const read = { key: 'organization', scope: 'approvals:read' } as const
const single = workflowSchema

const shown = (actor: Actor<'workflow'>) => ok(workflowRecord(actor))

export const workflowRoutes = [
  route({
    operationId: 'listApprovalWorkflows',
    method: 'GET',
    path: '/api/approval-workflows',
    access: read,
    summary: 'List approval workflows',
    query: v.strictObject(page),
    answers: {
      200: recordSchema('ApprovalWorkflowList', { workflows: v.array(workflowSchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, query }) => {
      return pageAnswer('workflows', await listWorkflows(services, caller, query), query, workflowRecord)
    },
  }),
  route({
    operationId: 'createApprovalWorkflow',
    method: 'POST',
    path: '/api/approval-workflows',
    access: write,
    summary: 'Create an approval workflow',
    governed: 'workflow.update',
    body: newWorkflow,
    answers: { 201: single },
    refuses: ['LIMIT_REACHED'],
    handler: (call) =>
      answered(
        call,
        (actor: Actor<'workflow'>) => ok(workflowRecord(actor), 201),
        (caller) => createWorkflow(call.services, caller, { ...call.body, conditions: given(call.body.conditions) }),
      ),
  }),
  route({
    operationId: 'getApprovalWorkflow',
    method: 'GET',
    path: '/api/approval-workflows/:workflowId',
    access: read,
    summary: 'Read an approval workflow',
    answers: { 200: single },
    handler: async ({ services, caller, params }) => {
      const found = await findWorkflow(services, caller, params.workflowId)
      return found.ok ? shown(found.value) : found
    },
  }),
  route({
    operationId: 'updateApprovalWorkflow',
    method: 'PATCH',
    path: '/api/approval-workflows/:workflowId',
    access: write,
    summary: 'Change an approval workflow; it applies to payments requested from now on',
    governed: 'workflow.update',
    body: changes,
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) => {
      const { conditions: some, ...rest } = call.body
      const changed = { ...rest, ...(some && { conditions: given(some) }) }
      return answered(call, shown, (caller) => updateWorkflow(call.services, caller, call.params.workflowId, changed))
    },
  }),
  route({
    operationId: 'deleteApprovalWorkflow',
    method: 'DELETE',
    path: '/api/approval-workflows/:workflowId',
    access: write,
    summary: 'Remove an approval workflow',
    governed: 'workflow.update',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, succeeded, (caller) => deleteWorkflow(call.services, caller, call.params.workflowId)),
  }),
]
