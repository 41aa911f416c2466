// The statuses that actors show. The states of their charts say them.
import { charts } from '../../machines/index.js'
import type { Actor } from '../actor/actor.js'
import { metaOf } from '../actor/stateMeta.js'
import { statusOf } from '../actor/turn.js'
import type { AgentStatus } from '../domain/agent.js'
import type { PaymentStatus } from '../domain/payment.js'
import type { WalletStatus } from '../domain/wallet.js'

/** Of an agent that is not deleted. */
export function agentStatus(agent: Actor): AgentStatus {
  return statusOf(charts, agent) as AgentStatus
}

export function paymentStatus(payment: { state: string }): PaymentStatus {
  return metaOf(charts.payment.machine, payment.state).status as PaymentStatus
}

/** A deleted wallet shows as ARCHIVED in histories. */
export function walletStatus(wallet: Actor): WalletStatus {
  return statusOf(charts, wallet) as WalletStatus
}
