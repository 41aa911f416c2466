// Reads the answer of a success, and turns any other answer into the error to throw.
import type { Code } from './api.js'
import { BursarError } from './error.js'

/** Codes for answers that do not come from the service but, for example, from a proxy. */
const BY_STATUS: { [status: number]: Code } = {
  400: 'VALIDATION_ERROR',
  401: 'AUTH_FAILED',
  403: 'INSUFFICIENT_SCOPE',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'INVALID_STATUS',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}

export interface Reply {
  status: number
  text: string
  requestId?: string | undefined
  retryAfter?: number | undefined
}

interface ErrorBody {
  error: string
  code: Code
  details?: { path: string; message: string }[]
  reasons?: string[]
  approvalRequestId?: string
}

export function refusalOf({ status, text, requestId, retryAfter }: Reply): BursarError {
  const body = errorBody(text)
  if (body === undefined) {
    const message = `The answer with status ${status} is not from the service`
    return new BursarError(message, { code: BY_STATUS[status] ?? 'INTERNAL_ERROR', status, requestId, retryAfter })
  }
  const { error, code, details, reasons, approvalRequestId } = body
  return new BursarError(error, { code, status, requestId, retryAfter, details, reasons, approvalRequestId })
}

function errorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as ErrorBody | null
    return typeof body?.code === 'string' && typeof body.error === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

/**
 * The parsed body of a success. Throws REQUIRES_APPROVAL for a change that waits for approval, and
 * INTERNAL_ERROR for a body that is not JSON.
 */
export function successOf(reply: Reply): unknown {
  const { status, text, requestId } = reply
  let body: { status?: unknown; governanceApprovalRequestId?: string } | null
  try {
    body = JSON.parse(text)
  } catch {
    throw new BursarError(`The answer with status ${status} is not JSON`, { code: 'INTERNAL_ERROR', status, requestId })
  }
  if (status !== 202 || body?.status !== 'PENDING_APPROVAL') return body
  const approvalRequestId = body.governanceApprovalRequestId
  const message = 'The change waits for approval by somebody else'
  throw new BursarError(message, { code: 'REQUIRES_APPROVAL', status, requestId, approvalRequestId })
}
