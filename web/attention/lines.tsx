// What needs attention, each thing as a line: its name, what it means in a sentence, and since when.
import type { ComponentChildren } from 'preact'
import { AgentLink, Named, Time, Who } from '../components/amounts.js'
import { Subject, titleOf } from '../components/approvalSummary.js'
import { Badge } from '../components/badge.js'
import { PaymentTitle } from '../components/paymentTitle.js'
import { grouped, plural } from '../format/money.js'
import { cardName, short } from '../format/words.js'
import type { Alert, ApprovalRequest, Payment } from '../records.js'
import { to } from '../router.js'
import { failedAt, usableUntil, type AttentionItem, type FailedDelivery } from './read.js'

interface LineProps {
  of: AttentionItem
  /** What can be done about it. */
  actions?: ComponentChildren
  /** Without what it means. */
  isBrief?: boolean
}

interface Said {
  title: ComponentChildren
  meaning: ComponentChildren
  since: ComponentChildren
}

export function AttentionLine({ of, actions, isBrief = false }: LineProps) {
  const { title, meaning, since } = said(of)
  return (
    <li>
      <span>
        {title}
        <br />
        {!isBrief && (
          <>
            {meaning}
            <br />
          </>
        )}
        <span class="hint">{since}</span>
      </span>
      {actions && <div class="row-actions">{actions}</div>}
    </li>
  )
}

function said(of: AttentionItem): Said {
  switch (of.kind) {
    case 'UNKNOWN':
      return unknown(of.record)
    case 'OPEN':
      return open(of.record)
    case 'ALERT':
      return alert(of.record)
    case 'APPROVAL':
      return approval(of.record)
    case 'DELIVERY':
      return delivery(of.record)
  }
}

const unknown = (payment: Payment): Said => ({
  title: <PaymentTitle of={payment} href={to('payments', payment.id)} />,
  meaning:
    'The transfer was sent, but it is not known whether it took place. The amount counts as spent until the chain ' +
    'shows what happened.',
  since: (
    <>
      <AgentLink id={payment.agentId} />, <Time at={payment.updatedAt} as="relative" />
    </>
  ),
})

const open = (payment: Payment): Said => ({
  title: <PaymentTitle of={payment} href={to('payments', payment.id)} />,
  meaning: <Usable of={payment} />,
  since: (
    <>
      <AgentLink id={payment.agentId} />, <Time at={payment.updatedAt} as="relative" />
    </>
  ),
})

const alert = ({ id, title, message, severity, count, firstAt, agentId, walletId }: Alert): Said => ({
  title: (
    <>
      <a href={to('alerts', id)}>{title}</a> <Badge status={severity} />
    </>
  ),
  meaning: message,
  since: (
    <>
      {walletId && (
        <>
          <Named type="WALLET" id={walletId} />,{' '}
        </>
      )}
      {agentId && (
        <>
          <AgentLink id={agentId} />,{' '}
        </>
      )}
      {count > 1 && `${grouped(count)} times, the first `}
      <Time at={firstAt} as="relative" />
    </>
  ),
})

const approval = (request: ApprovalRequest): Said => ({
  title: (
    <>
      <a href={to('approvals', request.id)}>{titleOf(request)}</a> <Subject of={request} />
    </>
  ),
  meaning: (
    <>
      Nobody has decided yet: the request expires <Time at={request.expiresAt} as="relative" />.
    </>
  ),
  since: (
    <>
      requested by <Who by={request.requestedBy} /> <Time at={request.createdAt} as="relative" />
    </>
  ),
})

const delivery = (failed: FailedDelivery): Said => ({
  title: (
    <>
      <strong>{failed.event}</strong> to <Receiver of={failed} />
    </>
  ),
  meaning: `${lastAnswer(failed)}. It is not sent again unless you redeliver it.`,
  since: (
    <>
      {plural(failed.attempts.length, 'attempt')}, the last <Time at={failedAt(failed)} as="relative" />
    </>
  ),
})

function Usable({ of }: { of: Payment }) {
  const until = usableUntil(of)
  const at = <Time at={until} as="relative" />
  const [thing, mayPay, wasPaid] = wordsOf(of)
  return Date.parse(until) > Date.now() ? (
    <>
      {mayPay}, and the agent has not reported on it. The {thing} expires {at}, and cannot be called back.
    </>
  ) : (
    <>
      The {thing} expired {at}, and it is not known whether {wasPaid}. The amount stays reserved.
    </>
  )
}

/** What the agent was given, what can happen by it, and what may have happened. */
function wordsOf({ card, x402, wallet }: Payment): [thing: string, mayPay: string, wasPaid: string] {
  if (card) return ['token', `The agent can pay with ${cardName(card)}`, `${cardName(card)} was charged`]
  if (x402) return ['signature', `${x402.host} can collect this payment`, `${x402.host} collected it`]
  const from = `its own wallet ${short(wallet?.address ?? '')}`
  return ['token', `The agent can pay from ${from}`, `the agent paid from ${from}`]
}

function Receiver({ of: { channelId, agentId, target } }: { of: FailedDelivery }) {
  if (channelId)
    return (
      <a href={to('channels')}>
        the channel <Named type="CHANNEL" id={channelId} />
      </a>
    )
  if (agentId)
    return (
      <>
        the webhook of <AgentLink id={agentId} />
      </>
    )
  return <span class="value">{target}</span>
}

function lastAnswer({ attempts }: FailedDelivery): string {
  const last = attempts.at(-1)
  if (last?.statusCode !== undefined) return `The receiver answered with ${last.statusCode}`
  return `The receiver did not answer${last?.error ? `: ${last.error}` : ''}`
}
