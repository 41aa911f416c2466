// One approval request, with everything that a decision needs on one screen.
import { useState } from 'preact/hooks'
import { api, withSecret, type Answer, type WithSecret } from '../api.js'
import { approvalProgress } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { BARRIERS, Requested, sendDecision, useBarrier, type Verdict } from '../components/decision.js'
import { Time, Who } from '../components/amounts.js'
import { Form, TextArea, useSending, type Once } from '../components/form.js'
import { Page } from '../components/page.js'
import { Secret } from '../components/secret.js'
import { Notice, When } from '../components/loadingStates.js'
import { useRead } from '../load.js'
import { Holding, useHolding } from '../names.js'
import type { ApprovalRequest } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useSignedIn } from '../session.js'

const EVERY_MS = 5000

export default function Approval({ params }: PageProps) {
  const path = { approvalRequestId: params['id']! }
  const request = useRead('GET /api/approval-requests/{approvalRequestId}', { path }, { everyMs: EVERY_MS })
  const [decided, setDecided] = useState<ApprovalRequest>()
  const approval = request.data && newer(request.data, decided)
  const subject = approval?.kind === 'GOVERNANCE' ? 'change' : 'payment'
  const title = approval?.status === 'PENDING' ? `Approve this ${subject}?` : `Approval of a ${subject}`
  return (
    <Page
      title={approval === undefined ? 'Approval' : title}
      back={{ href: to('approvals'), label: 'Approvals' }}
      status={approval && <Badge status={approval.status} says={approvalProgress(approval)} />}
    >
      <When of={request}>{(read) => <Request approval={approval ?? read} onDecided={setDecided} />}</When>
    </Page>
  )
}

/** The answer to this page's own decision, until the request is read again. */
function newer(read: ApprovalRequest, decided: ApprovalRequest | undefined): ApprovalRequest {
  return decided && decided.decisions.length > read.decisions.length ? decided : read
}

interface Deciding {
  approval: ApprovalRequest
  onDecided: (approval: ApprovalRequest) => void
}

/** Approval is not possible before everything that a decision needs is on the page. */
function Request({ approval, onDecided }: Deciding) {
  const { hold, isComplete } = useHolding()
  return (
    <div class="judge">
      <Holding.Provider value={hold}>
        <div class="judge-about">
          <Requested of={approval} />
        </div>
      </Holding.Provider>
      <aside class="judge-side">
        <Decide approval={approval} onDecided={onDecided} isComplete={isComplete} />
        <Decisions approval={approval} />
      </aside>
    </div>
  )
}

interface DecideProps extends Deciding {
  isComplete: boolean
}

function Decide({ approval, onDecided, isComplete }: DecideProps) {
  const barrier = useBarrier()(approval)
  if (approval.status !== 'PENDING') return <Outcome approval={approval} />
  if (barrier === 'DECIDED') return <Notice tone="good">{BARRIERS.DECIDED}</Notice>
  if (barrier !== undefined) return <Notice>{BARRIERS[barrier]}</Notice>
  return <DecisionForm approval={approval} onDecided={onDecided} isComplete={isComplete} />
}

function DecisionForm({ approval, onDecided, isComplete }: DecideProps) {
  const [comment, setComment] = useState<string>()
  const decide = async (decision: Verdict, once: Once): Promise<string> => {
    onDecided(await sendDecision(approval, { decision, comment }, once))
    return decision === 'APPROVED' ? 'You approved it' : 'You denied it'
  }
  const approving = useSending((once) => decide('APPROVED', once))
  const denying = useSending((once) => decide('DENIED', once))
  const [isDenial, setDenial] = useState(false)
  const send = (deny: boolean): Promise<boolean> => {
    setDenial(deny)
    return deny ? denying.send() : approving.send()
  }
  const busy = approving.busy || denying.busy
  const beside = (
    <>
      {comment === undefined && (
        <button type="button" class="link" onClick={() => setComment('')}>
          Add a comment
        </button>
      )}
      <button type="button" class="danger" disabled={busy} onClick={() => void send(true)}>
        Deny
      </button>
    </>
  )
  const { problems } = isDenial ? denying : approving
  const sending = { send: () => send(false), busy: busy || !isComplete, problems }
  return (
    <div class="card decide">
      <h2>Your decision</h2>
      <p class="hint">
        Expires <Time at={approval.expiresAt} as="relative" />
        {approval.requiredApprovals > 1 &&
          `; ${approval.givenApprovals} of ${approval.requiredApprovals} approved so far`}
        .
      </p>
      <Form sending={sending} submit="Approve" beside={beside}>
        {comment !== undefined && (
          <TextArea
            label="Comment"
            path="comment"
            rows={2}
            maxLength={500}
            autoFocus
            value={comment}
            onValue={setComment}
          />
        )}
      </Form>
    </div>
  )
}

function Outcome({ approval }: { approval: ApprovalRequest }) {
  const says = {
    APPROVED: 'Approved',
    DENIED: 'Denied',
    EXPIRED: 'Expired without a decision',
    PENDING: '',
  }[approval.status]
  return (
    <div class="card">
      <h2>{says}</h2>
      {approval.kind === 'PAYMENT' && (
        <p>
          The payment is <Badge status={approval.payment.status} />.{' '}
          <a href={to('payments', approval.paymentRequestId)}>View payment</a>
        </p>
      )}
      {approval.kind === 'GOVERNANCE' && approval.application && (
        <p>
          The change is <Badge status={approval.application.status} />
          {approval.application.error && <>: {approval.application.error}</>}
        </p>
      )}
      {approval.kind === 'GOVERNANCE' && approval.application?.status === 'WAITING' && <Collect approval={approval} />}
    </div>
  )
}

type Collected = WithSecret<Answer<'POST /api/governance/approvals/{governanceApprovalRequestId}/collect'>>

/** The secret of an approved change, which is shown only once. */
function secretIn(collected: Collected): { text: string; what: string } {
  if ('key' in collected) return { text: collected.key, what: 'key' }
  if ('webhookSecret' in collected) return { text: collected.webhookSecret, what: 'signing secret' }
  if ('secret' in collected) return { text: collected.secret, what: 'signing secret' }
  return { text: collected.setupUrl, what: 'set-up link' }
}

/** An approved change that shows a secret is carried out by its requester, once. */
function Collect({ approval: { id, requestedBy } }: { approval: ApprovalRequest }) {
  const { member } = useSignedIn()
  const [secret, setSecret] = useState<{ text: string; what: string }>()
  const sending = useSending(async (once) => {
    const path = { governanceApprovalRequestId: id }
    const collected = api.call('POST /api/governance/approvals/{governanceApprovalRequestId}/collect', { path }, once)
    setSecret(secretIn(await withSecret(collected, 'request the change again')))
    return 'The change was applied'
  })
  if (requestedBy.id !== member.id) {
    return <p class="hint">The requester applies the change here and is shown the secret.</p>
  }
  if (secret !== undefined) return <Secret {...secret} />
  return (
    <Form sending={sending} submit="Apply and show secret">
      {null}
    </Form>
  )
}

function Decisions({ approval: { decisions } }: { approval: ApprovalRequest }) {
  if (decisions.length === 0) return null
  return (
    <div class="card">
      <h2>Decisions</h2>
      <ul class="timeline">
        {decisions.map(({ by, decision, comment, at }) => (
          <li key={by.id}>
            <Badge status={decision} /> <Who by={by} />{' '}
            <span class="hint">
              <Time at={at} />
            </span>
            {comment && <blockquote>{comment}</blockquote>}
          </li>
        ))}
      </ul>
    </div>
  )
}
