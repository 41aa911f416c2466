// The payment tools for a model, independent of the framework: their definitions, and the function that runs a call. A
// failure is an answer that the model can act on, never an exception.
import { Bursar, BursarError } from 'bursar/sdk'

const { BURSAR_URL = 'http://127.0.0.1:3000', BURSAR_AGENT_KEY } = process.env
const bursar = new Bursar({ apiKey: BURSAR_AGENT_KEY, baseUrl: BURSAR_URL })

export const TOOLS = [
  {
    name: 'pay',
    description:
      'Pay USDC to an address. EXECUTED means that the money was sent. DENIED gives the reasons and the nearest ' +
      'payment that would pass. REQUIRES_APPROVAL means that a person decides: check payment_status later; once it ' +
      'is APPROVED, or after a TIMEOUT, call pay again with the same input and the paymentKey of the answer, which ' +
      'continues this payment. Without the paymentKey it is another payment.',
    schema: {
      type: 'object',
      properties: {
        amount: { type: 'string', description: 'In USDC, at most 6 decimals, such as "12.50"' },
        recipientAddress: { type: 'string', description: '0x and 40 hex digits, or a Solana address' },
        purpose: { type: 'string', description: 'What the payment is for, in one sentence' },
        category: { type: 'string', description: 'Such as CLOUD, if policies require one' },
        paymentKey: { type: 'string', description: 'Only to continue a payment: the paymentKey of its answer' },
      },
      required: ['amount', 'recipientAddress', 'purpose'],
      additionalProperties: false,
    },
    run: async ({ paymentKey, ...payment }, callId) =>
      bursar.payments.pay({ ...payment, idempotencyKey: paymentKey ?? callId }),
  },
  {
    name: 'payment_status',
    description: 'The status of a payment, by the requestId that pay returned.',
    schema: {
      type: 'object',
      properties: { requestId: { type: 'string' } },
      required: ['requestId'],
      additionalProperties: false,
    },
    run: async ({ requestId }) => {
      const { status, amount, currency, reasons, transaction } = await bursar.payments.status(requestId)
      return { requestId, status, amount, currency, reasons, transaction }
    },
  },
  {
    name: 'spending_limits',
    description: 'The available wallets, with their balance, their limit per payment, and what may still be spent.',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    run: async () => {
      const { wallets } = await bursar.setup()
      return wallets.map(({ walletId, currency, balance, remaining, spendLimitPerTx }) => {
        return { walletId, currency, balance, remaining, spendLimitPerTx }
      })
    },
  },
]

const UNKNOWN = ['TIMEOUT', 'INTERNAL_ERROR', 'UNAVAILABLE']
const OPEN = ['APPROVED', 'REQUIRES_APPROVAL', 'EXECUTING']

/** The payment may be made still, or was. */
function isOpen({ code, payment }) {
  // Only the agent itself can make such a payment: paying again does not help.
  if (code === 'MANUAL_EXECUTION_REQUIRED') return false
  return UNKNOWN.includes(code) || OPEN.includes(payment?.status)
}

/**
 * `input` is the parsed input, or its JSON text. `callId` is the id that the framework assigns to this call: the same
 * call, repeated, pays only once.
 */
export async function runTool(name, input, callId) {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool === undefined) return { isError: true, answer: { error: `There is no tool ${name}` } }
  try {
    return { isError: false, answer: await tool.run(typeof input === 'string' ? JSON.parse(input) : input, callId) }
  } catch (error) {
    if (!(error instanceof BursarError)) return { isError: true, answer: { error: error.message } }
    const { code, message, details, reasons, payment, approvalRequestId, idempotencyKey } = error
    const paymentKey = isOpen(error) ? idempotencyKey : undefined
    const { requestId, status, hint, nearest, context } = payment ?? {}
    const seen = { requestId, status, approvalRequestId, paymentKey, hint, nearest, nextSteps: context?.nextSteps }
    return { isError: code !== 'REQUIRES_APPROVAL', answer: { code, message, details, reasons, ...seen } }
  }
}
