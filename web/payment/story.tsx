// What happened to a payment, told in sentences with times: one or more for each of its entries in the audit log.
import { Fragment, type ComponentChildren } from 'preact'
import type { Answer } from '../api.js'
import { PAYMENT_EVENTS, PAYMENT_VERBS, phrased, verbOf } from '../audit/verbs.js'
import { AgentLink, Long, Money, Time, Who } from '../components/amounts.js'
import { LookBack } from '../components/list.js'
import { When } from '../components/loadingStates.js'
import { RecipientSaid } from '../components/recipientSaid.js'
import { explorerLink } from '../format/explorer.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import { ApprovalSaid, WaitingSaid } from './approvalSaid.js'
import { DecisionSaid } from './decided.js'
import { after, approvalIn, causesIn, movedIn, textAfter, type Logged } from './logged.js'
import { grouped } from '../format/money.js'

type Payment = Answer<'GET /api/payments/{paymentId}'>

/** Oldest first; the first of all entries is the request. */
export function PaymentStory({ of: payment }: { of: Payment }) {
  const { id, updatedAt } = payment
  const query = { resourceId: id, limit: 50 }
  const entries = useList('GET /api/audit-logs', 'entries', { query }, { about: updatedAt })
  const isWhole = entries.data?.some(({ action }) => action === 'payment.request') === true
  return (
    <section class="card" aria-label="What happened">
      <h2>What happened</h2>
      <When of={entries} rows={3}>
        {(found) => (
          <ol class="timeline">
            {found.toReversed().map((entry) => (
              <li key={entry.sequence}>
                {sentences(entry, payment).map((sentence, index) => (
                  <p key={index}>{sentence}</p>
                ))}
                <span class="hint">
                  <Time at={entry.at} /> ·{' '}
                  <a href={to('audit', { resourceId: id })} title="In the audit log">
                    entry {entry.sequence}
                  </a>
                </span>
              </li>
            ))}
          </ol>
        )}
      </When>
      {!isWhole && <LookBack of={entries} />}
    </section>
  )
}

type Says = (entry: Logged, payment: Payment) => ComponentChildren

/** What the story adds to the verb of an action. */
const ADDED: { [verb: string]: Says } = {
  attempt: ({ data }) => (movedIn(data).to === 'denied' ? '' : `: ${causesIn(data) || 'the service refused it'}`),
  unmade: ({ data }) => reasonIn(data, 'stopReason'),
  reverted: ({ data }) => reasonIn(data, 'stopReason'),
  release: ({ data }) => reasonIn(data, 'releasedFor'),
  void: () => ': the card was not charged',
  confirmed: (entry, payment) => <TransferSaid entry={entry} payment={payment} />,
  confirm: (entry, payment) => <TransferSaid entry={entry} payment={payment} />,
  settled: ({ data }, payment) => <HashSaid of={textAfter(data, 'txHash')} payment={payment} />,
  lapsed: () => ': the signature was not used in time',
  escalate: ({ data }) => (
    <>
      . <WaitingSaid approval={approvalIn(data)} isOver={false} />
    </>
  ),
  expire: ({ data }) =>
    movedIn(data).from === 'awaitingApproval' ? ': nobody decided in time' : ': it was not executed in time',
}

function said(entry: Logged, payment: Payment): ComponentChildren {
  const { action, actor } = entry
  const verb = verbOf(action)
  if (verb === 'approve' || verb === 'deny')
    return <ApprovalSaid entry={entry} denied={verb === 'deny'} path={approvalPath(payment)} />
  const happened = PAYMENT_EVENTS[verb]
  const added = ADDED[verb]?.(entry, payment)
  if (happened !== undefined)
    return (
      <>
        The payment {happened}
        {added}
      </>
    )
  return (
    <>
      {actor.type === 'AGENT_KEY' ? <AgentLink id={payment.agentId} /> : <Who by={actor} />}{' '}
      {phrased(PAYMENT_VERBS, action)} it
      {added}
    </>
  )
}

function sentences(entry: Logged, payment: Payment): ComponentChildren[] {
  const told = entry.action === 'payment.request' ? requested(entry, payment) : [said(entry, payment)]
  return [...told, outcome(entry, payment)].filter((one) => one !== undefined)
}

function requested({ data }: Logged, payment: Payment): ComponentChildren[] {
  const { agentId, purpose, trace, rail } = payment
  const isWaiting = movedIn(data).to === 'awaitingApproval'
  const decided = movedIn(data).to === 'denied' ? 'DENIED' : isWaiting ? 'REQUIRES_APPROVAL' : 'APPROVED'
  return [
    <Fragment>
      <AgentLink id={agentId} /> {PAYMENT_VERBS['request']}{' '}
      <Money amount={payment.amount} currency={payment.currency} /> to <RecipientSaid of={payment} />
      {purpose && <> for “{purpose}”</>}
    </Fragment>,
    <DecisionSaid trace={trace.request ?? trace} rail={rail} outcome={decided} />,
    ...(isWaiting ? [<WaitingSaid approval={approvalIn(data)} isOver={payment.status !== 'REQUIRES_APPROVAL'} />] : []),
  ]
}

/** What the entry made of the payment, where its own sentence does not say it. */
function outcome({ action, data }: Logged, { transaction }: Payment): ComponentChildren {
  const { to: state } = movedIn(data)
  const isReported = ['payment.confirm', 'payment.settled', 'payment.final', 'payment.charge'].includes(action)
  if (state === 'executed' && !isReported) {
    return transaction?.settlementMode === 'test' ? 'Executed in simulation: no funds moved' : 'Executed'
  }
  if (state === 'denied' && action !== 'payment.request' && action !== 'payment.deny')
    return `Denied: ${causesIn(data)}`
  return undefined
}

function reasonIn(data: unknown, field: string): string {
  const reason = textAfter(data, field)
  return reason === undefined ? '' : `: ${reason}`
}

const approvalPath = ({ approvalRequestId }: Payment): string | undefined =>
  approvalRequestId && to('approvals', approvalRequestId)

function TransferSaid({ entry: { data }, payment }: { entry: Logged; payment: Payment }) {
  const block = after(data, 'block')
  return (
    <>
      {typeof block === 'number' && ` in block ${grouped(block)}`}
      <HashSaid of={textAfter(data, 'txHash') ?? payment.transaction?.txHash} payment={payment} />
    </>
  )
}

function HashSaid({ of: hash, payment }: { of: string | null | undefined; payment: Payment }) {
  if (!hash) return null
  return (
    <>
      {' '}
      · <Hash of={hash} payment={payment} />
    </>
  )
}

/** A simulated transfer is on no chain. */
function Hash({ of: hash, payment: { wallet, transaction } }: { of: string; payment: Payment }) {
  const isLive = transaction?.settlementMode !== 'test'
  const link = isLive && wallet ? explorerLink(wallet.chainId, hash) : undefined
  return (
    <>
      <Long text={hash} what="transaction hash" />
      {link && (
        <a href={link} target="_blank" rel="noreferrer">
          View in the explorer
        </a>
      )}
    </>
  )
}
