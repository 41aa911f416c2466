// The records that several files show, as the service answers them.
import type { Answer, Entry } from './api.js'

export type Agent = Answer<'GET /api/agents/{agentId}'>
export type Delegation = Agent['wallets'][number]
export type Wallet = Answer<'GET /api/wallets/{walletId}'>
export type Counterparty = Answer<'GET /api/counterparties/{counterpartyId}'>
export type Alert = Answer<'GET /api/alerts/{alertId}'>
export type Channel = Answer<'GET /api/channels/{channelId}'>
export type Card = Answer<'GET /api/cards/{cardId}'>
export type AssignedCard = Entry<'GET /api/agents/{agentId}/cards', 'cards'>
export type Payment = Entry<'GET /api/payments', 'payments'>
export type ApprovalRequest = Entry<'GET /api/approval-requests', 'requests'>
export type ChangeApproval = Extract<ApprovalRequest, { kind: 'GOVERNANCE' }>
export type PaymentApproval = Extract<ApprovalRequest, { kind: 'PAYMENT' }>
export type Member = Entry<'GET /api/members', 'members'>
export type Key = Entry<'GET /api/api-keys', 'keys'>
export type Policy = Answer<'GET /api/policies/{policyId}/rules'>
export type TestCase = Answer<'GET /api/policies/{policyId}/tests'>['tests'][number]
export type AgentLimits = Answer<'GET /api/agents/{agentId}/limits'>
export type SetUpLink = Answer<'POST /api/session/setup-link'>
export type ConsentRequest = Answer<'GET /api/oauth/consent'>

/** From such a wallet the agent pays by itself: the service learns of it when the agent says so. */
export const isPaidByAgent = (wallet: Payment['wallet']): boolean =>
  wallet?.custodyType === 'EXTERNAL' || wallet?.custodyType === 'SMART_CONTRACT'
