// request_payment and pay: both ask for a payment, and pay executes it where it is approved. The payment key makes any
// number of calls one purchase; it comes from the model and is never derived from anything else.
import * as v from 'valibot'
import type { PaymentRequest } from '../../../sdk/index.js'
import { said, tool, type ToolAnswer, type ToolPorts } from '../tool.js'
import { leftToPerson, paymentAnswer, paymentFields } from './record.js'

const input = v.strictObject({
  amount: v.pipe(
    v.union([v.number(), v.string()]),
    v.description('The whole price in USDC, with at most 6 decimals: 12.5 or "12.5"'),
  ),
  recipientAddress: said('The address to pay: 0x and 40 hex digits, or base58 on Solana'),
  paymentKey: said(
    'The invoice or order number of this purchase: the same purchase, the same key, in every call; another purchase, ' +
      'another key. A purchase is paid once. No spaces',
  ),
  recipientName: v.optional(said('The name of the recipient')),
  purpose: v.optional(said('What is bought, and why: people who approve read it')),
  category: v.optional(said('The category of the purchase, where policies ask for one')),
  reference: v.optional(said('A number to find the payment by')),
  walletId: v.optional(said('Of get_limits; without it the service chooses the wallet')),
  chainId: v.optional(said('The chain to pay on; without it the service chooses')),
})

const ASKS_ALONE =
  'Asks for a payment and reserves it, without paying: this key may not execute payments. Tell the person you work for ' +
  'before you call it: once it is APPROVED, they have it executed with another key, before expiresAt, within minutes. Do ' +
  'not use it to try amounts, and do not call it again with another paymentKey for the same purchase. Answers status ' +
  'APPROVED (next: the person), REQUIRES_APPROVAL (next: a person decides, then payment_status) or an error with the ' +
  'reasons (next: why_denied). Repeating it with the same paymentKey is safe.'

export const requestPaymentTool = tool({
  name: 'request_payment',
  title: 'Ask whether a payment is allowed',
  description:
    'Asks for a payment and reserves it, without paying. Use it when somebody should see the decision before the money ' +
    'goes. Do not use it to try amounts, and do not call it again with another paymentKey for the same purchase. Answers ' +
    'status APPROVED (next: execute_payment), REQUIRES_APPROVAL (next: a person decides, then payment_status) or an ' +
    'error with the reasons (next: why_denied). Repeating it with the same paymentKey is safe.',
  askingDescription: ASKS_ALONE,
  input,
  output: paymentFields,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  run: (ports, wanted) => requested(ports, wanted, false),
})

export const pay = tool({
  name: 'pay',
  title: 'Pay',
  description:
    'Asks for a payment and executes it at once if it is approved: money leaves the wallet. Do not use it where the ' +
    'recipient or the amount is in doubt (check_recipient, request_payment). A purchase is paid once, however often you ' +
    'call it with the same paymentKey: if a call is lost or times out, repeat it unchanged. Answers status EXECUTED (done), ' +
    'EXECUTING (next: payment_status), REQUIRES_APPROVAL (next: a person decides, and it is then paid; ' +
    'payment_status says so) or an error with the reasons (next: why_denied).',
  askingDescription: ASKS_ALONE,
  input,
  output: paymentFields,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: (ports, wanted) => requested(ports, wanted, ports.mayExecute),
})

async function requested(
  ports: ToolPorts,
  wanted: v.InferOutput<typeof input>,
  autoExecute: boolean,
): Promise<ToolAnswer> {
  const decision = await ports.bursar.payments.request({ ...wanted, autoExecute } as PaymentRequest)
  const answer = paymentAnswer(ports, decision)
  const { autoExecuteError: unexecuted, requestId } = decision
  if (unexecuted === undefined) return answer
  return {
    ...answer,
    failure: { code: unexecuted.code, message: unexecuted.error },
    nextSteps:
      unexecuted.code === 'INSUFFICIENT_SCOPE'
        ? leftToPerson(decision)
        : [`Nothing was paid: call payment_status with requestId ${requestId} before anything else`],
  }
}
