// The statuses that actors show. The states of their charts say them.
import { charts } from '../../machines/index.js'
import type { Actor } from '../actor/actor.js'
import { metaOf } from '../actor/stateMeta.js'
import { statusOf } from '../actor/turn.js'
import type { AgentStatus } from '../domain/parties/agent.js'
import type { HoldLevel } from '../domain/limits/gate.js'
import type { PaymentStatus } from '../domain/payment/terms.js'
import type { WalletStatus } from '../domain/parties/wallet.js'

export function agentStatus(agent: Actor): AgentStatus | 'DELETED' {
  return statusOf(charts, agent) as AgentStatus | 'DELETED'
}

export function paymentStatus(payment: { state: string }): PaymentStatus {
  return metaOf(charts.payment.machine, payment.state).status as PaymentStatus
}

/** What a payment holds at its gates. */
export function holdOf(payment: { state: string }): HoldLevel {
  return metaOf(charts.payment.machine, payment.state).hold!
}

/** A deleted wallet shows as ARCHIVED in histories. */
export function walletStatus(wallet: Actor): WalletStatus {
  return statusOf(charts, wallet) as WalletStatus
}
