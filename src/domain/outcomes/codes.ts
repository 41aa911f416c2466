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
    'Send a valid, live key of the right kind as a Bearer credential, or sign in',
  ),
  INSUFFICIENT_SCOPE: final(
    403,
    'The key is good but lacks the scope of the route, or the person lacks the right',
    'Use a key that has the scope this route needs',
  ),
  CSRF: final(
    403,
    'A request that a browser could have been made to send comes from another site, or is not JSON',
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
    "The SDK's `pay` was answered a denial; the service itself answers 200 with `status` DENIED",
    'See the reasons and violations of the request, and change it accordingly',
  ),
  REQUIRES_APPROVAL: final(
    202,
    'A person has to approve first: the SDK throws it',
    'Wait until a person has approved the request',
  ),
  INSUFFICIENT_BALANCE: final(
    400,
    'The wallet does not hold the amount, or not the coin for its fee',
    'Fund the wallet or choose a smaller purchase',
  ),
  EXPIRED: final(400, 'The payment or request was not used in its time', 'Make a new request, this one has expired'),
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
    'A limit that had room at the request has none at the execution',
    'Choose a smaller purchase, or wait until the limit has room again',
  ),
  WALLET_CONFIG_ERROR: final(
    400,
    'The wallet or its chain is not set up so that it could pay',
    "Have an administrator correct the wallet's custody configuration",
  ),
  CUSTODY_NOT_CONFIGURED: final(
    503,
    "The wallet's custody provider has no adapter on this server",
    "Have the operator configure the wallet's custody provider",
  ),
  MANUAL_EXECUTION_REQUIRED: final(
    400,
    'The service has no key of this wallet, so it cannot execute the payment itself',
    'Pay from the external wallet through the approve and confirm flow',
  ),
  NOT_CONFIRMED: retryable(
    409,
    'The chain does not show the transfer yet, or not in a block that is deep enough',
    'Confirm the payment again after the wait that the Retry-After header says',
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
    'A field, a query parameter or a header does not fit',
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
    'The address is malformed, has a wrong checksum, or is none that a counterparty can have',
    'Give an EVM address (0x, 40 hex digits, right checksum) or a Solana one (base58)',
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
    'Send a body that is well-formed JSON, nested at most 32 deep',
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
    'Check the path and the id, nothing of that name exists here',
  ),
  METHOD_NOT_ALLOWED: final(
    405,
    'The path exists, but does not take this method',
    'Use a method that the Allow header names',
  ),
  ALREADY_EXISTS: final(
    409,
    'Another has this name, address or delegation',
    'Use the one that exists already, or choose another name or address',
  ),
  ALREADY_DECIDED: final(
    409,
    'The same person or key has decided this request before',
    'Leave the decision to others, you have decided already',
  ),
  IDEMPOTENCY_CONFLICT: final(
    409,
    'The idempotency key was used with another body',
    'Send the body that this key was first used with, or read what became of its request',
  ),
  PRICE_CHANGED: final(
    409,
    'The purchase that `paymentKey` names has an attempt that may be paid, or is, with another amount, recipient or chain',
    'Ask for the same as before, or cancel the earlier attempt first: see the details',
  ),
  CHECKPOINT_CONFLICT: final(
    409,
    'The audit log does not continue the last checkpoint that the service signed of it: it was put back or rewritten',
    'Tell the operator, whose data folder holds another log than the one that was signed',
  ),
  LIMIT_REACHED: final(
    409,
    "There are as many of these as there may be, by the service's bounds or by the organization's `limits`",
    'Remove one that is no longer needed, or have the limit of the organization raised',
  ),
  POLICY_HAS_ASSIGNMENTS: final(
    409,
    'The policy is assigned, and the change would leave or widen its assignments',
    "Remove the policy's assignments first",
  ),
  POLICY_TESTS_FAILED: final(
    409,
    "The change makes the policy's own tests fail",
    'Change the policy or its tests until they agree',
  ),
  VERSION_CONFLICT: final(
    412,
    'Somebody else changed it since the version that was named or looked at',
    'Read the current version and apply the change to that',
  ),

  RATE_LIMITED: retryable(
    429,
    'More requests than the key may make in a minute',
    'Wait as long as the Retry-After header says',
  ),
  // Not retryable as it stands: the payment may have gone through.
  TIMEOUT: final(
    0,
    'The SDK had no answer; the request may have been carried out',
    'Ask for the status before sending anything again',
  ),
  INTERNAL_ERROR: retryable(
    500,
    'A bug; nothing of it is told, and the service has logged it',
    'Try again, and report the X-Request-Id if it stays',
  ),
  UNAVAILABLE: retryable(
    503,
    'The service starts, its disk has failed, it is out of file descriptors, or it cannot ask what it needs to know',
    'Try again shortly, the service is not ready',
  ),
} satisfies Record<string, CodeEntry>

export type Code = keyof typeof CODES
