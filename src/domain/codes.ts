// The one table of outcome codes: the HTTP status each answers, what to say, and whether sending again can help.
export interface CodeEntry {
  /** HTTP status; 0 for what only a client can see. */
  status: number
  /** One sentence that names the remedy; used where nothing more exact is known. */
  message: string
  /** True when the same request, sent again later and unchanged, may succeed without anybody doing anything. */
  retryable: boolean
}

const final = (status: number, message: string): CodeEntry => ({ status, message, retryable: false })
const retryable = (status: number, message: string): CodeEntry => ({ status, message, retryable: true })

export const CODES = {
  AUTH_FAILED: final(401, 'Send a valid, live key of the right kind as a Bearer credential, or sign in'),
  INSUFFICIENT_SCOPE: final(403, 'Use a key that has the scope this route needs'),
  CSRF: final(403, 'Send cookie requests from the service\'s own origin, with an application/json body'),
  INVALID_TOKEN: final(403, 'Use the approval token that was issued for exactly this payment'),
  SELF_APPROVAL: final(403, 'Let somebody else decide what you asked for'),

  PAYMENT_DENIED: final(403, 'See the reasons and violations of the request, and change it accordingly'),
  REQUIRES_APPROVAL: final(202, 'Wait until a person has approved the request'),
  INSUFFICIENT_BALANCE: final(400, 'Fund the wallet or pay a smaller amount'),
  EXPIRED: final(400, 'Make a new request, this one has expired'),
  INVALID_STATUS: final(400, 'Read the current status first, it does not allow this'),
  NO_WALLET: final(400, 'Have an administrator delegate a wallet to the agent'),
  LIMIT_EXCEEDED: final(400, 'Pay a smaller amount, or wait until the limit has room again'),
  WALLET_CONFIG_ERROR: final(400, 'Have an administrator correct the wallet\'s custody configuration'),
  CUSTODY_NOT_CONFIGURED: final(503, 'Have the operator configure the wallet\'s custody provider'),
  MANUAL_EXECUTION_REQUIRED: final(400, 'Pay from the external wallet through the approve and confirm flow'),
  ALREADY_EXECUTED: final(409, 'Do not pay again, this was executed already'),

  VALIDATION_ERROR: final(400, 'Correct the fields named in the details'),
  INVALID_INPUT: final(400, 'Correct the fields named in the details'),
  INVALID_AMOUNT: final(400, 'Give an amount above 0 and below 1000000000 with at most 6 decimals'),
  INVALID_ADDRESS: final(400, 'Give an EVM address (0x, 40 hex digits, right checksum) or a Solana one (base58)'),
  INVALID_JSON: final(400, 'Send a body that is well-formed JSON, nested at most 32 deep'),
  PAYLOAD_TOO_LARGE: final(413, 'Send a smaller body'),
  UNSUPPORTED_MEDIA_TYPE: final(415, 'Send the body as application/json'),

  NOT_FOUND: final(404, 'Check the path and the id, nothing of that name exists here'),
  METHOD_NOT_ALLOWED: final(405, 'Use a method that the Allow header names'),
  ALREADY_EXISTS: final(409, 'Use the one that exists already, or choose another name or address'),
  ALREADY_DECIDED: final(409, 'Leave the decision to others, you have decided already'),
  IDEMPOTENCY_CONFLICT: final(409, 'Use a new idempotency key, this one belongs to another body'),
  LIMIT_REACHED: final(409, 'Remove one that is no longer needed, no more are allowed'),
  POLICY_HAS_ASSIGNMENTS: final(409, 'Remove the policy\'s assignments first'),
  POLICY_TESTS_FAILED: final(409, 'Change the policy or its tests until they agree'),
  VERSION_CONFLICT: final(412, 'Read the current version and apply the change to that'),

  RATE_LIMITED: retryable(429, 'Wait as long as the Retry-After header says'),
  // Not retryable as it stands: the payment may have gone through.
  TIMEOUT: final(0, 'Ask for the status before sending anything again'),
  INTERNAL_ERROR: retryable(500, 'Try again, and report the X-Request-Id if it stays'),
  UNAVAILABLE: retryable(503, 'Try again shortly, the service is not ready'),
} satisfies Record<string, CodeEntry>

export type Code = keyof typeof CODES
