// One payment: the request, how it was decided rule by rule, and its outcome. The page updates itself.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { Badge } from '../components/badge.js'
import { Confirm } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { AgentLink, Long, Money, Time, Who } from '../components/amounts.js'
import { ButtonLink, SendButton } from '../components/button.js'
import { useSending } from '../components/form.js'
import { LookBack } from '../components/list.js'
import { Page } from '../components/page.js'
import { recipientTitle, RecipientAddress } from '../components/recipientName.js'
import { LineItems, purchaseFacts } from '../components/purchase.js'
import { Recipient } from '../components/recipient.js'
import { Notice, When } from '../components/loadingStates.js'
import { TraceTree, Violations } from '../components/trace.js'
import { AnyValue } from '../components/anyValue.js'
import { money } from '../format/money.js'
import { cardName, chainName, words } from '../format/words.js'
import { useList, useLoad } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Payment = Answer<'GET /api/payments/{paymentId}'>

const EVERY_MS = 3000
const SETTLED = ['DENIED', 'FAILED', 'EXPIRED', 'CANCELLED']

/** The payment will not change any more; an executed one may still be unconfirmed on the chain. */
const isOver = ({ status, transaction }: Payment): boolean =>
  SETTLED.includes(status) || (status === 'EXECUTED' && transaction?.status === 'CONFIRMED')

export default function PaymentPage({ params }: PageProps) {
  const paymentId = params['id']!
  const [over, setOver] = useState(false)
  const read = async (): Promise<Payment> => {
    const payment = await api.call('GET /api/payments/{paymentId}', { path: { paymentId } })
    setOver(isOver(payment))
    return payment
  }
  const payment = useLoad(read, [paymentId], over ? {} : { everyMs: EVERY_MS })
  const shown = payment.data
  const title = shown ? `${money(shown.amount, shown.currency)} to ${recipientTitle(shown)}` : 'Payment'
  return (
    <Page
      title={title}
      back={{ href: to('payments'), label: 'Payments' }}
      status={shown && <Badge status={shown.status} />}
      lead={shown && <Outcome of={shown} />}
      actions={shown && <PaymentActions of={shown} reload={payment.reload} />}
    >
      <When of={payment} rows={8}>
        {(data) => <Content of={data} />}
      </When>
    </Page>
  )
}

function Outcome({ of: { status, reasons, deniedBy, transaction, approvalRequestId } }: { of: Payment }) {
  if (status === 'REQUIRES_APPROVAL')
    return (
      <>
        Approval required. {approvalRequestId && <a href={to('approvals', approvalRequestId)}>View approval request</a>}
      </>
    )
  if (deniedBy === 'PERSON') return <>Denied by an approver.</>
  if (status === 'EXECUTED')
    return (
      <>{transaction?.settlementMode === 'test' ? 'Executed in simulation: no funds moved.' : 'Executed on-chain.'}</>
    )
  return <>{reasons.join('. ')}</>
}

function PaymentActions({ of: { id, status, paymentKey }, reload }: { of: Payment; reload: () => void }) {
  const may = useMay('ADMIN')
  const path = { paymentId: id }
  return (
    <>
      <ButtonLink href={to('inspect', 'payment', id)} icon="inspect" label="Inspect" />
      <ButtonLink
        href={`/api/payments/${id}/receipt`}
        download={`receipt-${id}.json`}
        icon="download"
        label="Receipt"
      />
      {may && (status === 'APPROVED' || status === 'REQUIRES_APPROVAL') && (
        <Confirm
          label="Release"
          title="Release this payment?"
          danger
          reason
          choice={paymentKey === undefined ? undefined : 'It was not paid: allow another attempt at this purchase'}
          act={(once, reason, allowRetry) =>
            api.call('POST /api/payments/{paymentId}/release', { path, body: { reason, allowRetry } }, once)
          }
          after={reload}
          done="The payment was released"
        >
          The reserved amount becomes available again, and the payment can no longer be executed. If the agent may
          already have paid from an external wallet, check the chain first.
        </Confirm>
      )}
    </>
  )
}

function Content({ of: payment }: { of: Payment }) {
  const { violations = [], violationsTotal, hint, nearest, trace } = payment
  return (
    <div class="judge">
      <div class="judge-about">
        {violations.length > 0 && (
          <div class="card">
            <Violations title="Reasons for denial" of={violations} total={violationsTotal} />
            {hint && <p>{hint}</p>}
            {nearest && <Nearest of={nearest} />}
          </div>
        )}
        <div class="card">
          <h2>Decision</h2>
          <TraceTree trace={{ ...trace, violations: [] }} whole />
          <ReplayNow of={payment} />
        </div>
        {payment.recipientAddress !== null && (
          <div class="card">
            <h2>Recipient</h2>
            <Recipient address={payment.recipientAddress} />
          </div>
        )}
      </div>
      <aside class="judge-side">
        <About of={payment} />
        <LineItems of={payment} />
        <History of={payment} />
      </aside>
    </div>
  )
}

function Nearest({ of: { maxAmountNow, earliestAt, approvalWouldAllow } }: { of: NonNullable<Payment['nearest']> }) {
  return (
    <Facts
      of={[
        ['Maximum amount now', maxAmountNow !== undefined && <Money amount={maxAmountNow} />],
        ['Earliest time', earliestAt && <Time at={earliestAt} />],
        ['With approval', approvalWouldAllow && 'an approver could have allowed it'],
      ]}
    />
  )
}

function About({ of }: { of: Payment }) {
  const { agentId, wallet, category, urgency, context, idempotencyKey, transaction } = of
  const settled = transaction ?? of.execution
  return (
    <div class="card">
      <h2>Request</h2>
      <Facts
        of={[
          ['Agent', <AgentLink id={agentId} />],
          ['Purpose', of.purpose],
          ...purchaseFacts(of),
          ['Category', category && words(category)],
          ['To', <RecipientAddress of={of} />],
          [
            'From',
            wallet && (
              <>
                <Long text={wallet.address} what="wallet address" /> on {chainName(wallet.chainId)}
              </>
            ),
          ],
          ['Card', of.card && cardName(of.card)],
          ['Approved', of.card && <Money amount={of.card.approvedAmount} currency={of.currency} />],
          ['Card transaction', of.card?.transactionReference],
          ['Urgency', urgency !== 'NORMAL' && words(urgency)],
          ['Execution context', of.executionContext],
          ['Context', context && !('nextSteps' in context) && <AnyValue of={context} />],
          ['Transaction', settled && <Badge status={settled.status} />],
          ['Hash', transaction?.txHash && <Long text={transaction.txHash} what="transaction hash" />],
          ['ID', <Long text={of.id} what="payment id" />],
          ['Idempotency key', idempotencyKey && <Long text={idempotencyKey} what="idempotency key" />],
        ]}
      />
    </div>
  )
}

const HISTORY_WORDS: { [action: string]: string } = {
  'payment.request': 'Requested',
  'payment.execute': 'Executed',
  'payment.attempt': 'Execution failed',
  'payment.approve': 'Approved',
  'payment.deny': 'Denied',
  'payment.cancel': 'Cancelled',
  'payment.escalate': 'Escalated to the next approvers',
  'payment.expire': 'Expired',
  'payment.confirm': 'Confirmed',
  'payment.release': 'Released',
}

/** The payment's entries in the audit log, oldest first; the first of all is its request. */
function History({ of: { id, agentId, updatedAt } }: { of: Payment }) {
  const entries = useList(
    'GET /api/audit-logs',
    'entries',
    { query: { resourceId: id, limit: 50 } },
    { about: updatedAt },
  )
  const isWhole = entries.data?.some(({ action }) => action === 'payment.request') === true
  return (
    <div class="card">
      <h2>History</h2>
      <When of={entries} rows={2}>
        {(found) => (
          <ol class="timeline">
            {found.toReversed().map(({ sequence, action, actor, at }) => (
              <li key={sequence}>
                <strong>{HISTORY_WORDS[action] ?? words(action)}</strong> by{' '}
                {actor.type === 'AGENT_KEY' ? <AgentLink id={agentId} /> : <Who by={actor} />}
                <br />
                <span class="hint">
                  <Time at={at} /> · <a href={to('audit', { resourceId: id })}>entry {sequence}</a>
                </span>
              </li>
            ))}
          </ol>
        )}
      </When>
      {!isWhole && <LookBack of={entries} />}
    </div>
  )
}

/** The same request under the current policies. */
function ReplayNow({ of: { id: paymentId, trace } }: { of: Payment }) {
  const [replay, setReplay] = useState<Answer<'POST /api/payments/{paymentId}/replay'>>()
  const sending = useSending(async () => {
    setReplay(
      await api.call('POST /api/payments/{paymentId}/replay', { path: { paymentId }, body: { policies: 'current' } }),
    )
    return 'Re-evaluated with the current policies'
  })
  const isSame = replay?.outcome === trace.outcome
  return (
    <>
      <div>
        <SendButton sending={sending} icon="refresh" label="Re-evaluate with current policies" />
      </div>
      {replay && (
        <Notice tone={isSame ? 'good' : 'warning'}>
          Current result: {words(replay.outcome).toLowerCase()}
          {isSame ? ', as before' : ', which differs from the decision'}
          {isSame && !replay.matches && ', although the policies have changed since'}. The payment was not changed.
          {!isSame && <Violations title="Reasons" of={replay.violations} />}
        </Notice>
      )}
    </>
  )
}
