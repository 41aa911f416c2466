// Decides a payment without requesting it: an attempt that nobody commits. It asks the real gates, and nothing is stored.
import type { Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import { succeed, type Result } from '../../domain/outcomes/result.js'
import { AGENT_SCOPES } from '../../domain/access/scopes.js'
import { limitReached } from '../organizationLimits.js'
import type { Caller, Services } from '../ports.js'
import { decide, describePayment, type PaymentRequest } from './request.js'
import { find, commandMessage, senderOf } from '../send.js'

/** Shows the payment as a request would leave it now; `view` reads the actors as it would leave them. */
type Show<Shown> = (payment: Actor<'payment'>, view: View) => Shown

export async function dryRun<Shown>(
  services: Services,
  { principal, requestId }: Caller,
  agentId: string,
  { idempotencyKey: _key, paymentKey: _purchase, ...wanted }: PaymentRequest,
  show: Show<Shown>,
): Promise<Result<Shown, 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'NO_WALLET'>> {
  const agent = await find(services, { principal, requestId }, 'agent', agentId)
  if (!agent.ok) return agent
  // Acts as the agent, with all scopes that agents may have.
  const caller = { principal: { ...principal, agent: agentId, scopes: [...AGENT_SCOPES] }, requestId }
  // A dry run may take longer than a payment, so json-rules-engine always decides it too.
  const rules = { ...services.rules, evaluate: services.rules.check }
  const decided = await decide({ ...services, rules }, caller, wanted)
  if (!decided.ok) return decided
  const fields = { ...describePayment(services, caller, wanted, decided.value), autoExecute: false }
  const attempt = services.host.attempt(senderOf(caller))!
  const { actor } = attempt.send(`payment/${fields.id}`, commandMessage(services, caller, 'REQUEST', { fields }))
  const full = limitReached(services, caller.principal.organization, attempt)
  const outcome = full ?? succeed(show(actor, (ref) => attempt.actor(ref)))
  await attempt.drop()
  return outcome
}
