// The one table of outcome codes: HTTP status, meaning, remedy, and whether a retry can help. `npm run error-reference`
// writes docs/errors.md from it.
export interface CodeEntry {
  /** 0 for outcomes that only a client sees. */
  status: number
  /** When the code is answered. */
  meaning: string
  /** One sentence that names the remedy; the default where no exact one is known. */
  message: string
  /** True when the same request, sent again unchanged, may succeed without anyone acting. */
  retryable: boolean
}

type Entry = (status: number, meaning: string, message: string) => CodeEntry

const final: Entry = (status, meaning, message) => ({ status, meaning, message, retryable: false })
const retryable: Entry = (status, meaning, message) => ({ status, meaning, message, retryable: true })

export const CODES = {
  AUTH_FAILED: final(
    401,
    'The key, session or password is missing, wrong, revoked or expired, or of the wrong kind for the route',
    'Send a live key (service_agent_… to /api/sdk and /mcp, service_… to others), or sign in',
  ),
  INSUFFICIENT_SCOPE: final(
    403,
    'The key is valid but lacks the scope of the route, or the role of the person does not permit it',
    'Use a key that has the scope of this route',
  ),
  CSRF: final(
    403,
    'The request has a session cookie, and comes from another site or is not JSON',
    "Send cookie requests from the service's own origin, with an application/json body",
  ),
  INVALID_TOKEN: final(
    403,
    'The approval token is not the one of this payment',
    'Use the approval token that was issued for exactly this payment',
  ),
  SELF_APPROVAL: final(
    403,
    'The requester, or who counts as the requester, tried to decide the request',
    'Have another person decide your request',
  ),

  PAYMENT_DENIED: final(
    403,
    'Thrown by `pay` of the SDK when a payment is denied; the service itself answers 200 with `status` DENIED',
    'See the reasons and violations of the request, and change it accordingly',
  ),
  REQUIRES_APPROVAL: final(
    202,
    'Thrown by the SDK when a payment requires approval',
    'Wait until the request is approved',
  ),
  INSUFFICIENT_BALANCE: final(
    400,
    'The balance of the wallet does not cover the amount, or the network fee',
    'Fund the wallet or choose a smaller purchase',
  ),
  EXPIRED: final(400, 'The payment or request has expired', 'Make a new request, this one has expired'),
  INVALID_STATUS: final(
    400,
    'The current status of the object does not allow it',
    'Read the current status first, it does not allow this',
  ),
  NO_WALLET: final(
    400,
    'No wallet that could pay this is delegated to the agent',
    'Have an administrator delegate a wallet to the agent',
  ),
  LIMIT_EXCEEDED: final(
    400,
    'A limit has been reached since the payment was approved',
    'Choose a smaller purchase, or wait until the limit has room again',
  ),
  WALLET_CONFIG_ERROR: final(
    400,
    'The wallet or its chain is not configured for payments',
    "Have an administrator correct the wallet's custody configuration",
  ),
  CUSTODY_NOT_CONFIGURED: final(
    503,
    "The wallet's custody provider has no adapter on this server",
    "Have the operator configure the wallet's custody provider",
  ),
  MANUAL_EXECUTION_REQUIRED: final(
    400,
    'The service does not hold the key of this wallet, so it cannot execute the payment itself',
    'Pay from the external wallet through the approve and confirm flow',
  ),
  NOT_CONFIRMED: retryable(
    409,
    'The chain does not show the transfer yet, or not in a block that is deep enough',
    'Confirm the payment again after the time in the Retry-After header',
  ),
  TRANSFER_MISMATCH: final(
    400,
    'The chain shows another transfer than the one that was permitted',
    'Confirm the payment with the hash of its own transfer: see the details',
  ),
  ALREADY_EXECUTED: final(
    409,
    'The payment is executed, or the hash of its transfer was used before',
    'Do not pay again, this was executed already',
  ),

  VALIDATION_ERROR: final(
    400,
    'A field, a query parameter or a header is invalid',
    'Correct the fields named in the details',
  ),
  INVALID_INPUT: final(
    400,
    'The same as VALIDATION_ERROR, on the routes of counterparties',
    'Correct the fields named in the details',
  ),
  INVALID_AMOUNT: final(
    400,
    'The amount is not a positive number with at most 6 decimals, or is too large',
    'Give an amount above 0 and below 1000000000 with at most 6 decimals',
  ),
  INVALID_ADDRESS: final(
    400,
    'The address is malformed, has a wrong checksum, or cannot belong to a counterparty',
    'Give an EVM address (0x, 40 hex digits, correct checksum) or a Solana one (base58)',
  ),
  CARD_NUMBER_REFUSED: final(
    400,
    'A text has the number of a payment card: such numbers are never stored, and the answer does not repeat it',
    'Leave the card number out of the text, nothing was stored',
  ),
  INVALID_RECIPIENT: final(
    400,
    "The recipient is the zero address, or one of USDC's own contracts or mints: what is sent there is lost",
    'Ask the recipient for their address, nothing is paid to this one',
  ),
  INVALID_JSON: final(
    400,
    'The body is empty, not JSON, or nested too deeply',
    'Send well-formed JSON with at most 32 levels of nesting',
  ),
  PAYLOAD_TOO_LARGE: final(
    413,
    'The body has more than 256 KiB (1 MiB for imports, 16 KiB to sign in), or the headers are too large',
    'Send a smaller body',
  ),
  UNSUPPORTED_MEDIA_TYPE: final(415, 'The body does not say that it is JSON', 'Send the body as application/json'),

  NOT_FOUND: final(
    404,
    'There is no such path or object, or it belongs to another organization',
    'Check the path and the id: there is no such object',
  ),
  METHOD_NOT_ALLOWED: final(
    405,
    'The path exists, but does not support this method',
    'Use a method that the Allow header names',
  ),
  ALREADY_EXISTS: final(
    409,
    'An object with this name or address, or this delegation, exists already',
    'Use the one that exists already, or choose another name or address',
  ),
  ALREADY_DECIDED: final(
    409,
    'The same person or key has decided this request before',
    'Leave the decision to others, you have decided already',
  ),
  ALREADY_RESOLVED: final(409, 'The alert is resolved', 'Leave it: the same cause makes another alert'),
  IDEMPOTENCY_CONFLICT: final(
    409,
    'The idempotency key was used with another body',
    'Repeat the body that this key was first used with, or check the result of that request',
  ),
  PRICE_CHANGED: final(
    409,
    'The purchase that `paymentKey` names has a pending or executed payment with another amount, recipient or chain',
    'Repeat the request as it was, or cancel the earlier payment first: see the details',
  ),
  TEST_SETTLEMENT: final(
    409,
    'Test settlement signs for test chains alone',
    'Buy on a test chain, or have the operator set up live settlement',
  ),
  CHECKPOINT_CONFLICT: final(
    409,
    'The audit log does not continue the last checkpoint that the service signed of it: it was restored from an older copy, or rewritten',
    'Inform the operator: the data folder holds another log than the one that was signed',
  ),
  LIMIT_REACHED: final(
    409,
    'The maximum number of these objects is reached, as set by the service or by `limits` of the organization',
    'Remove one that is no longer needed, or have the limit of the organization raised',
  ),
  POLICY_HAS_ASSIGNMENTS: final(
    409,
    'The policy is assigned, and the change would invalidate or widen its assignments',
    "Remove the policy's assignments first",
  ),
  POLICY_TESTS_FAILED: final(
    409,
    "The change makes the policy's own tests fail",
    'Change the policy or its tests until they agree',
  ),
  VERSION_CONFLICT: final(
    412,
    'The object has changed since the version that the request names',
    'Read the current version and apply the change to that',
  ),

  RATE_LIMITED: retryable(
    429,
    'More requests than the key may make in a minute',
    'Wait for the time in the Retry-After header',
  ),
  // Not retryable as it stands: the payment may have gone through.
  TIMEOUT: final(
    0,
    'The SDK received no answer; the request may have been executed',
    'Check the status before sending the request again',
  ),
  INTERNAL_ERROR: retryable(
    500,
    'A bug in the service: the answer has no details, the log of the service has',
    'Try again, and report the X-Request-Id if the error persists',
  ),
  UNAVAILABLE: retryable(
    503,
    'The service is starting, its disk has failed, it is out of file descriptors, or something that it depends on does not answer',
    'Try again shortly, the service is not ready',
  ),
  NO_OWNER: retryable(
    503,
    'No node owns the shard of this organization at the moment, as during a fail-over: nothing was done',
    'Send the same request again in a second',
  ),
} satisfies Record<string, CodeEntry>

export type Code = keyof typeof CODES
