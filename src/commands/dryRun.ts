// Decides a payment without requesting it: the answer is that of a request, and nothing is stored.
import type { PaymentContext } from '../../machines/payment.js'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import type { Outcome } from '../domain/payment.js'
import type { Refused } from '../domain/refusal.js'
import { AGENT_SCOPES } from '../domain/scopes.js'
import { find } from './ask.js'
import { paymentContext, walletContext } from './contexts.js'
import type { Caller, Services } from './ports.js'
import { decide, describePayment, type Wanted } from './request.js'

const STATES: Record<Outcome, string> = {
  APPROVED: 'approved',
  REQUIRES_APPROVAL: 'awaitingApproval',
  DENIED: 'denied',
}

/** The payment as a request would leave it now, if no other came first. */
export async function dryRun(
  services: Services,
  { principal, requestId }: Caller,
  agentId: string,
  wanted: Wanted,
): Promise<{ ok: true; actor: Actor } | Refused> {
  const agent = await find(services, { principal, requestId }, 'agent', agentId)
  if (!agent.ok) return agent
  // Acts as the agent, with all scopes that agents may have.
  const caller = { principal: { ...principal, agent: agentId, scopes: [...AGENT_SCOPES] }, requestId }
  // A dry run may take longer than a payment, so json-rules-engine always decides it too.
  const rules = { ...services.rules, evaluate: services.rules.explain }
  const decided = await decide({ ...services, rules }, caller, wanted)
  if ('refusal' in decided) return decided
  const { outcome, violations } = decided.decision
  const fields = describePayment(services, caller, wanted, decided)
  const now = services.now()
  const { approval, approvedForMs } = fields
  const lifetime = approval ? approval.steps[0]!.timeoutMs : approvedForMs
  const context: Partial<PaymentContext> = {
    ...fields,
    organization: principal.organization,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + lifetime,
    ending: null,
    causes: violations,
    refusedBy: null,
    review: null,
    executedAt: null,
    txHash: null,
    stopReason: null,
  }
  const actor = { ref: `payment/${fields.id}` as const, version: 0, revision: 0, state: STATES[outcome] }
  return { ok: true, actor: { ...actor, context: context as unknown as Actor['context'] } }
}

/** What the answer to the request would show: a payment that is not denied holds its amount in the wallet. */
export function viewAfter({ host }: Services, tried: Actor): View {
  const { amount, walletId } = paymentContext(tried).terms!
  return (ref) => {
    const actor = host.peek(ref)
    if (actor === undefined || ref !== `wallet/${walletId}` || tried.state === STATES.DENIED) return actor
    return { ...actor, context: { ...actor.context, held: walletContext(actor).held + amount } }
  }
}
