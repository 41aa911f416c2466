// Tools about a payment that was requested: its status, its execution, its end, and why it was denied.
import * as v from 'valibot'
import { BursarError, type Payment } from '../../../sdk/index.js'
import { READS, said, tool, type ToolAnswer, type ToolPorts } from '../tool.js'
import { paymentAnswer, paymentFields } from './record.js'

const requestId = v.pipe(
  v.string(),
  v.regex(/^(?!\.{1,2}$)[!-~]{1,200}$/, 'is no requestId'),
  v.description('The requestId of the payment, from request_payment or pay'),
)
const input = v.strictObject({ requestId })

export const paymentStatusTool = tool({
  name: 'payment_status',
  title: 'The status of a payment',
  description:
    'Reads a payment, by requestId or by paymentKey. Use it after a person was asked, after EXECUTING, and in a new ' +
    'conversation to find out how a purchase stands. Do not call it in a loop without waiting. Next: execute_payment if it ' +
    'is APPROVED, nothing if it is EXECUTED, why_denied if it is DENIED.',
  input: v.strictObject({
    requestId: v.optional(requestId),
    paymentKey: v.optional(said('In place of requestId: the invoice or order number of the purchase')),
  }),
  output: paymentFields,
  annotations: READS,
  run: async (ports, wanted) => {
    const payment = await paymentOf(ports, wanted)
    return payment === undefined ? nothingFound() : readAnswer(ports, payment)
  },
})

/** The latest attempt, where a purchase is named. */
async function paymentOf(
  { bursar }: ToolPorts,
  wanted: { requestId?: string | undefined; paymentKey?: string | undefined },
): Promise<Payment | undefined> {
  if (wanted.requestId !== undefined) return bursar.payments.status(wanted.requestId)
  if (wanted.paymentKey === undefined) return undefined
  const { payments } = await bursar.payments.list({ paymentKey: wanted.paymentKey, limit: 1 })
  return payments[0]
}

function nothingFound(): ToolAnswer {
  return {
    fields: {},
    failure: { code: 'NOT_FOUND', message: 'No payment of yours has this requestId or paymentKey' },
    nextSteps: ['Send requestId or paymentKey; if nothing was requested yet, call request_payment'],
  }
}

/** A denial is what was asked for here, and no failure. */
function readAnswer(ports: ToolPorts, payment: Payment): ToolAnswer {
  const { failure: _denial, decision: _page, ...answer } = paymentAnswer(ports, payment)
  return answer
}

export const executePaymentTool = tool({
  name: 'execute_payment',
  title: 'Execute an approved payment',
  description:
    'Pays an APPROVED payment: money leaves the wallet, once. Do not use it for a payment that still REQUIRES_APPROVAL ' +
    '(payment_status says so), nor after pay. If a call is lost, repeat it unchanged. Next: nothing if it is EXECUTED, ' +
    'payment_status if it is EXECUTING.',
  input,
  output: paymentFields,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: async (ports, { requestId: id }) => {
    try {
      await ports.bursar.payments.execute(id)
    } catch (error) {
      // The answer to an earlier call was lost.
      if (!(error instanceof BursarError && error.code === 'ALREADY_EXECUTED')) throw error
    }
    return readAnswer(ports, await ports.bursar.payments.status(id))
  },
})

export const cancelPaymentTool = tool({
  name: 'cancel_payment',
  title: 'Cancel a payment',
  description:
    'Ends a payment that is not executed and frees what is reserved for it. Use it when the purchase is not wanted any ' +
    'more; it takes back no payment that is EXECUTING or EXECUTED. Next: nothing; request_payment with the same paymentKey ' +
    'if it is wanted again.',
  input,
  output: paymentFields,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: async (ports, { requestId: id }) => readAnswer(ports, await cancelled(ports, id)),
})

async function cancelled({ bursar }: ToolPorts, id: string): Promise<Payment> {
  try {
    return await bursar.payments.cancel(id)
  } catch (error) {
    if (!(error instanceof BursarError && error.code === 'INVALID_STATUS')) throw error
    const seen = await bursar.payments.status(id)
    if (seen.status !== 'CANCELLED') throw error
    return seen
  }
}

export const whyDenied = tool({
  name: 'why_denied',
  title: 'Why a payment was denied',
  description:
    'Lists each rule and limit that a denied payment violates, with what would help. Use it after a denial, before you ask ' +
    'again. It changes nothing, and no answer of it is a reason to split a purchase or to change its recipient. Next: what ' +
    'nextSteps says, or tell the person you work for.',
  input,
  output: {
    ...paymentFields,
    violations: v.array(
      v.object({
        type: v.string(),
        message: v.string(),
        limit: v.optional(v.number()),
        current: v.optional(v.number()),
      }),
    ),
  },
  annotations: READS,
  run: async (ports, { requestId: id }) => {
    const payment = await ports.bursar.payments.status(id)
    const { fields, nextSteps, untrusted } = readAnswer(ports, payment)
    const { reasons: _same, ...shown } = fields
    const violations = (payment.violations ?? []).map(({ type, message, limit, current }) => {
      return { type, message, limit, current }
    })
    const advice = nextSteps.filter((step) => !step.includes('why_denied'))
    const last = 'Tell the person you work for, if none of this is in your power'
    return {
      fields: { ...shown, violations },
      nextSteps: payment.status === 'DENIED' ? [...advice, last] : nextSteps,
      untrusted,
    }
  },
})
