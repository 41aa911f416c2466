// Routes that assign policies to agents and to wallets.
import type { Succeeded } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import { policyContext } from '../../../commands/contexts.js'
import { assign, unassign } from '../../../commands/policies/assignments.js'
import type { Services } from '../../../commands/ports.js'
import type { Json } from '../../../domain/values/canonical.js'
import { newId } from '../../../domain/values/ids.js'
import { answered, iso, ok, succeeded, success } from '../../server/respond.js'
import { route, type RouteAnswer, type Route } from '../../server/route.js'
import { id, recordSchema } from '../../input/schemas.js'

const assignmentSchema = recordSchema('Assignment', {
  id: v.string(),
  agentId: v.optional(v.string()),
  walletId: v.optional(v.string()),
  policyId: v.string(),
  createdAt: v.string(),
})

export function assignmentRoutes(services: Services): Route[] {
  return (['agents', 'wallets'] as const).flatMap((subjects) => {
    const [field, owner] = subjects === 'agents' ? (['agentId', 'Agent'] as const) : (['walletId', 'Wallet'] as const)
    const access = { key: 'organization', scope: `${subjects}:write` } as const
    const record = (actor: Actor<'policy'>, subjectId: string): { [name: string]: Json } => {
      const { id: policyId, [subjects]: assignments } = policyContext(actor)
      const { id: assignmentId, at } = assignments.find((one) => one.subjectId === subjectId)!
      return { id: assignmentId, [field]: subjectId, policyId, createdAt: iso(at) }
    }
    return [
      route({
        operationId: `assign${owner}Policy`,
        method: 'POST',
        path: `/api/${subjects}/:${field}/policies`,
        access,
        summary: 'Assign a policy',
        governed: 'policy.assign',
        body: v.strictObject({ policyId: id() }),
        answers: {
          201: assignmentSchema,
          200: assignmentSchema,
        },
        handler: (call) => {
          const subjectId = call.params[field]!
          const assignmentId = newId(services.random)
          const shown = (actor: Actor<'policy'>): Succeeded<RouteAnswer> => {
            const assignment = record(actor, subjectId)
            return ok(assignment, assignment['id'] === assignmentId ? 201 : 200)
          }
          return answered(call, shown, (caller) =>
            assign(services, caller, call.body.policyId, subjects, subjectId, assignmentId),
          )
        },
      }),
      route({
        operationId: `unassign${owner}Policy`,
        method: 'DELETE',
        path: `/api/${subjects}/:${field}/policies`,
        access,
        summary: 'Unassign a policy',
        governed: 'policy.unassign',
        query: v.strictObject({ policyId: id() }),
        answers: { 200: success },
        handler: (call) =>
          answered(call, succeeded, (caller) =>
            unassign(services, caller, call.query.policyId, subjects, call.params[field]!),
          ),
      }),
    ]
  })
}
