// Where events go, the secret they are signed with, and every delivery with its attempts.
import { useState } from 'preact/hooks'
import { api, type Answer, type Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { Ask } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { Time } from '../components/figures.js'
import { Field, Form, useSending } from '../components/form.js'
import { Opening } from '../components/opening.js'
import { Page, Section } from '../components/page.js'
import { Secret } from '../components/secret.js'
import { Empty, More, When } from '../components/states.js'
import { Tabs } from '../components/tabs.js'
import { words } from '../format/words.js'
import { useList, useLoad } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../routes.js'
import { useMay } from '../session.js'

type Webhook = Answer<'GET /api/webhooks'>
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
  const tabs = [{ id: '', label: 'All', href: to('webhooks') }, ...STATUSES.map((one) => ({ id: one as string, label: words(one), href: to('webhooks', { status: one }) }))]
  return (
    <Page title="Webhooks" lead="Signed events for your own systems: what was decided, paid, blocked or changed.">
      {secret !== undefined && <Secret text={secret} what="signing secret" />}
      <When of={webhook} rows={2}>{(data) => <Endpoint of={data} reload={() => { webhook.reload(); deliveries.reload() }} onSecret={setSecret} />}</When>
      <Section title="Deliveries" lead="Each is tried three times. Those that ended are kept for seven days.">
        <Tabs label="Status" current={status ?? ''} tabs={tabs} />
        <When of={deliveries}>
          {(rows) => rows.length > 0
            ? <ul class="entries card">{rows.map((delivery) => <li key={delivery.id}><DeliveryLine of={delivery} reload={deliveries.reload} /></li>)}</ul>
            : <Empty icon="webhooks" title="No deliveries">{status ? 'None has this status.' : 'The next event shows here, with every attempt.'}</Empty>}
        </When>
        <More of={deliveries} />
      </Section>
    </Page>
  )
}

interface EndpointProps {
  of: Webhook
  reload: () => void
  onSecret: (secret: string) => void
}

function Endpoint({ of: { url, webhookConfigured, previousSecretExpiresAt }, reload, onSecret }: EndpointProps) {
  const may = useMay('ADMIN')
  const set = may && (
    <Opening label={webhookConfigured ? 'Change the address' : 'Set the address'} title="Where events go" class={webhookConfigured ? '' : 'primary'}>
      {(close) => <EndpointForm before={url} onDone={(secret) => { reload(); close(); if (secret !== undefined) onSecret(secret) }} />}
    </Opening>
  )
  if (!webhookConfigured) return <Empty icon="webhooks" title="Events go nowhere yet" action={set}>They are sent to an https address of yours, signed with a secret that is shown once.</Empty>
  const rotate = async (): Promise<string> => {
    const { webhookSecret } = await api.call('POST /api/webhooks/rotate-secret', {})
    onSecret(webhookSecret)
    reload()
    return 'There is a new secret. The old one signs too for 24 hours'
  }
  const test = async (): Promise<string> => {
    await api.call('POST /api/webhooks/test', {})
    reload()
    return 'A test event is on its way'
  }
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/webhooks', {})
    reload()
    return 'No more events are sent'
  }
  return (
    <div class="card">
      <Facts of={[
        ['Events go to', <strong>{url}</strong>],
        ['Old secret', previousSecretExpiresAt && <>signs too until <Time at={previousSecretExpiresAt} /></>],
      ]} />
      {may && (
        <div class="actions">
          {set}
          <Ask label="Send a test" title="Send a test event?" confirm="Send" act={test}>It is marked as a test, and about no payment.</Ask>
          <Ask label="Rotate the secret" title="Make a new signing secret?" confirm="Make a new one" act={rotate}>
            It is shown once. For 24 hours the old one signs as well, in a header of its own, so that nothing is lost while you change over.
          </Ask>
          <Ask label="Stop" class="danger" title="Send no more events?" confirm="Stop sending" danger act={remove}>What waits to be sent is not sent.</Ask>
        </div>
      )}
    </div>
  )
}

function EndpointForm({ before, onDone }: { before: string | null; onDone: (secret: string | undefined) => void }) {
  const [url, setUrl] = useState(before ?? '')
  const sending = useSending(async () => {
    const { webhookSecret } = await api.call('PUT /api/webhooks', { body: { url } })
    onDone(webhookSecret)
    return 'Events go there from now on'
  })
  return (
    <Form sending={sending} submit="Save">
      <Field label="Address" path="url" type="url" required value={url} onValue={setUrl} hint="https, and reachable from the service. Private networks are refused." />
    </Form>
  )
}

function DeliveryLine({ of, reload }: { of: Delivery; reload: () => void }) {
  const { id: deliveryId, event, target, status, attempts, nextAttemptAt, createdAt } = of
  const may = useMay('ADMIN')
  const again = useSending(async () => {
    await api.call('POST /api/webhooks/deliveries/{deliveryId}/redeliver', { path: { deliveryId } })
    reload()
    return 'It is sent again'
  })
  return (
    <details>
      <summary><Badge status={status} /> <strong>{event}</strong> <span class="hint">{attempts.length} of 3 attempts</span> <Time at={createdAt} /></summary>
      <Facts of={[
        ['To', target],
        ['Next attempt', nextAttemptAt && <Time at={nextAttemptAt} as="relative" />],
        ['Delivery id', <code>{deliveryId}</code>],
      ]} />
      <ol class="timeline">
        {attempts.map(({ at, statusCode, error, durationMs }) => (
          <li key={at}><Time at={at} />: <strong>{statusCode ?? error ?? 'no answer'}</strong>{statusCode !== undefined && error && ` (${error})`} <span class="hint">after {durationMs} ms</span></li>
        ))}
      </ol>
      {may && status !== 'PENDING' && <button type="button" class="small" disabled={again.busy} onClick={() => void again.send()}>Deliver again</button>}
      {again.problems[''] && <p class="problem" role="alert">{again.problems['']}</p>}
    </details>
  )
}
