// Transactions: executed payments from the view of settlement.
import { type Actor } from '../../actor/actor.js'
import { agentTransactionsOf } from '../../../machines/payment/lists.js'
import { transactionsOf } from '../../domain/payment/lists.js'
import type { Page, Paging } from '../../actor/query.js'
import { isId, orderOf } from '../../domain/values/ids.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { isOwn, isVisible } from '../send.js'
import { transactionStatus } from '../status.js'
import type { Caller, Services } from '../ports.js'

export interface TransactionList extends Paging {
  agentId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Executed payments, newest first: the agent's own for an agent key, else the organization's or one agent's. */
export async function listTransactions(
  services: Services,
  caller: Caller,
  { agentId, ...rest }: TransactionList,
): Promise<Page<'payment'> | undefined> {
  const { organization, agent = agentId } = caller.principal
  if (agentId !== undefined && !isOwn(services, caller, agentId)) return { actors: [], total: 0 }
  const list = agent === undefined ? transactionsOf(organization) : agentTransactionsOf(agent)
  return services.query.page({ ...rest, list })
}

export async function findTransaction(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'payment'>, 'NOT_FOUND'>> {
  const missing = refuse('NOT_FOUND', `There is no transaction ${id}`)
  const bare = id.startsWith('tx_') ? id.slice('tx_'.length) : ''
  // A transaction's id begins with its payment's order.
  const ref = isId(bare) ? services.query.paymentAt(orderOf(bare)) : undefined
  if (ref === undefined) return missing
  const [payment] = await services.host.read([ref])
  const isFound = isVisible(payment, caller.principal.organization) && isTransaction(payment, id)
  return isFound ? succeed(payment) : missing
}

function isTransaction({ state, context: { transactionId, terms } }: Actor<'payment'>, id: string): boolean {
  return transactionId === id && transactionStatus({ state, terms: terms! }) !== undefined
}
