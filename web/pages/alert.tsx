// One alert: what it is about, how often its cause has come, and who has seen or resolved it.
import { AlertActions } from '../components/alertActions.js'
import { alertTypeName, AlertStatus } from '../components/alertNames.js'
import { AgentLink, Long, Named, Time, Who } from '../components/amounts.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { When } from '../components/loadingStates.js'
import { Page } from '../components/page.js'
import { plural } from '../format/money.js'
import { short } from '../format/words.js'
import { useRead } from '../load.js'
import type { PageProps } from '../page.js'
import type { Alert } from '../records.js'
import { to } from '../router.js'

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
      actions={shown && <AlertActions of={shown} reload={alert.reload} />}
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
        ['Wallet', walletId && <Named type="WALLET" id={walletId} />],
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
