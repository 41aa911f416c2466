// Whether the grounds of a payment's decision still hold when its command begins: organization, agent, delegation,
// wallet, recipient and policies. Sums and balances are left to the gates.
import { statusOfCounterparty } from '../status.js'
import type { Actor } from '../../actor/actor.js'
import type { Unchanged, View } from '../../actor/host.js'
import type { GatheredFacts } from './facts.js'
import type { Considered } from './evaluate.js'
import { sameDecide } from './policySet.js'
import type { Services } from '../ports.js'
import { isSameActor, isSameContext } from './unchanged.js'

/** For a payment decided on these facts, on this route. */
export function stillValid(
  services: Services,
  facts: GatheredFacts,
  { route, policies, numbers }: Considered,
): Unchanged {
  const { organization, agent, counterparty, counterpartyRef, sanctions } = facts
  const payer = { organization: organization.id, agentId: agent.context.id, ...route.place }
  return (view) =>
    isSameContext(view(`organization/${payer.organization}`), organization, ['fields', 'frozenFor']) &&
    isSameActor(view, agent, ['fields']) &&
    route.isUnchanged(view) &&
    sameRecipient(counterparty, counterpartyRef && view(counterpartyRef)) &&
    services.sanctions().list === sanctions &&
    sameDecide(services, view, payer, policies) &&
    sameJoins(view, numbers)
}

/** No more agents have come under a shared budget. */
function sameJoins(view: View, { budgets }: Considered['numbers']): boolean {
  return [...budgets].every(([id, { joins }]) => joins === undefined || view(`policy/${id}`)!.context.joins === joins)
}

function sameRecipient(was: Actor<'counterparty'> | undefined, is: Actor<'counterparty'> | undefined): boolean {
  const category = (actor: Actor<'counterparty'> | undefined) => (actor ? actor.context.category : 'OTHER')
  return statusOfCounterparty(was) === statusOfCounterparty(is) && category(was) === category(is)
}
