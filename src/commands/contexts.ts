// The contexts of actors, by the names of their kinds.
import type { Actor } from '../actor/actor.js'
import type { ContextOf, Kind } from '../domain/values/kinds.js'

const of =
  <K extends Kind>(_kind: K) =>
  ({ context }: Actor<K>): ContextOf<K> =>
    context

export const agentContext = of('agent')
export const alertContext = of('alert')
export const budgetContext = of('budget')
export const cardContext = of('card')
export const cardAssignmentContext = of('cardAssignment')
export const changeContext = of('change')
export const channelContext = of('channel')
export const counterpartyContext = of('counterparty')
export const delegationContext = of('delegation')
export const keyContext = of('key')
export const memberContext = of('member')
export const organizationContext = of('organization')
export const paymentContext = of('payment')
export const policyContext = of('policy')
export const relationshipContext = of('relationship')
export const sessionContext = of('session')
export const slackUserContext = of('slackUser')
export const walletContext = of('wallet')
export const workflowContext = of('workflow')
