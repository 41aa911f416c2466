// Mistakes in the life of a payment.
import { mutant, type Mutant } from '../mutant.js'

const CHART = 'machines/payment/chart.js'
const GUARDS = 'machines/payment/guards.js'
const ASSIGNMENTS = 'machines/payment/assignments.js'

export const PAYMENTS: readonly Mutant[] = [
  mutant(
    'a permitted payment is cancelled',
    CHART,
    ["CANCEL: { actions: 'rejectStatus' }", "CANCEL: { target: 'cancelled', actions: 'cancel' }", 1],
    'kernel',
    'permitted',
  ),
  mutant(
    'a payment that waits for a person holds nothing',
    CHART,
    ["list: 'awaitingApproval', hold: 'held'", "list: 'awaitingApproval', hold: 'none'"],
    'kernel',
    'holds',
  ),
  mutant(
    'an executed payment is only held',
    CHART,
    [
      "list: 'executed', transaction: 'CONFIRMED', hold: 'captured' }",
      "list: 'executed', transaction: 'CONFIRMED', hold: 'held' }",
    ],
    'kernel',
    'holds',
  ),
  mutant(
    'a cancelled payment goes on holding',
    CHART,
    ["list: 'cancelled', hold: 'none'", "list: 'cancelled', hold: 'held'"],
    'kernel',
    'holds',
  ),
  mutant('a permit can be refused later', CHART, ["hold: 'permitted'", "hold: 'held'"], 'kernel', 'works'),
  mutant(
    'a wallet hears nothing of the block',
    CHART,
    ["hold: 'captured', tell: { wallet: 'RECONCILE' } }", "hold: 'captured' }"],
    'kernel',
    'holds',
  ),
  mutant(
    'an approved payment never expires',
    CHART,
    ["list: 'approved', hold: 'held', wakeAt: 'expiresAt'", "list: 'approved', hold: 'held'"],
    'kernel',
    'time',
  ),
  mutant(
    'whatever wakes a payment ends it',
    GUARDS,
    ['due: ({ context, event }) => event.now >= context.expiresAt', 'due: () => true'],
    'kernel',
    'time',
  ),
  mutant(
    'a review counts that was made for an earlier state',
    GUARDS,
    ['(reviewOf(event)?.after ?? context.reviews) !== context.reviews', 'false'],
    'kernel',
    'current',
  ),
  mutant(
    'a transfer that is signed is given up',
    GUARDS,
    ['isUnsigned: ({ context }) => context.transfers.length === 0', 'isUnsigned: () => true'],
    'kernel',
    'followed',
  ),
  mutant(
    'an execution is announced twice',
    ASSIGNMENTS,
    [
      "const events = [...context.events, 'payment.executed']",
      "const events = [...context.events, 'payment.executed', 'payment.executed']",
    ],
    'kernel',
    'once',
  ),
  mutant(
    'an execution is never announced',
    ASSIGNMENTS,
    ["const events = [...context.events, 'payment.executed']", 'const events = context.events'],
    'service',
    'delivered',
  ),
  mutant(
    'a denial says nothing of itself',
    ASSIGNMENTS,
    ["events: [...context.events, 'payment.denied']", 'events: context.events'],
    'service',
    'delivered',
  ),
  mutant(
    'a purchase that is made can be made again',
    'src/domain/values/uniqueKeys.js',
    ['const keys = isOrMayBePaid(payment, meta) ? purchaseKeysOf(payment) : []', 'const keys = []'],
    'service',
    'purchase',
    'works',
  ),
  mutant(
    'one transfer confirms two payments',
    'src/domain/values/uniqueKeys.js',
    ['return transferKey === null ? keys : [transferKey, ...keys]', 'return keys'],
    'kernel',
    'names',
  ),
  mutant(
    "an agent acts on another agent's payment",
    'src/commands/payments/payments.js',
    ['principal.agent === undefined || actor.context.terms?.agentId === principal.agent', 'true'],
    'service',
    'access',
  ),
  mutant(
    'a token confirms whatever payment',
    'src/commands/payments/externalPayments.js',
    ['if (!isToken(services, found.value, given.approvalToken))', 'if (false)'],
    'service',
    'token',
  ),
]
