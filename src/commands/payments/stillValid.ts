// Whether the grounds of a payment's decision still hold when its command begins: organization, agent, delegation,
// wallet, recipient and policies. Sums and balances are left to the gates.
import { statusOfCounterparty } from '../status.js'
import { fieldsOf, type Actor } from '../../actor/actor.js'
import type { Unchanged, View } from '../../actor/host.js'
import type { Json } from '../../domain/values/canonical.js'
import { agentContext, counterpartyContext, policyContext, walletContext } from '../contexts.js'
import type { GatheredFacts } from './facts.js'
import type { Considered } from './evaluate.js'
import { sameDecide } from './policySet.js'
import type { Services } from '../ports.js'

/** For a payment decided on these facts, on this route. */
export function stillValid(
  services: Services,
  facts: GatheredFacts,
  { route, policies, numbers }: Considered,
): Unchanged {
  const { organization, agent, counterparty, counterpartyRef, sanctions } = facts
  const payer = {
    organization: organization.id,
    agentId: agentContext(agent).id,
    walletId: walletContext(route.wallet).id,
  }
  return (view) =>
    sameContext(view(`organization/${payer.organization}`), organization, ['fields', 'frozenFor']) &&
    sameFields(view, agent, ['fields']) &&
    sameFields(view, route.delegation, ['terms']) &&
    sameFields(view, route.wallet, []) &&
    sameRecipient(counterparty, view(counterpartyRef)) &&
    services.sanctions().list === sanctions &&
    sameDecide(services, view, payer, policies) &&
    sameJoins(view, numbers)
}

/** No more agents have come under a shared budget. */
function sameJoins(view: View, { budgets }: Considered['numbers']): boolean {
  return [...budgets].every(([id, { joins }]) => policyContext(view(`policy/${id}`)!).joins === joins)
}

interface Fields {
  [field: string]: Json | undefined
}

function sameContext(is: Actor | undefined, was: object, fields: string[]): boolean {
  return fields.every((field) => isSame(is && fieldsOf(is)[field], (was as Fields)[field]))
}

/** Contexts share unchanged fields by reference, unless the actor was read from disk again. */
function isSame(is: Json | undefined, was: Json | undefined): boolean {
  return is === was || JSON.stringify(is) === JSON.stringify(was)
}

function sameFields(view: View, was: Actor, fields: string[]): boolean {
  const is = view(was.ref)
  return is?.state === was.state && sameContext(is, was.context, fields)
}

function sameRecipient(was: Actor<'counterparty'> | undefined, is: Actor<'counterparty'> | undefined): boolean {
  const category = (actor: Actor<'counterparty'> | undefined) => (actor ? counterpartyContext(actor).category : 'OTHER')
  return statusOfCounterparty(was) === statusOfCounterparty(is) && category(was) === category(is)
}
