// Which agents, wallets and cards are under a policy.
import type { Refused, Result } from '../../domain/outcomes/result.js'
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { PolicySubjectKind } from '../../domain/parties/policy.js'
import { newId } from '../../domain/values/ids.js'
import { findPolicy, KINDS, policyOutcome } from './policies.js'
import { fullPlace } from './room.js'
import type { Caller, Services } from '../ports.js'
import { find, send, sendIf } from '../send.js'

/** Puts an agent, a wallet or a card under a policy; idempotent. `assignmentId` is used when the assignment is new. */
export async function assign(
  services: Services,
  caller: Caller,
  policyId: string,
  to: PolicySubjectKind,
  subjectId: string,
  assignmentId: string = newId(services.random),
): Promise<Result<Actor<'policy'>, 'INVALID_STATUS' | 'LIMIT_REACHED' | 'NOT_FOUND'>> {
  const subject = await find(services, caller, KINDS[to], subjectId)
  if (!subject.ok) return subject
  const policy = await findPolicy(services, caller, policyId)
  if (!policy.ok) return policy
  const assignment = { id: assignmentId, subjectId, at: services.now() }
  let full: Refused<'LIMIT_REACHED'> | undefined
  const hasRoom = (view: View): boolean => {
    const { [to]: assigned = [] } = view(policy.value.ref)!.context
    full = assigned.some((one) => one.subjectId === subjectId)
      ? undefined
      : fullPlace(services, [{ of: to, id: subjectId }])
    return full === undefined
  }
  const reply = await sendIf(services, caller, hasRoom, policy.value.ref, 'ASSIGN', { to, assignment })
  if (!reply) return full!
  return policyOutcome(reply, policyId, {
    INVALID_STATUS: 'A policy of scope organization applies to all agents already',
  })
}

/** Ends an assignment, also of a subject that is gone. */
export async function unassign(
  services: Services,
  caller: Caller,
  policyId: string,
  from: PolicySubjectKind,
  subjectId: string,
): Promise<Result<Actor<'policy'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const subject = await find(services, caller, KINDS[from], subjectId)
  const policy = await findPolicy(services, caller, policyId)
  const isAssigned = policy.ok && (policy.value.context[from] ?? []).some((one) => one.subjectId === subjectId)
  if (!subject.ok && !isAssigned) return subject
  if (!policy.ok) return policy
  const reply = await send(services, caller, policy.value.ref, 'UNASSIGN', { from, subjectId })
  return policyOutcome(reply, policyId, { NOT_FOUND: 'The policy is not assigned there' })
}
