// get_limits: what may be spent now.
import * as v from 'valibot'
import { READS, tool } from '../tool.js'

const left = v.nullable(v.number())
const perWindow = <Of extends v.GenericSchema>(of: Of) => v.object({ day: of, week: of, month: of })

export const getLimits = tool({
  name: 'get_limits',
  title: 'What may be spent now',
  description:
    'Shows what you may spend now, for each wallet: balance, the most in one payment, what is left today, this week and ' +
    'this month (null: no limit), and whether payments are allowed at this hour. Above approvalAbove a person must ' +
    'approve. Call it before you plan a purchase, not before each payment: request_payment and pay check everything ' +
    'themselves. Next: check_recipient for a new address, or request_payment.',
  input: v.strictObject({}),
  output: {
    wallets: v.array(
      v.object({
        walletId: v.string(),
        currency: v.string(),
        balance: v.number(),
        perPayment: left,
        remaining: perWindow(left),
        resetsAt: perWindow(v.string()),
        openNow: v.boolean(),
        opensAt: v.optional(v.string()),
      }),
    ),
    approvalAbove: v.optional(v.number()),
    recipients: v.picklist(['ANY', 'LISTED']),
    updatedAt: v.string(),
  },
  annotations: READS,
  run: async ({ bursar, mayExecute }) => {
    const limits = await bursar.limits()
    return { fields: { ...limits }, nextSteps: [nextOf(limits.wallets, mayExecute)] }
  },
})

function nextOf(wallets: { openNow: boolean; opensAt?: string }[], mayExecute: boolean): string {
  if (wallets.length === 0) return 'Ask the person you work for to delegate a wallet to you: you have none'
  if (wallets.some(({ openNow }) => openNow)) {
    return `Call request_payment${mayExecute ? ' (or pay, to pay at once)' : ''} with amount, recipientAddress and paymentKey`
  }
  const opening = wallets.flatMap(({ opensAt }) => opensAt ?? []).sort()[0]
  if (opening !== undefined) return `Wait until ${opening}: no payment is allowed before`
  return 'Tell the person you work for that no wallet can pay now'
}
