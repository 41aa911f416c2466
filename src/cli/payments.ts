// bursar payments: lists payments, and shows the decision of one as a tree.
import type { FoundPayments, TracedPayment } from '../../sdk/index.js'
import { PAYMENT_STATUSES } from '../domain/payment/terms.js'
import { asking } from './terminal/asking.js'
import { choice } from './terminal/arguments.js'
import { agentIdOf } from './agents.js'
import { exportCommand } from './paymentExport.js'
import type { Style } from './terminal/command.js'
import { printedList } from './terminal/listed.js'
import { clean, recipient, status, tree, type Branch, type Columns } from './terminal/show.js'

type Listed = FoundPayments['payments'][number]
type Trace = TracedPayment['trace']
type Policies = Trace['policies']

const COLUMNS: Columns<Listed> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  AMOUNT: ({ amount, currency }) => `${amount} ${currency}`,
  TO: recipient,
  AGENT: ({ agentId }) => agentId,
  CREATED: ({ createdAt }) => createdAt,
}

export const paymentCommands = {
  'payments list': asking({
    usage:
      'payments list [--status STATUS] [--agent AGENT] [--payment-key KEY] [--reference TEXT] [--session ID] [--limit N]',
    summary: `list payments, newest first; STATUS is one of ${PAYMENT_STATUSES.join(', ')}`,
    run: async (asking) => {
      const { bursar, text } = asking
      const agent = text('agent')
      const agentId = agent === undefined ? undefined : await agentIdOf(asking, agent)
      const named = { paymentKey: text('payment-key'), reference: text('reference'), sessionId: text('session') }
      const wanted = { status: choice('--status', PAYMENT_STATUSES, text('status')), agentId, ...named }
      return printedList(asking, bursar.payments.list(wanted), COLUMNS)
    },
  }),
  'payments export': exportCommand,
  'payments show': asking({
    usage: 'payments show PAYMENT',
    summary: 'show a payment and its decision, with every rule and limit',
    run: async ({ bursar, words: [id] }) => {
      const payment = await bursar.payments.get(id!)
      return { json: payment, lines: (style) => tree(traceTree(payment, style)) }
    },
  }),
}

/** The request, then the results of policies, gates and people, and the outcome. */
function traceTree(payment: TracedPayment, style: Style): Branch {
  const { requestId, amount, currency, trace } = payment
  const branches = [
    ...purchaseBranches(payment),
    { text: `agent ${clean(payment.agentId)}` },
    { text: payment.card ? `card ${clean(payment.card.id)}` : `wallet ${clean(payment.wallet!.id)}` },
    ...policyBranches(trace.request?.policies ?? [], 'when it was requested, ', style),
    ...policyBranches(trace.policies, trace.request ? 'when it was executed, ' : '', style),
    ...violationBranches(payment, trace, style),
    ...outcomeBranches(payment, style),
  ]
  const head = `${clean(requestId)}  ${status(payment.status, style)}  ${amount} ${clean(currency)} to ${clean(recipient(payment))}`
  return { text: style('bold', head), branches }
}

/** What the agent named the payment by, and what is bought. */
function purchaseBranches({ paymentKey, attempt, reference, sessionId, lineItems }: TracedPayment): Branch[] {
  const named: [string, string | null | undefined][] = [
    [`attempt ${attempt} at purchase`, paymentKey],
    ['reference', reference],
    ['session', sessionId],
  ]
  const items = (lineItems ?? []).map(({ description, quantity, unitAmount }) => ({
    text: `${quantity} × ${unitAmount}: ${clean(description)}`,
  }))
  return [
    ...named.flatMap(([what, name]) => (name ? [{ text: `${what} ${clean(name)}` }] : [])),
    ...(items.length > 0 ? [{ text: 'items', branches: items }] : []),
  ]
}

function policyBranches(policies: Policies, when: string, style: Style): Branch[] {
  return policies.map(({ policyName, policyVersion, rules }) => ({
    text: `${when}policy ${clean(policyName)}, version ${policyVersion}`,
    branches: rules.map(({ outcome, ruleType, explanation }) => ({
      text: `${status(outcome, style)}  ${clean(ruleType)}: ${clean(explanation)}`,
    })),
  }))
}

function violationBranches(payment: TracedPayment, { refusal }: Trace, style: Style): Branch[] {
  const { violations = [], violationsTotal = violations.length, hint } = payment
  const more = violationsTotal - violations.length
  const shown = (all: Trace['violations']): Branch[] =>
    all.map(({ type, message }) => ({ text: `${style('red', clean(type))}: ${clean(message)}` }))
  const gate = refusal ? [{ text: `refused by ${clean(refusal.gate)}`, branches: shown(refusal.violations) }] : []
  const listed = more > 0 ? [...shown(violations), { text: `and ${more} more` }] : shown(violations)
  const others = violations.length > 0 && !refusal ? [{ text: 'violations', branches: listed }] : []
  return [...gate, ...others, ...(hint === undefined ? [] : [{ text: `hint: ${clean(hint)}` }])]
}

function outcomeBranches({ approval, deniedBy, transaction }: TracedPayment, style: Style): Branch[] {
  const person = approval ? [{ text: `approval ${clean(approval.id)} ${status(approval.status, style)}` }] : []
  const denier = deniedBy === 'PERSON' ? [{ text: 'denied by a person' }] : []
  if (!transaction) return [...person, ...denier]
  const { id, status: transactionStatus, txHash, settlementMode } = transaction
  const hash = txHash === undefined ? '' : ` ${clean(txHash)}`
  const text = `transaction ${clean(id)} ${status(transactionStatus, style)}, ${settlementMode} settlement${hash}`
  return [...person, ...denier, { text }]
}
