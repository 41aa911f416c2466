// Casts an actor's context to the type that its chart declares, because hosts hand out actors of every kind alike.
import type { AgentContext } from '../../machines/agent.js'
import type { BudgetContext } from '../../machines/budget.js'
import type { ChangeContext } from '../../machines/change.js'
import type { ChannelContext } from '../../machines/channel.js'
import type { CounterpartyContext } from '../../machines/counterparty.js'
import type { DelegationContext } from '../../machines/delegation.js'
import type { KeyContext } from '../../machines/key.js'
import type { MemberContext } from '../../machines/member.js'
import type { OrganizationContext } from '../../machines/organization.js'
import type { PaymentContext } from '../../machines/payment/chart.js'
import type { PolicyContext } from '../../machines/policy.js'
import type { RelationshipContext } from '../../machines/relationship.js'
import type { SessionContext } from '../../machines/session.js'
import type { WalletContext } from '../../machines/wallet.js'
import type { WorkflowContext } from '../../machines/workflow.js'
import type { Actor } from '../actor/actor.js'

const contextOf =
  <Context>() =>
  ({ context }: Actor): Context =>
    context as unknown as Context

export const agentContext = contextOf<AgentContext>()
export const budgetContext = contextOf<BudgetContext>()
export const changeContext = contextOf<ChangeContext>()
export const channelContext = contextOf<ChannelContext>()
export const counterpartyContext = contextOf<CounterpartyContext>()
export const delegationContext = contextOf<DelegationContext>()
export const keyContext = contextOf<KeyContext>()
export const memberContext = contextOf<MemberContext>()
export const organizationContext = contextOf<OrganizationContext>()
export const paymentContext = contextOf<PaymentContext>()
export const policyContext = contextOf<PolicyContext>()
export const relationshipContext = contextOf<RelationshipContext>()
export const sessionContext = contextOf<SessionContext>()
export const walletContext = contextOf<WalletContext>()
export const workflowContext = contextOf<WorkflowContext>()
