// One payment: what happened to it, the request, and how it was decided rule by rule; or its sequence diagram. The page updates itself.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { AgentLink, Long, Money, Time } from '../components/amounts.js'
import { ButtonLink, SendButton } from '../components/button.js'
import { useSending } from '../components/form.js'
import { Page } from '../components/page.js'
import { RecipientAddress } from '../components/recipientName.js'
import { paymentTitle } from '../format/recipient.js'
import { LineItems, purchaseFacts } from '../components/purchase.js'
import { ReleasePayment } from '../components/releasePayment.js'
import { Recipient } from '../components/recipient.js'
import { X402Steps } from '../components/x402.js'
import { Notice, When } from '../components/loadingStates.js'
import { TraceTree, Violations } from '../components/trace.js'
import { Tabs } from '../components/tabs.js'
import { AnyValue } from '../components/anyValue.js'
import { cardName, chainName, railName, words } from '../format/words.js'
import { useLoad } from '../load.js'
import { ActorStory } from '../inspect/actorStory.js'
import { PaymentStory } from '../payment/story.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Payment = Answer<'GET /api/payments/{paymentId}'>

const EVERY_MS = 3000
const SETTLED = ['DENIED', 'FAILED', 'EXPIRED', 'CANCELLED']

/** The payment will not change any more; an executed one may still be unconfirmed on the chain. */
const isOver = ({ status, transaction }: Payment): boolean =>
  SETTLED.includes(status) || (status === 'EXECUTED' && transaction?.status === 'CONFIRMED')

const PARTS = [
  ['payment', 'Payment'],
  ['sequence', 'Sequence'],
] as const

export default function PaymentPage({ params, query }: PageProps) {
  const paymentId = params['id']!
  const [over, setOver] = useState(false)
  const read = async (): Promise<Payment> => {
    const payment = await api.call('GET /api/payments/{paymentId}', { path: { paymentId } })
    setOver(isOver(payment))
    return payment
  }
  const payment = useLoad(read, [paymentId], over ? {} : { everyMs: EVERY_MS })
  const shown = payment.data
  const [part] = PARTS.find(([id]) => id === query.get('part')) ?? PARTS[0]
  const title = shown ? paymentTitle(shown) : 'Payment'
  return (
    <Page
      title={title}
      back={{ href: to('payments'), label: 'Payments' }}
      status={shown && <Badge status={shown.status} />}
      lead={shown && <Outcome of={shown} />}
      actions={shown && <PaymentActions of={shown} reload={payment.reload} />}
    >
      <Tabs label="Parts" current={part} of={PARTS} href={(id) => to('payments', paymentId, { part: id })} />
      <When of={payment} rows={8}>
        {(data) => (part === 'sequence' ? <Sequence of={data} /> : <Content of={data} />)}
      </When>
    </Page>
  )
}

function Outcome({ of: { status, reasons, deniedBy, transaction, approvalRequestId, x402 } }: { of: Payment }) {
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
  if (transaction?.status === 'UNKNOWN')
    return <>The transfer was sent, but it is not known yet whether it took place. Bursar keeps asking the chain.</>
  if (status === 'EXECUTING' && x402) return <>Signed: the server may be paid until the signature expires.</>
  return <>{reasons.join('. ')}</>
}

function PaymentActions({ of, reload }: { of: Payment; reload: () => void }) {
  const { id, status } = of
  const may = useMay('ADMIN')
  return (
    <>
      <ButtonLink href={to('inspect', 'payment', id)} icon="inspect" label="Inspect" />
      <ButtonLink
        href={`/api/payments/${id}/receipt`}
        download={`receipt-${id}.json`}
        icon="download"
        label="Receipt"
      />
      {may && (status === 'APPROVED' || status === 'REQUIRES_APPROVAL') && <ReleasePayment of={of} reload={reload} />}
    </>
  )
}

function Content({ of: payment }: { of: Payment }) {
  const { violations = [], violationsTotal, hint, nearest, trace } = payment
  return (
    <div class="judge">
      <div class="judge-about">
        <PaymentStory of={payment} />
        <LineItems of={payment} />
        {violations.length > 0 && (
          <div class="card">
            <Violations title="Reasons for denial" of={violations} total={violationsTotal} />
            {hint && <p>{hint}</p>}
            {nearest && <Nearest of={nearest} />}
          </div>
        )}
        <div class="card">
          <h2>Decision</h2>
          <TraceTree trace={trace} payment={payment} whole />
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
        <X402Steps of={payment} />
      </aside>
    </div>
  )
}

function Sequence({ of: { id, updatedAt } }: { of: Payment }) {
  return <ActorStory machine="payment" actorId={id} about={updatedAt} />
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
          ['Rail', railName(of.rail)],
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
          ['Context', context && !('nextSteps' in context) && <AnyValue of={context} isPlain />],
          ['Transaction', settled && <Badge status={settled.status} />],
          ['Hash', transaction?.txHash && <Long text={transaction.txHash} what="transaction hash" />],
          ['Requested', <Time at={of.createdAt} />],
          ['ID', <Long text={of.id} what="payment id" />],
          ['Idempotency key', idempotencyKey && <Long text={idempotencyKey} what="idempotency key" />],
        ]}
      />
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
