// The payment tools for a model, independent of the framework: their definitions, and the function that runs a call. A
// failure is an answer that the model can act on, never an exception.
import { Bursar, BursarError } from 'bursar/sdk'

const { BURSAR_URL = 'http://127.0.0.1:3000', BURSAR_AGENT_KEY } = process.env
const bursar = new Bursar({ apiKey: BURSAR_AGENT_KEY, baseUrl: BURSAR_URL })

const ASK_FOR_KEY = 'Give paymentKey, the invoice or order number; ask for it where you do not know it'

export const TOOLS = [
  {
    name: 'pay',
    description:
      'Pay USDC to an address. EXECUTED means that the money was sent. DENIED gives the reasons and the nearest ' +
      'payment that would pass. REQUIRES_APPROVAL means that a person decides: call pay again later with the same ' +
      'input, as after a TIMEOUT. The same paymentKey is the same purchase: it is paid once, however often it is asked for.',
    schema: {
      type: 'object',
      properties: {
        paymentKey: { type: 'string', description: 'The invoice or order number: the same purchase, the same key' },
        amount: { type: 'string', description: 'In USDC, at most 6 decimals, such as "12.50"' },
        recipientAddress: { type: 'string', description: '0x and 40 hex digits, or a Solana address' },
        purpose: { type: 'string', description: 'What the payment is for, in one sentence' },
        category: { type: 'string', description: 'Such as CLOUD, if policies require one' },
      },
      required: ['paymentKey', 'amount', 'recipientAddress', 'purpose'],
      additionalProperties: false,
    },
    run: async (payment) => {
      // A key made up here would be another one in each call, and so another payment.
      if (!payment.paymentKey) throw new Error(ASK_FOR_KEY)
      return bursar.payments.pay(payment)
    },
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

/**
 * `input` is the parsed input, or its JSON text. The id that a framework gives a call is no key: a model that asks again
 * makes another call for the same purchase.
 */
export async function runTool(name, input) {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool === undefined) return { isError: true, answer: { error: `There is no tool ${name}` } }
  try {
    return { isError: false, answer: await tool.run(typeof input === 'string' ? JSON.parse(input) : input) }
  } catch (error) {
    if (!(error instanceof BursarError)) return { isError: true, answer: { error: error.message } }
    const { code, message, details, reasons, payment, approvalRequestId } = error
    const { requestId, status, paymentKey, attempt, hint, nearest, context } = payment ?? {}
    const purchase = { requestId, status, paymentKey, attempt, approvalRequestId }
    const seen = { ...purchase, hint, nearest, nextSteps: context?.nextSteps }
    return { isError: code !== 'REQUIRES_APPROVAL', answer: { code, message, details, reasons, ...seen } }
  }
}
