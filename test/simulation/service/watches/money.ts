// The money at the end: what each wallet has, what a purchase cost, and what limits allowed, added up from the payments.
import type { Payment as PaymentRecord, Wallet as WalletRecord } from '../../../../sdk/api.js'
import { demand } from '../../violated.js'
import type { Delegation, Organization } from '../organization.js'
import type { Watch, World } from '../world.js'
import type { Executions } from './executions.js'
import { grouped } from './grouped.js'
import { everyOne, read } from './reading.js'

const SPENT = new Set(['EXECUTED', 'EXECUTING'])
const HELD = new Set(['APPROVED', 'REQUIRES_APPROVAL'])
const DAY_MS = 86_400_000

export class Money implements Watch {
  readonly #world: World
  readonly #executions: Executions

  constructor(world: World, executions: Executions) {
    this.#world = world
    this.#executions = executions
  }

  async over(): Promise<void> {
    for (const organization of this.#world.organizations) {
      const payments = await everyOne<PaymentRecord>(this.#world, organization, '/api/payments')
      await this.#wallets(organization, payments)
      asRequested(organization, payments)
      purchases(payments)
      ended(payments)
      if (!this.#world.wasSetBack) for (const each of organization.delegations) this.#limits(each, payments)
    }
  }

  async #wallets(organization: Organization, payments: readonly PaymentRecord[]): Promise<void> {
    for (const wallet of organization.wallets) {
      const { balance, reserved } = await read<WalletRecord>(this.#world, organization, `/api/wallets/${wallet.id}`)
      const own = payments.filter((each) => each.wallet?.id === wallet.id)
      const [spent, held] = [SPENT, HELD].map((which) => sum(own.filter(({ status }) => which.has(status))))
      const left = wallet.funded - spent!
      const what = `${balance} with ${reserved} reserved, and should have ${left} with ${held}`
      demand('money', balance === left && reserved === held, () => `wallet ${wallet.id} has ${what}`)
      demand('balance', balance >= 0 && reserved <= balance, () => `wallet ${wallet.id} has ${what}`)
    }
  }

  #limits({ agent, wallet, dailies }: Delegation, payments: readonly PaymentRecord[]): void {
    const spent = payments.filter((each) => each.agentId === agent.id && each.wallet?.id === wallet.id)
    const days = grouped(
      spent.filter(({ id }) => this.#executions.spentAt.has(id)),
      ({ id }) => Math.floor(this.#executions.spentAt.get(id)! / DAY_MS),
    )
    for (const [day, rows] of days) {
      const most = Math.max(...limitsOn(day, dailies).map((limit) => limit ?? Infinity))
      const total = sum(rows.filter(({ status }) => SPENT.has(status)))
      demand('limit', total <= most, () => `${agent.name} spent ${total} of ${most} on day ${day}`)
    }
  }
}

/** All that were in force at some time of the day. */
function limitsOn(day: number, dailies: Delegation['dailies']): (number | null)[] {
  return dailies
    .filter(({ from }, at) => from < (day + 1) * DAY_MS && (dailies[at + 1]?.from ?? Infinity) >= day * DAY_MS)
    .map(({ limit }) => limit)
}

function sum(payments: readonly PaymentRecord[]): number {
  return payments.reduce((total, { amount }) => total + amount, 0)
}

/** Approvers and agents saw what is paid. */
function asRequested({ payments }: Organization, records: readonly PaymentRecord[]): void {
  for (const record of records) {
    const known = payments.find(({ id }) => id === record.id)
    const isSame = !known?.recipient || record.recipientAddress?.toLowerCase() === known.recipient.address
    demand('asked', isSame, () => `${record.id} goes to ${record.recipientAddress}`)
  }
}

/** What was signed by x402 and not paid in time is given back by now. */
function ended(payments: readonly PaymentRecord[]): void {
  const open = payments.find(({ rail, status }) => rail === 'X402' && status === 'EXECUTING')
  demand('signed', open === undefined, () => `${open?.id} still holds what was signed`)
  const waiting = payments.find(({ rail, status }) => rail === 'TRANSFER' && status === 'REQUIRES_APPROVAL')
  demand('quiet', waiting === undefined, () => `${waiting?.id} still waits for an approval`)
}

function purchases(payments: readonly PaymentRecord[]): void {
  const paid = payments.filter(({ status, paymentKey, rail }) => status === 'EXECUTED' && paymentKey && rail !== 'CARD')
  for (const [key, rows] of grouped(paid, ({ agentId, paymentKey }) => `${agentId} ${paymentKey}`)) {
    demand('purchase', rows.length === 1, () => `${key} was paid by ${rows.map(({ id }) => id).join(' and ')}`)
  }
}
