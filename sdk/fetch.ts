// Fetches what a server sells by x402: where it answers 402, the service decides on the payment and signs it, and the
// request is repeated once with the signature. It never pays twice: a purchase is named by its payment key.
import type { Answer, Body, Client } from './call.js'
import { BursarError } from './error.js'

type Asked = Body<'POST /api/sdk/x402/authorize'>
type Authorization = Answer<'POST /api/sdk/x402/authorize'>
type Settlement = Answer<'POST /api/sdk/x402/{requestId}/settle'>

/** What `fetch` takes, but for a body that can be read only once, and what names and bounds the purchase. */
export interface PaidRequest extends Omit<RequestInit, 'body'> {
  /** Names the purchase, as the order or task that it is for: under one name it is paid once, however often it is asked for. */
  paymentKey: string
  /** The most that is paid (USDC). */
  maxAmount?: Asked['maxAmount']
  walletId?: Asked['walletId']
  body?: string | URLSearchParams | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | FormData | null
}

/** The server's answer. Without `bursarPayment` nothing was paid for it. */
export type PaidResponse = Response & { bursarPayment?: Authorization | Settlement }

export interface Buyer {
  client: Client
  fetch: typeof globalThis.fetch
}

/** Of a 402 without the header of version 2; a longer body has no offer. */
const MAX_BODY = 64 * 1024

export async function buy({ client, fetch }: Buyer, url: string | URL, request: PaidRequest): Promise<PaidResponse> {
  const { paymentKey, maxAmount, walletId, ...init } = request
  if (isStream(init.body)) throw new TypeError('body must be one that can be sent again, not a stream')
  const first = await fetch(url, init)
  if (first.status !== 402) return first
  const at = first.url || String(url)
  requireSameOrigin(at, url)
  const body: Asked = {
    paymentRequired: await offersIn(first),
    resource: { url: at, method: (init.method ?? 'GET').toUpperCase() },
    paymentKey,
    ...(maxAmount !== undefined && { maxAmount }),
    ...(walletId !== undefined && { walletId }),
  }
  const options = { signal: init.signal ?? undefined }
  const authorization = await client.call('POST /api/sdk/x402/authorize', { body }, options)
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(headersOf(authorization))) headers.set(name, value)
  // Who is redirected to was not decided on.
  const paid = await fetch(at, { ...init, headers, redirect: 'manual' }).catch((error: unknown) => {
    throw lost(authorization, error)
  })
  return Object.assign(paid, { bursarPayment: await told(client, authorization, paid) })
}

/** The credentials of the request are for the host that was asked, and so is the decision. */
function requireSameOrigin(at: string, asked: string | URL): void {
  if (new URL(at).origin === new URL(asked).origin) return
  const message = `${new URL(asked).origin} redirected to ${new URL(at).origin}, which asks to be paid: ask that one itself`
  throw new BursarError(message, { code: 'VALIDATION_ERROR', status: 402 })
}

/** The header of version 2, or the JSON of the body. */
async function offersIn(answer: Response): Promise<Asked['paymentRequired']> {
  const header = answer.headers.get('PAYMENT-REQUIRED')
  const text = header === null ? await beginningOf(answer) : ''
  if (header !== null) await answer.body?.cancel()
  try {
    return header ?? (JSON.parse(text) as Asked['paymentRequired'])
  } catch {
    const message = 'Ask another server: this one answers 402 without an offer of x402'
    throw new BursarError(message, { code: 'VALIDATION_ERROR', status: 402 })
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const part = await reader?.read()
    if (part?.value) text += decoder.decode(part.value, { stream: true })
    if (part === undefined || part.done) return text
    if (text.length > MAX_BODY) break
  }
  await reader?.cancel()
  return ''
}

/** Those to pay with. Throws where there is nothing to pay with. */
function headersOf(authorization: Authorization): { [name: string]: string } {
  const { status, headers, reasons, violations, requestId, approvalRequestId, typedData } = authorization
  if (headers) return headers
  const facts = { status: 0, requestId, reasons, ...(violations && { violations }) }
  const why = reasons.at(-1)
  if (status === 'DENIED') throw new BursarError(why ?? 'The payment is denied', { ...facts, code: 'PAYMENT_DENIED' })
  if (status === 'REQUIRES_APPROVAL') {
    const message = 'Wait for a person to approve the payment, then fetch again with the same paymentKey'
    throw new BursarError(message, { ...facts, approvalRequestId, code: 'REQUIRES_APPROVAL' })
  }
  if (typedData) {
    const message = 'Sign typedData of x402.authorize yourself: the service does not hold the key of this wallet'
    throw new BursarError(message, { ...facts, code: 'MANUAL_EXECUTION_REQUIRED' })
  }
  if (status === 'EXECUTED') {
    const message = 'Name another paymentKey to pay again: this purchase is paid'
    throw new BursarError(message, { ...facts, code: 'ALREADY_EXECUTED' })
  }
  throw new BursarError(why ?? `The payment is ${status}`, { ...facts, code: 'INVALID_STATUS' })
}

/** What became of it, as far as the server says. The server's answer is the caller's whatever the service answers. */
async function told(client: Client, authorization: Authorization, paid: Response): Promise<Authorization | Settlement> {
  const paymentResponse = paid.headers.get('PAYMENT-RESPONSE')
  const body = { ...(paymentResponse !== null && { paymentResponse }), httpStatus: paid.status }
  const path = { requestId: authorization.requestId }
  return client.call('POST /api/sdk/x402/{requestId}/settle', { path, body }).catch((error: unknown) => {
    if (error instanceof BursarError) return authorization
    throw error
  })
}

/** The server may have been paid: only the same purchase may be tried again. */
function lost({ requestId }: Authorization, cause: unknown): BursarError {
  const message = 'Fetch again with the same paymentKey: the server did not answer the paid request, and may be paid'
  return new BursarError(message, { code: 'TIMEOUT', status: 0, requestId, cause })
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)
}
