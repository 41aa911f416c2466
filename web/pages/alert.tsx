// One alert: what it is about, how often its cause has come, and who has seen or resolved it.
import { api } from '../api.js'
import { alertTypeName, AlertStatus } from '../components/alertNames.js'
import { AgentLink, Long, Named, Time, Who } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { SendButton } from '../components/button.js'
import { Confirm } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { useSending } from '../components/form.js'
import { When } from '../components/loadingStates.js'
import { Page } from '../components/page.js'
import { plural } from '../format/money.js'
import { short } from '../format/words.js'
import { useRead } from '../load.js'
import type { PageProps } from '../page.js'
import type { Alert } from '../records.js'
import { to } from '../router.js'
import { useMay } from '../session.js'

const EVERY_MS = 10_000

export default function AlertPage({ params }: PageProps) {
  const path = { alertId: params['id']! }
  const alert = useRead('GET /api/alerts/{alertId}', { path }, { everyMs: EVERY_MS })
  const shown = alert.data
  return (
    <Page
      title={shown?.title ?? 'Alert'}
      back={{ href: to('alerts'), label: 'Alerts' }}
      status={shown && <Badge status={shown.severity} />}
      lead={shown?.message}
      actions={shown && <Actions of={shown} reload={alert.reload} />}
    >
      <When of={alert} rows={6}>
        {(data) => (
          <div class="card narrow">
            <AlertFacts of={data} />
          </div>
        )}
      </When>
    </Page>
  )
}

function AlertFacts({ of }: { of: Alert }) {
  const { id, type, status, agentId, walletId, paymentId, count, firstAt, lastAt } = of
  return (
    <Facts
      of={[
        ['Status', <AlertStatus of={status} />],
        ['Type', alertTypeName(type)],
        ['Agent', agentId && <AgentLink id={agentId} />],
        [
          'Wallet',
          walletId && (
            <a href={to('wallets')}>
              <Named type="WALLET" id={walletId} />
            </a>
          ),
        ],
        ['Payment', paymentId && <a href={to('payments', paymentId)}>{short(paymentId)}</a>],
        ['Count', plural(count, 'time')],
        ['First', <Time at={firstAt} />],
        ['Last', <Time at={lastAt} />],
        ['Acknowledged by', of.acknowledgedBy && <Who by={of.acknowledgedBy} />],
        ['Resolved by', of.resolvedBy && <Who by={of.resolvedBy} />],
        ['ID', <Long text={id} what="alert id" />],
      ]}
    />
  )
}

function Actions({ of: { id: alertId, status }, reload }: { of: Alert; reload: () => void }) {
  const path = { alertId }
  const acknowledging = useSending(async (once) => {
    await api.call('POST /api/alerts/{alertId}/acknowledge', { path }, once)
    reload()
    return 'The alert was acknowledged'
  })
  if (!useMay('MANAGER') || status === 'RESOLVED') return null
  return (
    <>
      {status === 'ACTIVE' && <SendButton sending={acknowledging} label="Acknowledge" />}
      <Confirm
        label="Resolve"
        class="primary"
        title="Resolve this alert?"
        act={(once) => api.call('POST /api/alerts/{alertId}/resolve', { path }, once)}
        after={reload}
        done="The alert was resolved"
      >
        If its cause comes again, a new alert is raised.
      </Confirm>
    </>
  )
}
