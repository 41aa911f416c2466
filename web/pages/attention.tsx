// Everything that needs a person now: what it is, since when, what it means, and what can safely be done about it.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { useAttention } from '../attention/context.js'
import { AttentionLine } from '../attention/lines.js'
import { SOON_HOURS, type Attention, type AttentionItem, type AttentionKind } from '../attention/read.js'
import { AlertActions } from '../components/alertActions.js'
import { titleOf } from '../components/approvalSummary.js'
import { ButtonLink, SendButton } from '../components/button.js'
import { Confirm } from '../components/dialog.js'
import { useSending } from '../components/form.js'
import { FreezeOrganization } from '../components/freezeOrganization.js'
import { Empty, When } from '../components/loadingStates.js'
import { Page, Section } from '../components/page.js'
import { paymentTitle } from '../format/recipient.js'
import { Redeliver } from '../components/redeliver.js'
import { ReleasePayment } from '../components/releasePayment.js'
import { plural } from '../format/money.js'
import { words } from '../format/words.js'
import type { Alert, Payment } from '../records.js'
import { to } from '../router.js'
import { useMay } from '../session.js'

const SECTIONS: readonly { kind: AttentionKind; title: string; lead: string; all: string; label: string }[] = [
  {
    kind: 'UNKNOWN',
    title: 'Transfers with an unknown outcome',
    lead: 'Bursar asks the chain again by itself, and never sends a second transfer. Do not pay again by hand.',
    all: to('payments', { status: 'EXECUTING' }),
    label: 'All executing payments',
  },
  {
    kind: 'OPEN',
    title: 'Tokens and signatures that are out',
    lead: 'Agents hold what they need to pay these, and Bursar does not know yet whether they were paid.',
    all: to('payments', { status: 'APPROVED' }),
    label: 'All approved payments',
  },
  {
    kind: 'ALERT',
    title: 'Alerts',
    lead: 'Active critical alerts, and wallets that are short of funds or of gas.',
    all: to('alerts', { status: 'ACTIVE' }),
    label: 'All active alerts',
  },
  {
    kind: 'APPROVAL',
    title: 'Approvals that expire soon',
    lead: `Pending requests that expire within ${SOON_HOURS} hours.`,
    all: to('approvals'),
    label: 'All pending approvals',
  },
  {
    kind: 'DELIVERY',
    title: 'Failed deliveries',
    lead: 'Events and messages that no receiver accepted. They are listed until the alert about them is resolved.',
    all: to('webhooks', { status: 'FAILED' }),
    label: 'All failed deliveries',
  },
]

/** Of a kind: the link of its section leads to all. */
const MOST_SHOWN = 10

export default function NeedsAttention() {
  const attention = useAttention()
  return (
    <Page
      title="Needs attention"
      lead="What waits for a person, the most urgent first. The page updates itself."
      actions={<FreezeOrganization />}
    >
      <When of={attention} rows={6}>
        {(known) => (known.items.length === 0 ? <Nothing /> : <Sections of={known} reload={attention.reload} />)}
      </When>
    </Page>
  )
}

function Nothing() {
  return (
    <Empty icon="check" title="Nothing needs attention">
      Transfers with an unknown outcome, tokens and signatures that agents have not reported on, critical alerts,
      wallets without funds or gas, approvals that expire within {SOON_HOURS} hours and failed deliveries appear here.
    </Empty>
  )
}

interface SectionsProps {
  of: Attention
  reload: () => void
}

function Sections({ of: { items, failing, isPartial }, reload }: SectionsProps) {
  return (
    <>
      {SECTIONS.map(({ kind, title, lead, all, label }) => {
        const shown = items.filter((item) => item.kind === kind)
        if (shown.length === 0) return null
        const actions = (
          <>
            {kind === 'DELIVERY' && <ResolveAll of={failing} reload={reload} />}
            <ButtonLink href={all} label={label} />
          </>
        )
        return (
          <Section key={kind} title={title} lead={lead} actions={actions}>
            <ul class="lines card">
              {shown.slice(0, MOST_SHOWN).map((item) => (
                <AttentionLine key={item.id} of={item} actions={<Actions of={item} reload={reload} />} />
              ))}
            </ul>
            {shown.length > MOST_SHOWN && (
              <p class="hint">
                {MOST_SHOWN} of {shown.length}
              </p>
            )}
          </Section>
        )
      })}
      {isPartial && (
        <p class="hint">Some lists are too long to be shown here as a whole: the links lead to all of them.</p>
      )}
    </>
  )
}

function Actions({ of, reload }: { of: AttentionItem; reload: () => void }) {
  switch (of.kind) {
    case 'UNKNOWN':
      return <LookAgain of={of.record} reload={reload} />
    case 'OPEN':
      return <OpenActions of={of.record} reload={reload} />
    case 'ALERT':
      return <AlertActions of={of.record} reload={reload} />
    case 'APPROVAL':
      return <ButtonLink href={to('approvals', of.id)} label="Review" about={titleOf(of.record)} />
    case 'DELIVERY':
      return <Again deliveryId={of.id} event={of.record.event} />
  }
}

/** The service looks at the chain by itself: this reads what it has found. */
function LookAgain({ of: payment, reload }: { of: Payment; reload: () => void }) {
  const subject = paymentTitle(payment)
  const sending = useSending(async () => {
    const { status, transaction } = await api.call('GET /api/payments/{paymentId}', { path: { paymentId: payment.id } })
    reload()
    if (status !== payment.status) return `${subject}: ${words(status).toLowerCase()}`
    return transaction?.status === 'UNKNOWN' ? `${subject}: still unknown` : `${subject}: nothing new`
  })
  return <SendButton sending={sending} label="Look again" about={subject} />
}

function OpenActions({ of, reload }: { of: Payment; reload: () => void }) {
  const may = useMay('ADMIN')
  return (
    <>
      <LookAgain of={of} reload={reload} />
      {may && of.status === 'APPROVED' && <ReleasePayment of={of} reload={reload} />}
    </>
  )
}

function Again({ deliveryId, event }: { deliveryId: string; event: string }) {
  const [isSent, setSent] = useState(false)
  if (!useMay('ADMIN')) return null
  if (isSent) return <span class="hint">Sent again</span>
  return <Redeliver deliveryId={deliveryId} about={event} onSent={() => setSent(true)} />
}

function ResolveAll({ of: alerts, reload }: { of: Alert[]; reload: () => void }) {
  if (!useMay('MANAGER')) return null
  return (
    <Confirm
      label="Resolve"
      about="alerts about failed deliveries"
      title={`Resolve ${plural(alerts.length, 'alert')} about failed deliveries?`}
      act={async () => {
        for (const { id: alertId } of alerts) {
          await api.call('POST /api/alerts/{alertId}/resolve', { path: { alertId } })
        }
      }}
      after={reload}
      done="The alerts about failed deliveries were resolved"
    >
      The deliveries are no longer listed here, and stay under Webhooks for 7 days. The next one that fails raises a new
      alert. Affected:
      <ul>
        {alerts.map(({ id, message }) => (
          <li key={id}>{message}</li>
        ))}
      </ul>
    </Confirm>
  )
}
