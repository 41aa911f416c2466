// The event endpoint, its signing secret, and every delivery with its attempts.
import { useState } from 'preact/hooks'
import { api, type Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Time } from '../components/amounts.js'
import { useSending } from '../components/form.js'
import { Listed } from '../components/list.js'
import { Page, Section } from '../components/page.js'
import { Secret } from '../components/secret.js'
import { Empty, When } from '../components/loadingStates.js'
import { Tabs } from '../components/tabs.js'
import { WebhookEndpoint } from '../components/webhookEndpoint.js'
import { words } from '../format/words.js'
import { useList, useLoad } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Delivery = Entry<'GET /api/webhooks/deliveries', 'deliveries'>

const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const
const EVERY_MS = 5000

export default function Webhooks({ query }: PageProps) {
  const [secret, setSecret] = useState<string>()
  const webhook = useLoad(() => api.call('GET /api/webhooks', {}), [])
  const status = STATUSES.find((one) => one === query.get('status'))
  const deliveries = useList(
    (cursor) => api.call('GET /api/webhooks/deliveries', { query: { status, cursor } }),
    (page) => page.deliveries,
    [status],
    { everyMs: EVERY_MS },
  )
  const tabs = [
    { id: '', label: 'All', href: to('webhooks') },
    ...STATUSES.map((one) => ({ id: one as string, label: words(one), href: to('webhooks', { status: one }) })),
  ]
  return (
    <Page title="Webhooks" lead="Signed events for your systems, such as decisions, payments, blocks and changes.">
      {secret !== undefined && <Secret text={secret} what="signing secret" />}
      <When of={webhook} rows={2}>
        {(data) => (
          <WebhookEndpoint
            of={data}
            reload={() => {
              webhook.reload()
              deliveries.reload()
            }}
            onSecret={setSecret}
          />
        )}
      </When>
      <Section title="Deliveries" lead="Up to three attempts each. Completed deliveries are kept for 7 days.">
        <Tabs label="Status" current={status ?? ''} tabs={tabs} />
        <Listed
          of={deliveries}
          none={
            <Empty icon="webhooks" title="No deliveries">
              {status ? 'No deliveries have this status.' : 'Events appear here with every delivery attempt.'}
            </Empty>
          }
        >
          {(rows) => (
            <ul class="entries card">
              {rows.map((delivery) => (
                <li key={delivery.id}>
                  <DeliveryLine of={delivery} reload={deliveries.reload} />
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </Section>
    </Page>
  )
}

function DeliveryLine({ of, reload }: { of: Delivery; reload: () => void }) {
  const { id: deliveryId, event, target, status, attempts, nextAttemptAt, createdAt } = of
  const may = useMay('ADMIN')
  const again = useSending(async (once) => {
    await api.call('POST /api/webhooks/deliveries/{deliveryId}/redeliver', { path: { deliveryId } }, once)
    reload()
    return 'The event will be sent again'
  })
  return (
    <details>
      <summary>
        <Badge status={status} />
        <strong>{event}</strong>
        <span class="hint">{attempts.length} of 3 attempts</span>
        <Time at={createdAt} />
      </summary>
      <Facts
        of={[
          ['URL', target],
          ['Next attempt', nextAttemptAt && <Time at={nextAttemptAt} as="relative" />],
          ['Delivery ID', <code>{deliveryId}</code>],
        ]}
      />
      <ol class="timeline">
        {attempts.map(({ at, statusCode, error, durationMs }) => (
          <li key={at}>
            <Time at={at} />: <strong>{statusCode ?? error ?? 'no response'}</strong>
            {statusCode !== undefined && error && ` (${error})`} <span class="hint">after {durationMs} ms</span>
          </li>
        ))}
      </ol>
      {may && status !== 'PENDING' && (
        <button type="button" class="small" disabled={again.busy} onClick={() => void again.send()}>
          Redeliver
        </button>
      )}
      {again.problems[''] && (
        <p class="problem" role="alert">
          {again.problems['']}
        </p>
      )}
    </details>
  )
}
