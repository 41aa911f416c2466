// The event endpoint, its signing secret, and every delivery with its attempts.
import { useState } from 'preact/hooks'
import type { Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Long, Time } from '../components/amounts.js'
import { Listed } from '../components/list.js'
import { Page, Section } from '../components/page.js'
import { Redeliver } from '../components/redeliver.js'
import { PERHAPS_LOST, Secret } from '../components/secret.js'
import { Notice, When } from '../components/loadingStates.js'
import { Tabs } from '../components/tabs.js'
import { WebhookEndpoint } from '../components/webhookEndpoint.js'
import { words } from '../format/words.js'
import { useList, useRead } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'

type Delivery = Entry<'GET /api/webhooks/deliveries', 'deliveries'>

const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const
const TABS = [['', 'All'] as const, ...STATUSES.map((one) => [one, words(one)] as const)]
const EVERY_MS = 5000

export default function Webhooks({ query }: PageProps) {
  /** Without a text it may have been created, and its only answer was lost. */
  const [secret, setSecret] = useState<{ text: string | undefined }>()
  const webhook = useRead('GET /api/webhooks', {})
  const status = STATUSES.find((one) => one === query.get('status'))
  const deliveries = useList('GET /api/webhooks/deliveries', 'deliveries', { query: { status } }, { everyMs: EVERY_MS })
  return (
    <Page title="Webhooks" lead="Signed events for your systems, such as decisions, payments, blocks and changes.">
      {secret?.text !== undefined && <Secret text={secret.text} what="signing secret" />}
      {secret && secret.text === undefined && <Notice tone="warning">{PERHAPS_LOST}</Notice>}
      <When of={webhook} rows={2}>
        {(data) => (
          <WebhookEndpoint
            of={data}
            reload={() => {
              webhook.reload()
              deliveries.reload()
            }}
            onSecret={(text) => setSecret({ text })}
          />
        )}
      </When>
      <Section title="Deliveries" lead="Up to three attempts each. Completed deliveries are kept for 7 days.">
        <Tabs label="Status" current={status ?? ''} of={TABS} href={(one) => to('webhooks', { status: one })} />
        <Listed
          of={deliveries}
          none={{
            icon: 'webhooks',
            title: 'No deliveries',
            children: status ? 'No deliveries have this status.' : 'Events appear here with every delivery attempt.',
          }}
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
  return (
    <details>
      <summary>
        <strong>{event}</strong>
        <Badge status={status} />
        <span class="hint">{attempts.length} of 3 attempts</span>
        <Time at={createdAt} />
      </summary>
      <Facts
        of={[
          ['URL', target],
          ['Next attempt', nextAttemptAt && <Time at={nextAttemptAt} as="relative" />],
          ['Delivery ID', <Long text={deliveryId} what="delivery id" />],
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
        <div>
          <Redeliver deliveryId={deliveryId} about={event} onSent={reload} />
        </div>
      )}
    </details>
  )
}
