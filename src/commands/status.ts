// The statuses that actors show. The states of their charts say them.
import { isRead } from '../domain/values/chains.js'
import { type CounterpartyStatus } from '../domain/parties/counterparty.js'
import { charts } from '../../machines/index.js'
import type { Actor } from '../actor/actor.js'
import { metasOf, metaOf } from '../actor/stateMeta.js'
import { statusOf } from '../actor/turn.js'
import type { AgentStatus } from '../domain/parties/agent.js'
import type { HoldLevel } from '../domain/limits/gate.js'
import { type TransactionStatus, type PaymentTerms, type PaymentStatus } from '../domain/payment/terms.js'
import type { CardStatus } from '../domain/parties/card.js'
import type { WalletStatus } from '../domain/parties/wallet.js'

export function agentStatus(agent: Actor): AgentStatus | 'DELETED' {
  return statusOf(charts, agent) as AgentStatus | 'DELETED'
}

export function paymentStatus(payment: { state: string }): PaymentStatus {
  return metaOf(charts.payment.machine, payment.state).status as PaymentStatus
}

/** The list of the payments that show this status. */
export function listOfStatus(status: PaymentStatus): string {
  return LIST_OF_STATUS.get(status)!
}

const LIST_OF_STATUS = new Map(metasOf(charts.payment.machine).map(({ status, list }) => [status, list!]))

/** The state of the counterparties that show this status. */
export function stateOfStatus(status: CounterpartyStatus): string {
  return STATE_OF_STATUS.get(status)!
}

const STATE_OF_STATUS = new Map(metasOf(charts.counterparty.machine).map(({ status, state }) => [status, state]))

/** What a payment holds at its gates. */
export function holdOf(payment: { state: string }): HoldLevel {
  return metaOf(charts.payment.machine, payment.state).hold!
}

/** True for a payment that its agent may be paying now. */
export function isPermitted(payment: Actor | undefined): boolean {
  return payment !== undefined && holdOf(payment) === 'permitted'
}

/** The status of a payment's transfer; undefined when none can have left. */
export function transactionStatus({
  state,
  terms,
}: {
  state: string
  terms: PaymentTerms
}): TransactionStatus | undefined {
  const { transaction } = metaOf(charts.payment.machine, state)
  // Only the agent reported the transfer; no chain confirmed it.
  const isWord = terms.settlementMode === 'live' && (terms.chainType === null || !isRead(terms.chainType))
  return transaction === 'CONFIRMED' && isWord ? 'SUBMITTED' : transaction
}

/** Where there is no record, what was paid and a block are left; UNKNOWN where nobody has paid or registered it. */
export function statusOfCounterparty(counterparty: { state: string } | undefined): CounterpartyStatus {
  if (counterparty === undefined) return 'UNKNOWN'
  return metaOf(charts.counterparty.machine, counterparty.state).status as CounterpartyStatus
}

export function cardStatus(card: Actor): CardStatus {
  return statusOf(charts, card) as CardStatus
}

/** A deleted wallet shows as ARCHIVED in histories. */
export function walletStatus(wallet: Actor): WalletStatus {
  return statusOf(charts, wallet) as WalletStatus
}
