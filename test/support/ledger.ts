// Compares the answers that callers got with the data folder: nothing that was answered may be missing or changed, and
// every sum must be that of the payments.
import { fieldsIn } from './walk.js'
import type { AgentContext } from '../../machines/agent.js'
import type { CounterpartyContext } from '../../machines/counterparty.js'
import type { DelegationContext } from '../../machines/delegation.js'
import type { PaymentContext } from '../../machines/payment/chart.js'
import type { WalletContext } from '../../machines/wallet.js'
import { kindOf, type Actor } from '../../src/actor/actor.js'
import { stateAfter } from '../../src/domain/audit/entry.js'
import { toNumber, type Micros } from '../../src/domain/values/money.js'
import type { Contents } from './integrity.js'
import type { Deed } from './load.js'
import type { FundedAgent } from './payments.js'

const MICROS = 1_000_000
const context = <Context>(actor: Actor | undefined): Context => actor!.context as unknown as Context

/** The state that each payment must be in after the last answer about it. */
function expectedStates(deeds: readonly Deed[]): Map<string, string> {
  const STATES: { [status: string]: string } = {
    APPROVED: 'approved',
    DENIED: 'denied',
    EXECUTED: 'executed',
    CANCELLED: 'cancelled',
  }
  const states = new Map<string, string>()
  for (const { kind, answer } of deeds) {
    if (answer?.status !== 200 || kind === 'fund' || kind === 'agent') continue
    states.set(answer.body.requestId, STATES[answer.body.status] ?? answer.body.status)
  }
  return states
}

/** Answers that the folder lacks or contradicts. Every request must have been answered. */
export function lost({ actors }: Contents, deeds: readonly Deed[]): string[] {
  const problems: string[] = []
  for (const [requestId, state] of expectedStates(deeds)) {
    const found = actors.get(`payment/${requestId}`)?.state
    if (found !== state) problems.push(`payment ${requestId} was answered as ${state} and is ${found}`)
  }
  for (const { kind, answer, body } of deeds) {
    if (answer === undefined) problems.push(`a ${kind} got no answer`)
    else if (answer.status >= 300) problems.push(`a ${kind} was refused: ${JSON.stringify(answer.body)}`)
    else if (kind === 'request') problems.push(...lostRequest(actors, answer.body.requestId, body!['amount'] as number))
    else if (kind === 'agent') {
      const { id } = answer.body as unknown as { id: string }
      const found = actors.get(`agent/${id}`)
      if (fieldsIn(found)['name'] !== body!['name']) problems.push(`agent ${id} is missing`)
    }
  }
  return problems
}

function lostRequest(actors: Contents['actors'], requestId: string, amount: number): string[] {
  const actor = actors.get(`payment/${requestId}`)
  const stored = actor && context<PaymentContext>(actor).terms!.amount
  return stored === Math.round(amount * MICROS) ? [] : [`payment ${requestId} of ${amount} is one of ${stored}`]
}

/** Sums that differ from those of the payments and fundings; `initial` is the first funding of each wallet. */
export function wrongSums(
  contents: Contents,
  agents: readonly FundedAgent[],
  deeds: readonly Deed[],
  initial: number,
): string[] {
  const payments = [...contents.actors.values()].filter(({ ref }) => kindOf(ref) === 'payment')
  return agents.flatMap((agent) => {
    const own = payments.filter((payment) => context<PaymentContext>(payment).terms!.agentId === agent.agentId)
    const executed = sumIn(own, 'executed')
    const held = sumIn(own, 'approved') + sumIn(own, 'awaitingApproval')
    const funded = deeds
      .filter((deed) => deed.kind === 'fund' && deed.agent === agent)
      .reduce((sum, { body }) => sum + (body!['amount'] as number) * MICROS, initial * MICROS)
    const wallet = context<WalletContext>(contents.actors.get(`wallet/${agent.walletId}`))
    const { sums } = context<DelegationContext>(contents.actors.get(`delegation/${agent.delegationId}`))
    const { executed: count } = context<AgentContext>(contents.actors.get(`agent/${agent.agentId}`))
    return [
      ...unequal('balance', agent, wallet.balance, funded - executed),
      ...unequal('held balance', agent, wallet.held, held),
      ...unequal('reserved', agent, sums.held, held),
      ...unequal('spent today', agent, sums.day.spent, executed),
      ...unequal('payments', agent, count, own.filter(({ state }) => state === 'executed').length),
    ]
  })
}

/** Wallets that hold less than is reserved of them, and delegations that have spent more than their limit of a day. */
export function overspent({ actors }: Contents): string[] {
  return [...actors.values()].flatMap((actor) => {
    if (kindOf(actor.ref) === 'wallet') {
      const { balance, held } = context<WalletContext>(actor)
      return balance >= held ? [] : [`${actor.ref} has ${toNumber(balance)}, of which ${toNumber(held)} is reserved`]
    }
    if (kindOf(actor.ref) !== 'delegation') return []
    const { terms, sums } = context<DelegationContext>(actor)
    const spent = sums.day.spent + sums.held
    const isWithin = terms.spendLimitDaily === null || spent <= terms.spendLimitDaily
    return isWithin ? [] : [`${actor.ref} has spent ${toNumber(spent)} of ${toNumber(terms.spendLimitDaily!)}`]
  })
}

/** Counterparties whose figures differ from those of the payments to them. */
export function wrongCounterparties({ actors }: Contents): string[] {
  const all = [...actors.values()]
  const executed = all.filter(({ ref, state }) => kindOf(ref) === 'payment' && state === 'executed')
  return all
    .filter(({ ref }) => kindOf(ref) === 'counterparty')
    .flatMap((actor) => {
      const { organization, address, transactionCount, totalVolume } = context<CounterpartyContext>(actor)
      const own = executed.filter((payment) => {
        const { organization: payers, terms } = context<PaymentContext>(payment)
        return payers === organization && terms!.recipientAddress === address
      })
      const right = own.length === transactionCount && sumIn(own, 'executed') === totalVolume
      return right ? [] : [`${address} counts ${transactionCount} payments, ${own.length} were made`]
    })
}

function sumIn(payments: readonly Actor[], state: string): Micros {
  const those = payments.filter((payment) => payment.state === state)
  return those.reduce((sum, payment) => sum + context<PaymentContext>(payment).terms!.amount, 0)
}

function unequal(what: string, { agentId }: FundedAgent, found: Micros, expected: Micros): string[] {
  if (found === expected) return []
  return [`${what} of agent ${agentId} is ${toNumber(found)} where ${toNumber(expected)} was expected`]
}

/** Payments with more than one execution in the audit log, and executed ones without any. */
export function misexecuted({ chains, actors }: Contents): string[] {
  const executions = new Map<string, number>()
  for (const { resource, resourceId, data } of [...chains.values()].flat()) {
    if (resource !== 'payment' || stateAfter(data) !== 'executed') continue
    executions.set(resourceId, (executions.get(resourceId) ?? 0) + 1)
  }
  const payments = [...actors.values()].filter(({ ref }) => kindOf(ref) === 'payment')
  return payments.flatMap(({ ref, state }) => {
    const count = executions.get(ref.slice('payment/'.length)) ?? 0
    return count === (state === 'executed' ? 1 : 0) ? [] : [`${ref} is ${state} and was executed ${count} times`]
  })
}
