// Mistakes in what limits money: agents, delegations, wallets, budgets, counterparties, and the sums they keep.
import { mutant, type Mutant } from '../mutant.js'

const SUMS = 'src/domain/limits/sums.js'

export const GATES: readonly Mutant[] = [
  mutant('a delegation forgets what it held', 'machines/delegation.js', ['release: assign(({ context }) => sumsReleased(context))', 'release: assign({ hold: null })'], 'kernel', 'sums'),
  mutant('an agent counts executions that were taken back', 'machines/agent.js', ['uncapture: assign(({ context }) => ({ executed: context.executed - 1 }))', 'uncapture: assign({})'], 'kernel', 'sums'),
  mutant('a paused agent pays', 'machines/agent.js', ["CAPTURE: { actions: { type: 'refuseInactive', params: { status: 'PAUSED' } } }", "CAPTURE: { actions: 'capture' }"], 'service', 'barred'),
  mutant('a frozen organization pays', 'src/actor/holds.js', ['(admit(bringing) ?? capture(bringing, to))', 'capture(bringing, to)'], 'service', 'barred'),
  mutant("the limits of an agent's policies are not asked", 'machines/agent.js', ['allows: ({ context, event }) => objections(context, event).length === 0', 'allows: () => true'], 'kernel', 'limit'),
  mutant('limits that agents share are not asked', 'src/domain/limits/tallyGate.js', ['allows: ({ context, event }) => objections(context, event).length === 0', 'allows: () => true'], 'kernel', 'limit'),
  mutant('what is held does not count against a limit', SUMS, ['return sums[period].spent + sums.held', 'return sums[period].spent'], 'kernel', 'limit'),
  mutant('a limit allows a little more', 'src/domain/parties/delegation.js', ['if (current + amount <= limit)', 'if (current + amount <= limit + 1000000)'], 'kernel', 'limit'),
  mutant('the limit of one payment is not asked', 'src/domain/parties/delegation.js', ['if (limit !== null && amount > limit)', 'if (false)'], 'service', 'limit'),
  mutant('a day begins when the first payment comes', SUMS, ['return sums[period].start === start ? sums[period] : begun(sums, period, start, timezone)', 'return begun(sums, period, start, timezone)'], 'kernel', 'sums', 'limit'),
  mutant('what was captured yesterday is taken from today', SUMS, ['return capturedAt < start ? sums[period] : withSpent(', 'return withSpent('], 'kernel', 'sums'),
  mutant('a wallet that was captured from keeps its balance', 'src/domain/limits/funds.js', ['balance: balance - amount', 'balance', 1], 'service', 'money'),
  mutant('a wallet holds less than it was asked to', 'machines/wallet.js', ['return { hold: { amount }, held: addMicros(context.held, amount) }', 'return { hold: { amount }, held: context.held }', 1], 'kernel', 'sums', 'balance'),
  mutant('a frozen wallet pays', 'machines/wallet.js', ["CAPTURE: { actions: 'refuseInactive' }", "CAPTURE: { actions: 'capture' }", 1], 'service', 'barred'),
  mutant('a payment to a blocked address is captured', 'machines/counterparty.js', ["CAPTURE: { actions: 'refuseBlocked' }", "CAPTURE: { actions: 'capture' }", 1], 'service', 'barred'),
  mutant('the clock of a gate runs back', 'src/domain/limits/gate.js', ['return Math.max(context.clock, message.now)', 'return message.now'], 'kernel', 'sums', 'limit'),
  mutant('a dropped attempt leaves its gates changed', 'src/actor/overlay.js', ['this.#undo.push(() => void (touched.after = former))', 'this.#undo.push(() => { })'], 'kernel', 'sums', 'nothing', 'holds', 'works', 'balance'),
  mutant("another actor's key can be taken", 'src/actor/attempt.js', ['return known !== undefined && known.isFormer !== true && known.owner !== by', 'return false'], 'kernel', 'names'),
  mutant('a card holds nothing', 'machines/card.js', ['return { ...sumsHeld(moved, event, moved.timezone), timezone: moved.timezone }', 'return { hold: { amount: event.amount } }'], 'service', 'money', 'works'),
  mutant('a card is charged with what was approved', 'machines/payment/assignments.js', ['const charge = { amount, reference, overcharged', 'const charge = { amount: context.terms.amount, reference, overcharged'], 'service', 'money'),
  mutant('a token charges whatever card', 'src/commands/payments/cardPayments.js', ['if (!isToken(services, found.value, approvalToken))', 'if (false)'], 'service', 'token'),
  mutant('what was signed by x402 is never given back', 'machines/payment/chart.js', ["meta: { wakeAt: 'expiresAt' },", 'meta: {},'], 'service', 'signed'),
]
