// pay_x402: gets what a server sells by x402. The request, the payment and its repetition are one call.
import * as v from 'valibot'
import { BursarError, type PaidRequest, type PaidResponse } from '../../../sdk/index.js'
import { said, tool, type ToolAnswer, type ToolPorts } from '../tool.js'
import { paymentAnswer, paymentFields } from './record.js'

const input = v.strictObject({
  url: v.pipe(v.string(), v.url(), v.description('What to get: an http or https URL that answers 402 with its price')),
  paymentKey: said(
    'The order or task number of this purchase: the same purchase, the same key, in every call; another purchase, ' +
      'another key. A purchase is paid once. No spaces',
  ),
  maxAmount: v.pipe(
    v.union([v.number(), v.string()]),
    v.description('The most that you pay for it, in USDC: 0.05 or "0.05"'),
  ),
  method: v.optional(v.pipe(v.picklist(['GET', 'POST']), v.description('GET without it'))),
  body: v.optional(said('JSON to send with a POST')),
  walletId: v.optional(said('Of get_limits; without it the service chooses the wallet')),
})

type Wanted = v.InferOutput<typeof input>

/** Of what is read into memory; less is shown. */
const MAX_BYTES = 64 * 1024

const RAISE = 'Raise maxAmount if the resource is worth that price, and call pay_x402 again with the same paymentKey'

export const payX402 = tool({
  name: 'pay_x402',
  executes: true,
  title: 'Get what a server sells by x402',
  description:
    'Requests a URL; where the server answers HTTP 402 with an offer of x402, pays up to maxAmount and requests it again. ' +
    'Use it for URLs that ask for payment; do not use it to send money to somebody (pay). A purchase is paid once, however ' +
    'often you call it with the same paymentKey: if a call is lost or times out, repeat it unchanged. Answers the HTTP ' +
    'status and the beginning of the content, REQUIRES_APPROVAL (next: a person decides, then call it again) or an error ' +
    'with the reasons.',
  input,
  output: {
    httpStatus: v.optional(v.number()),
    validBefore: v.optional(v.string()),
    ...v.partial(v.object(paymentFields)).entries,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: async (ports, wanted) => {
    try {
      return await answerOf(await ports.bursar.fetch(wanted.url, requestOf(wanted)))
    } catch (error) {
      if (!(error instanceof BursarError)) return unasked(ports, error as Error)
      if (error.code === 'REQUIRES_APPROVAL') return waiting(ports, wanted, error)
      if (error.code === 'PAYMENT_DENIED') return denied(ports, error)
      throw error
    }
  },
})

function requestOf({ paymentKey, maxAmount, method, body, walletId }: Wanted): PaidRequest {
  return {
    paymentKey,
    maxAmount: maxAmount as number,
    ...(walletId !== undefined && { walletId }),
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  }
}

async function answerOf(answer: PaidResponse): Promise<ToolAnswer> {
  const { status: httpStatus, bursarPayment: payment } = answer
  const contentType = answer.headers.get('content-type') ?? undefined
  const content = await textOf(answer)
  const { requestId, status, amount } = payment ?? {}
  const of = { requestId, status, amount }
  const { txHash, validBefore } = (payment ?? {}) as { txHash?: string; validBefore?: string }
  return {
    fields: { httpStatus, ...of, txHash, validBefore },
    untrusted: { contentType, content },
    nextSteps: [nextStep(answer)],
  }
}

function nextStep({ ok, status, bursarPayment }: PaidResponse): string {
  if (!bursarPayment && ok) return 'Nothing was paid: the server asked for no payment'
  if (!bursarPayment) return `Nothing was paid: the server answered HTTP ${status}`
  if (ok) return 'Nothing: it is paid, and untrustedText.content is the beginning of what was bought'
  return `The payment is signed, and the server answered HTTP ${status}: call pay_x402 again with the same paymentKey, never with another`
}

/** The beginning of what is text; undefined for anything else. */
async function textOf({ headers, body }: Response): Promise<string | undefined> {
  const isText = /^(text\/|application\/(json|xml|[\w.+-]*\+json))/.test(headers.get('content-type') ?? 'text/plain')
  if (!isText) return void (await body?.cancel())
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < MAX_BYTES) {
    const part = await reader?.read()
    if (part === undefined || part.done) return text
    text += decoder.decode(part.value, { stream: true })
  }
  await reader?.cancel()
  return text
}

function waiting(
  ports: ToolPorts,
  { url, paymentKey }: Wanted,
  { requestId, approvalRequestId }: BursarError,
): ToolAnswer {
  const page = ports.approvalUrl(approvalRequestId!)
  return {
    fields: { requestId, status: 'REQUIRES_APPROVAL', approvalRequestId, approvalUrl: page },
    nextSteps: [
      'Tell the person you work for that this payment waits for their decision (approvalUrl)',
      `Then call pay_x402 again with the paymentKey ${paymentKey}`,
    ],
    decision: { url: page, message: `Decide on a payment to ${new URL(url).host}` },
  }
}

/** As pay answers it, where the key may read the payment. */
async function denied(ports: ToolPorts, error: BursarError): Promise<ToolAnswer> {
  const payment = await ports.bursar.payments.status(error.requestId!).catch(() => undefined)
  if (payment === undefined) throw error
  const answer = paymentAnswer(ports, payment)
  const { violations = [], hint } = payment
  if (violations.length !== 1 || violations[0]!.type !== 'X402_PRICE_CEILING') return answer
  return { ...answer, nextSteps: [RAISE, ...answer.nextSteps.filter((step) => step !== hint)] }
}

/** By its code: the message of a fault in TLS has names that the server wrote. */
function faultOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? error.code : error.message
}

/** Before anything was paid: what is lost afterwards is a TIMEOUT. */
function unasked({ isRefusedUrl }: ToolPorts, error: Error): ToolAnswer {
  if (isRefusedUrl(error)) {
    return {
      fields: {},
      failure: { code: 'VALIDATION_ERROR', message: error.message },
      nextSteps: ['Send the https URL of a public server: no other is asked. Nothing was paid'],
    }
  }
  const why = faultOf(error.cause instanceof Error ? error.cause : error)
  return {
    fields: {},
    failure: { code: 'UNAVAILABLE', message: `The server could not be asked: ${why}` },
    nextSteps: ['Check the URL, or try again later with the same paymentKey: nothing was paid'],
  }
}
