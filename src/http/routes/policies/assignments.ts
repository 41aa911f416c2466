// Routes that assign policies to agents, to wallets and to cards.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { assign, unassign } from '../../../commands/policies/assignments.js'
import type { PolicySubjectKind } from '../../../domain/parties/policy.js'
import { newId } from '../../../domain/values/ids.js'
import { answered, iso, ok, succeeded, success } from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'
import { id, recordSchema } from '../../input/schemas.js'

const assignmentSchema = recordSchema('Assignment', {
  id: v.string(),
  agentId: v.optional(v.string()),
  walletId: v.optional(v.string()),
  cardId: v.optional(v.string()),
  policyId: v.string(),
  createdAt: v.string(),
})

const FIELDS = { agents: 'agentId', wallets: 'walletId', cards: 'cardId' } as const

function assignmentRecord(
  policy: Actor<'policy'>,
  subjects: PolicySubjectKind,
  subjectId: string,
): v.InferOutput<typeof assignmentSchema> {
  const { id: policyId, [subjects]: assignments = [] } = policy.context
  const { id: assignmentId, at } = assignments.find((one) => one.subjectId === subjectId)!
  return { id: assignmentId, [FIELDS[subjects]]: subjectId, policyId, createdAt: iso(at) }
}

type Assigning = HandlerInput<object, undefined, { policyId: string }>

/** Assigns once: a second time it answers the assignment that there is. */
function assigned(call: Assigning, subjects: PolicySubjectKind, subjectId: string) {
  const { services, body } = call
  const assignmentId = newId(services.random)
  const shown = (policy: Actor<'policy'>) => {
    const assignment = assignmentRecord(policy, subjects, subjectId)
    return ok(assignment, assignment.id === assignmentId ? 201 : 200)
  }
  return answered(call, shown, (caller) => assign(services, caller, body.policyId, subjects, subjectId, assignmentId))
}

const assigning = {
  method: 'POST',
  summary: 'Assign a policy',
  governed: 'policy.assign',
  body: v.strictObject({ policyId: id() }),
  answers: { 201: assignmentSchema, 200: assignmentSchema },
  refuses: ['INVALID_STATUS', 'LIMIT_REACHED'],
} as const
const unassigning = {
  method: 'DELETE',
  summary: 'Unassign a policy',
  governed: 'policy.unassign',
  query: v.strictObject({ policyId: id() }),
  answers: { 200: success },
  refuses: ['INVALID_STATUS'],
} as const
const ofAgents = { key: 'organization', scope: 'agents:write' } as const
const ofWallets = { key: 'organization', scope: 'wallets:write' } as const
const ofCards = { key: 'organization', scope: 'cards:write' } as const

export const assignmentRoutes = [
  route({
    ...assigning,
    operationId: 'assignAgentPolicy',
    path: '/api/agents/:agentId/policies',
    access: ofAgents,
    handler: (call) => assigned(call, 'agents', call.params.agentId),
  }),
  route({
    ...unassigning,
    operationId: 'unassignAgentPolicy',
    path: '/api/agents/:agentId/policies',
    access: ofAgents,
    handler: (call) =>
      answered(call, succeeded, (caller) =>
        unassign(call.services, caller, call.query.policyId, 'agents', call.params.agentId),
      ),
  }),
  route({
    ...assigning,
    operationId: 'assignWalletPolicy',
    path: '/api/wallets/:walletId/policies',
    access: ofWallets,
    handler: (call) => assigned(call, 'wallets', call.params.walletId),
  }),
  route({
    ...unassigning,
    operationId: 'unassignWalletPolicy',
    path: '/api/wallets/:walletId/policies',
    access: ofWallets,
    handler: (call) =>
      answered(call, succeeded, (caller) =>
        unassign(call.services, caller, call.query.policyId, 'wallets', call.params.walletId),
      ),
  }),
  route({
    ...assigning,
    operationId: 'assignCardPolicy',
    path: '/api/cards/:cardId/policies',
    access: ofCards,
    handler: (call) => assigned(call, 'cards', call.params.cardId),
  }),
  route({
    ...unassigning,
    operationId: 'unassignCardPolicy',
    path: '/api/cards/:cardId/policies',
    access: ofCards,
    handler: (call) =>
      answered(call, succeeded, (caller) =>
        unassign(call.services, caller, call.query.policyId, 'cards', call.params.cardId),
      ),
  }),
]
