// Looks at an approved payment again before it is executed, when the policies that apply have changed since. It looks
// at the policies alone: what else stands against it now, the gates say.
import type { PaymentContext, Review } from '../../machines/payment.js'
import type { Actor } from '../actor/actor.js'
import { parseAddress } from '../domain/address.js'
import { consider, evaluateRules, outcomeOf } from './evaluate.js'
import { gatherFacts } from './facts.js'
import { gatesOf, renewedGates } from './gates.js'
import type { Services } from './ports.js'
import { decisionOf } from './request.js'
import { withoutOwn, type Wish } from './ruleFacts.js'
import { walletContext } from './wallets.js'

/** Undefined while nothing has changed, and where the way it was to be paid is gone: then the gates refuse it. */
export async function reviewed(services: Services, payment: Actor): Promise<Review | undefined> {
  const { id, organization, terms, decision, gates } = payment.context as unknown as PaymentContext
  const { agentId, walletId, amount, category, executionContext, recipientAddress, recipientName } = terms!
  const recipient = parseAddress(recipientAddress)!
  const facts = await gatherFacts(services, organization, agentId, recipient)
  const route = facts.routes.find(({ wallet }) => walletContext(wallet).id === walletId)
  if (!route) return undefined
  const all = await consider(services, facts, route)
  if (services.rules.hash(all.policies) === decision!.policySetHash) return undefined
  const own = { agentId, amount, held: new Set(gates.map(({ ref }) => ref)) }
  const considered = { ...all, numbers: withoutOwn(all.numbers, own) }
  const wish: Wish = { amount, recipient, category, executionContext }
  const rules = await evaluateRules(services, facts, considered, wish)
  const { preapproval } = decision!
  // A person who has approved the request has approved it for the delegation's sake, too.
  const outcome = outcomeOf(rules.violations, rules.outcome === 'REQUIRES_APPROVAL')
  const evaluation = { rules, outcome, violations: rules.violations, preapproval }
  const held = { holder: id, recipientName: recipientName ?? undefined }
  return {
    decision: decisionOf(services, facts, considered, evaluation),
    gates: renewedGates(gates, gatesOf(services, facts, all, evaluation, wish, held)),
  }
}
