// Deciding on requests from their list, one or several: a dialog that says what would be decided, sends one decision for
// each, and says of each that fails why.
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../announce.js'
import { BursarError, isSignedOut, isUnanswered, newIdempotencyKey, sentenceOf } from '../api.js'
import { fromMicros, micros, money, plural } from '../format/money.js'
import { Holding, useHolding } from '../names.js'
import type { ApprovalRequest, PaymentApproval } from '../records.js'
import { AgentLink, Money } from './amounts.js'
import { titleOf } from './approvalSummary.js'
import { Badge } from './badge.js'
import { BARRIERS, Requested, sendDecision, type Verdict } from './decision.js'
import { Dialog } from './dialog.js'
import { Facts } from './facts.js'
import { Closing, Form, TextArea, useSending } from './form.js'
import { LineItems } from './purchase.js'
import { RecipientAddress } from './recipientName.js'
import { boughtFacts } from './requestedPayment.js'

const VERBS = { APPROVED: 'Approve', DENIED: 'Deny' } as const

interface Props {
  decision: Verdict
  /** As they were when the dialog was opened. */
  approvals: readonly ApprovalRequest[]
  /** Called after every attempt. */
  onDecided: () => void
}

export function DecideDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  const { decision, approvals } = props
  const [only] = approvals.length === 1 ? approvals : []
  const what = only ? `this ${only.kind === 'PAYMENT' ? 'payment' : 'change'}` : plural(approvals.length, 'request')
  return (
    <Dialog title={`${VERBS[decision]} ${what}?`} onClose={onClose}>
      <DecideForm {...props} />
    </Dialog>
  )
}

/** The outcome by the id of the request: an error, or null if it was decided. */
type Outcomes = ReadonlyMap<string, unknown>

function DecideForm({ decision, approvals, onDecided }: Props) {
  const close = useContext(Closing)
  const [comment, setComment] = useState('')
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const { hold, isComplete } = useHolding()
  const keys = useRef(new Map(approvals.map(({ id }) => [id, { idempotencyKey: newIdempotencyKey() }])))
  const isClosed = useRef(false)
  useEffect(() => () => void (isClosed.current = true), [])
  const open = approvals.filter(({ id }) => !outcomes.has(id) || mayRepeat(outcomes.get(id)))
  const sending = useSending(async () => {
    const after = new Map(outcomes)
    try {
      for (const approval of open) {
        if (isClosed.current) break
        const sent = sendDecision(approval, { decision, comment }, keys.current.get(approval.id)!)
        after.set(approval.id, await failureOf(sent))
        setOutcomes(new Map(after))
      }
    } finally {
      onDecided()
    }
    const done = [...after.values()].filter((error) => error === null).length
    if (isClosed.current) return reportOf(decision, done, approvals.length)
    if (done < approvals.length) return undefined
    close()
    return reportOf(decision, done, approvals.length)
  })
  const verb = approvals.length === 1 ? VERBS[decision] : `${VERBS[decision]} ${approvals.length}`
  const isRepeated = outcomes.size > 0
  const asked = <Asked of={approvals} decision={decision} outcomes={outcomes} />
  if (isRepeated && open.length === 0 && !sending.busy) return <Ended asked={asked} close={close} />
  return (
    <Form
      sending={{ ...sending, busy: sending.busy || (decision === 'APPROVED' && !isComplete) }}
      submit={isRepeated && !sending.busy ? 'Try again' : verb}
      tone={decision === 'APPROVED' ? 'primary' : 'danger'}
      cancel={sending.busy && approvals.length > 1 ? 'Stop' : 'Cancel'}
    >
      <Holding.Provider value={hold}>{asked}</Holding.Provider>
      {/* A decision that is repeated must be the one that was sent. */}
      <TextArea
        label="Comment"
        path="comment"
        rows={2}
        maxLength={500}
        readOnly={isRepeated || sending.busy}
        value={comment}
        onValue={setComment}
      />
    </Form>
  )
}

/** `You approved 3 requests`, or `You approved 1 of 3 requests`. */
function reportOf(decision: Verdict, done: number, all: number): string {
  const part = done < all ? `${done} of ` : ''
  return `You ${decision === 'APPROVED' ? 'approved' : 'denied'} ${part}${plural(all, 'request')}`
}

function Ended({ asked, close }: { asked: ComponentChildren; close: () => void }) {
  return (
    <div class="stack">
      {asked}
      <div class="form-actions">
        <button type="button" class="primary" autoFocus onClick={close}>
          Close
        </button>
      </div>
    </div>
  )
}

/** Null if it was carried out. Without a session none of the others can be. */
async function failureOf(sent: Promise<unknown>): Promise<unknown> {
  try {
    await sent
    return null
  } catch (error) {
    if (isSignedOut(error)) throw error
    announce('Not every request was decided', 'warning')
    return error
  }
}

const mayRepeat = (error: unknown): boolean =>
  error !== null && (isUnanswered(error) || (error instanceof BursarError && error.code === 'RATE_LIMITED'))

interface AskedProps {
  of: readonly ApprovalRequest[]
  decision: Verdict
  outcomes: Outcomes
}

function Asked({ of, decision, outcomes }: AskedProps) {
  const [only] = of.length === 1 ? of : []
  return (
    <>
      {only === undefined && <p>{totalOf(of)}</p>}
      <ul class="asked" aria-label="Requests">
        {of.map((approval) => (
          <li key={approval.id}>
            {approval.kind === 'PAYMENT' && !only ? <OneOfMany of={approval} /> : <Requested of={approval} />}
            {outcomes.has(approval.id) && (
              <Outcome title={titleOf(approval)} decision={decision} error={outcomes.get(approval.id)} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Who pays whom how much for what, and why. */
function OneOfMany({ of: { payment, reasons } }: { of: PaymentApproval }) {
  return (
    <div class="asked-payment">
      <div>
        <strong>
          <Money amount={payment.amount} currency={payment.currency} />
        </strong>{' '}
        from <AgentLink id={payment.agentId} />
      </div>
      <div>
        to <RecipientAddress of={payment} />
      </div>
      {payment.purpose && <div>{payment.purpose}</div>}
      <div class="hint">{reasons.join(' ')}</div>
      <Facts of={boughtFacts(payment)} />
      <LineItems of={payment} />
    </div>
  )
}

interface OutcomeProps {
  title: string
  decision: Verdict
  error: unknown
}

function Outcome({ title, decision, error }: OutcomeProps) {
  if (error === null) return <Badge status={decision} />
  return (
    <p class="problem" role="alert">
      <span class="visually-hidden">{title}: </span>
      {failureText(error)}
    </p>
  )
}

const FAILURES: { [code: string]: string } = {
  SELF_APPROVAL: BARRIERS.OWN,
  ALREADY_DECIDED: 'You have already decided this request.',
}

const failureText = (error: unknown): string =>
  (error instanceof BursarError ? FAILURES[error.code] : undefined) ?? sentenceOf(error)

/** `3 payments, 450.00 USDC in total, and 1 change.` */
function totalOf(approvals: readonly ApprovalRequest[]): string {
  const payments = approvals.flatMap((approval) => (approval.kind === 'PAYMENT' ? [approval.payment] : []))
  const changes = approvals.length - payments.length
  const sums = new Map<string, bigint>()
  for (const { amount, currency } of payments) sums.set(currency, (sums.get(currency) ?? 0n) + micros(amount))
  const amounts = [...sums].map(([currency, sum]) => money(fromMicros(sum), currency)).join(' and ')
  const parts = [
    ...(payments.length > 0 ? [`${plural(payments.length, 'payment')}, ${amounts} in total`] : []),
    ...(changes > 0 ? [plural(changes, 'change')] : []),
  ]
  return `${parts.join(', and ')}.`
}
