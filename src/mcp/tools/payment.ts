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
const named = v.strictObject({
  requestId: v.optional(requestId),
  paymentKey: v.optional(said('In place of requestId: the invoice or order number of the purchase')),
})

export const paymentStatusTool = tool({
  name: 'payment_status',
  title: 'The status of a payment',
  description:
    'Reads a payment, by requestId or by paymentKey. Use it after a person was asked, after EXECUTING, and in a new ' +
    'conversation to find out how a purchase stands. Do not call it in a loop without waiting. Next: execute_payment if it ' +
    'is APPROVED, nothing if it is EXECUTED, why_denied if it is DENIED.',
  askingDescription:
    'Reads a payment, by requestId or by paymentKey. Use it after a person was asked, after EXECUTING, and in a new ' +
    'conversation to find out how a purchase stands. Do not call it in a loop without waiting. Next: the person you work ' +
    'for if it is APPROVED, nothing if it is EXECUTED, why_denied if it is DENIED.',
  input: named,
  output: paymentFields,
  annotations: READS,
  run: (ports, wanted) => aboutPayment(ports, wanted, (payment) => readAnswer(ports, payment)),
})

/** An answer about the payment that was named: of a purchase its latest attempt. */
async function aboutPayment(
  { bursar }: ToolPorts,
  { requestId: id, paymentKey }: v.InferOutput<typeof named>,
  answer: (payment: Payment) => ToolAnswer,
): Promise<ToolAnswer> {
  if (id !== undefined) return answer(await bursar.payments.status(id))
  if (paymentKey === undefined) return NOTHING_NAMED
  const { payments } = await bursar.payments.list({ paymentKey, limit: 1 })
  return payments[0] === undefined ? NOTHING_FOUND : answer(await bursar.payments.status(payments[0].requestId))
}

const NOTHING_NAMED: ToolAnswer = {
  fields: {},
  failure: { code: 'VALIDATION_ERROR', message: 'Neither requestId nor paymentKey was sent' },
  nextSteps: ['Send requestId or paymentKey'],
}

const NOTHING_FOUND: ToolAnswer = {
  fields: {},
  failure: { code: 'NOT_FOUND', message: 'No payment of yours has this paymentKey' },
  nextSteps: ['Check the paymentKey; if nothing was requested yet, call request_payment'],
}

/** A denial is what was asked for here, and no failure. */
function readAnswer(ports: ToolPorts, payment: Payment): ToolAnswer {
  const { failure: _denial, decision: _page, ...answer } = paymentAnswer(ports, payment)
  return answer
}

export const executePaymentTool = tool({
  name: 'execute_payment',
  executes: true,
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
    'Lists each rule and limit that a denied payment violates, by requestId or by paymentKey, with what would help. Use it ' +
    'after a denial, before you ask again. It changes nothing, and no answer of it is a reason to split a purchase or to change its recipient. Next: what ' +
    'nextSteps says, or tell the person you work for.',
  input: named,
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
  run: (ports, wanted) => aboutPayment(ports, wanted, (payment) => explained(ports, payment)),
})

function explained(ports: ToolPorts, payment: Payment): ToolAnswer {
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
}
