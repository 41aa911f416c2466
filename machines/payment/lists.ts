// The lists that hold a payment, and the names it can be looked up by.
import { approvalListsOf, approvalNamed } from '../../src/domain/payment/approval.js'
import { paymentsOf, transactionsOf } from '../../src/domain/payment/lists.js'
import { NAMED_BY, paymentName } from '../../src/domain/payment/terms.js'
import { listOf, longListOf, sublist, type List, type Listing } from '../../src/domain/values/lists.js'
import { isSent, type Meta } from '../../src/domain/values/meta.js'
import type { PaymentContext } from './context.js'

type Payments = List<'payment'>

export function agentPaymentsOf(agentId: string, list?: string): Payments {
  return sublist(longListOf(`ap/${agentId}`), list)
}

/** `name` is a `paymentName`. */
export function namedPaymentsOf(organization: string, name: string): Payments {
  return longListOf(`np/${organization}/${name}`)
}

export function agentNamedPaymentsOf(agentId: string, name: string): Payments {
  return longListOf(`anp/${agentId}/${name}`)
}

export function agentTransactionsOf(agentId: string): Payments {
  return longListOf(`at/${agentId}`)
}

export function counterpartyTransactionsOf(counterpartyId: string): Payments {
  return longListOf(`ct/${counterpartyId}`)
}

/** Those of the settlement: payments to send, and payments to follow on the chain. */
export const WORK_LISTS: Record<'toSend' | 'toFollow', Payments> = {
  toSend: listOf('calls'),
  toFollow: listOf('followed'),
}

/** A payment is listed once as an approval, by its last request that was put to a person. */
export function paymentListing({ context }: { context: PaymentContext }, meta: Meta): Listing {
  const { organization, terms, approval, formerApprovals, executedAt } = context
  const { agentId } = terms!
  const isTransaction = isSent(meta)
  const named = NAMED_BY.flatMap((field) => (terms![field] === undefined ? [] : [paymentName(field, terms![field])]))
  const requests = approval === null ? formerApprovals : [...formerApprovals, approval]
  return {
    lists: [
      paymentsOf(organization),
      paymentsOf(organization, meta.list),
      agentPaymentsOf(agentId),
      agentPaymentsOf(agentId, meta.list),
      ...named.flatMap((name) => [namedPaymentsOf(organization, name), agentNamedPaymentsOf(agentId, name)]),
      ...(approval === null || approval.createdAt === 0 ? [] : approvalListsOf(organization, approval.status)),
      ...(meta.call === undefined ? [] : [WORK_LISTS[isTransaction ? 'toFollow' : 'toSend']]),
    ],
    transactions: isTransaction
      ? [
          transactionsOf(organization),
          agentTransactionsOf(agentId),
          ...recipientsOf(context).map(counterpartyTransactionsOf),
        ]
      : [],
    executedAt,
    lookups: requests.map(({ id }) => approvalNamed(id)),
  }
}

/** The counterparty's id; none for a card. A payment asks it last of its first gates and never drops a gate. */
function recipientsOf({ gates }: PaymentContext): string[] {
  const recipients = gates.filter(({ ref }) => ref.startsWith('counterparty/'))
  return recipients.map(({ ref }) => ref.slice('counterparty/'.length))
}

interface Turned {
  context: PaymentContext
}

/** A decision on its approval request moves it without a change of state. */
export function paymentRelists(before: Turned, after: Turned): boolean {
  return before.context.approval !== after.context.approval
}
