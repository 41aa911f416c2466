// Mistakes in live settlement: in signing, sending and following transfers.
import { mutant, type Mutant } from '../mutant.js'

const STEPS = 'src/chain/transferSteps.js'
const RECEIPTS = 'src/chain/receipts.js'
const ACCOUNTS = 'src/chain/accounts.js'

export const SETTLEMENT_MISTAKES: readonly Mutant[] = [
  mutant(
    'an answer counts for another submission',
    STEPS,
    ['return `${transactionId}.${sending}`', 'return transactionId'],
    'settlement',
    'current',
  ),
  mutant(
    'a provider is told of all payments as one',
    STEPS,
    ['return `${transactionId}.${sending}`', 'return `${sending}`'],
    'settlement',
    'followed',
    'once',
    'current',
    'quiet',
  ),
  mutant('a nonce is given out again', ACCOUNTS, ["isSpent ? 'SPEND' : 'FREE'", "'FREE'"], 'settlement', 'names'),
  mutant(
    'a nonce is left out after a failure',
    ACCOUNTS,
    ["isSpent ? 'SPEND' : 'FREE'", "'SPEND'"],
    'settlement',
    'quiet',
    'names',
    'works',
  ),
  mutant(
    'whatever the node did not take was not made',
    STEPS,
    ["return { type: 'UNKNOWN' }", "return { type: 'REVERTED', reason: 'It was not taken' }"],
    'settlement',
    'followed',
    'quiet',
  ),
  mutant(
    'a transfer counts as soon as it is in a block',
    RECEIPTS,
    ['if (depth < node.config.confirmations)', 'if (false)'],
    'settlement',
    'followed',
    'quiet',
  ),
  mutant(
    'nobody looks whether a block was dropped',
    STEPS,
    ['if (!receipt || !isAsItWas)', 'if (false)'],
    'settlement',
    'followed',
    'works',
    'quiet',
  ),
  mutant(
    'what is confirmed is final at once',
    STEPS,
    [
      "return depth >= node.config.confirmations + WATCHED_BLOCKS ? { type: 'FINAL' } : undefined",
      "return { type: 'FINAL' }",
    ],
    'settlement',
    'followed',
    'quiet',
  ),
  mutant(
    'a revert is believed at once',
    STEPS,
    ['if (!isMade && depth < node.config.confirmations + WATCHED_BLOCKS)', 'if (false)'],
    'settlement',
    'followed',
    'quiet',
    'once',
  ),
  mutant(
    'a replacement has a nonce of its own',
    STEPS,
    ['wanted, last.nonce, this.#parts.now()', 'wanted, last.nonce + 1, this.#parts.now()'],
    'settlement',
    'names',
    'once',
    'followed',
  ),
  mutant(
    'a transfer that the chain forgot is not sent again',
    STEPS,
    ['await this.#offer(node, payment).catch(() => { })', 'undefined'],
    'settlement',
    'quiet',
  ),
  mutant(
    'a foreign transaction with the nonce is taken for the transfer',
    STEPS,
    ["const isIt = status === 'success' && shows(other.receipt, orderOf(payment))", 'const isIt = true'],
    'settlement',
    'followed',
    'quiet',
  ),
]
