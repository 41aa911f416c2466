// What the list of agents shows of each on demand: its limits of today and its last payment.
import * as v from 'valibot'
import type { RecentActivity } from '../../commands/agents/activity.js'
import { paymentStatus } from '../../commands/status.js'
import { PAYMENT_STATUSES } from '../../domain/payment/terms.js'
import { toNumber } from '../../domain/values/money.js'
import { recordSchema } from '../input/schemas.js'
import { iso } from '../server/respond.js'

const lastPaymentSchema = recordSchema('LastPayment', {
  id: v.string(),
  amount: v.number(),
  currency: v.string(),
  status: v.picklist(PAYMENT_STATUSES),
  createdAt: v.string(),
})

export const activitySchema = recordSchema('AgentActivity', {
  /** Delegations in force; the amounts are those of all of them. */
  wallets: v.number(),
  spentToday: v.number(),
  reserved: v.number(),
  /** Null where one of the wallets has no daily limit. */
  dailyLimit: v.nullable(v.number()),
  /** The one requested last; null before the first one. */
  lastPayment: v.nullable(lastPaymentSchema),
})

export function activityRecord(of: RecentActivity): v.InferOutput<typeof activitySchema> {
  const { wallets, spentToday, reserved, dailyLimit, lastPayment } = of
  return {
    wallets,
    spentToday: toNumber(spentToday),
    reserved: toNumber(reserved),
    dailyLimit: dailyLimit === null ? null : toNumber(dailyLimit),
    lastPayment: lastPayment === undefined ? null : lastRecord(lastPayment),
  }
}

function lastRecord(payment: NonNullable<RecentActivity['lastPayment']>): v.InferOutput<typeof lastPaymentSchema> {
  const { id, terms, createdAt } = payment.context
  const { amount, currency } = terms!
  return { id, amount: toNumber(amount), currency, status: paymentStatus(payment), createdAt: iso(createdAt) }
}
