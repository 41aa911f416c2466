// The organization's event endpoint: setting and testing it, rotating the secret, removing it.
import { useRef, useState } from 'preact/hooks'
import { api, isUnanswered, withSecret, type Answer } from '../api.js'
import { useMay } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { Facts } from './facts.js'
import { Time } from './amounts.js'
import { CLOSES, Field, Form, useSending, type Once } from './form.js'
import { Empty } from './loadingStates.js'

interface Props {
  of: Answer<'GET /api/webhooks'>
  reload: () => void
  /** Called with a secret to show once, or undefined if a first one may have been created whose only answer was lost. */
  onSecret: (secret: string | undefined) => void
}

export function WebhookEndpoint(props: Props) {
  const { url, webhookConfigured, previousSecretExpiresAt } = props.of
  const may = useMay('ADMIN')
  if (!webhookConfigured) {
    return (
      <Empty icon="webhooks" title="No webhook endpoint" action={may && <SetAddress {...props} />}>
        Events are sent to an https URL of yours, signed with a secret that is shown only once.
      </Empty>
    )
  }
  const until = previousSecretExpiresAt && (
    <>
      valid until <Time at={previousSecretExpiresAt} />
    </>
  )
  return (
    <div class="card">
      <Facts
        of={[
          ['Endpoint URL', <strong>{url}</strong>],
          ['Previous secret', until],
        ]}
      />
      {may && <Actions {...props} />}
    </div>
  )
}

function SetAddress({ of: { url, webhookConfigured }, reload, onSecret }: Props) {
  const label = webhookConfigured ? 'Edit endpoint' : 'Add endpoint'
  const onDone = (secret: string | undefined, isLost: boolean): void => {
    reload()
    if (isLost || secret !== undefined) onSecret(secret)
  }
  return (
    <Opening label={label} title="Webhook endpoint" class={webhookConfigured ? '' : 'primary'}>
      <EndpointForm before={url} onDone={onDone} />
    </Opening>
  )
}

function Actions(props: Props) {
  const { of, reload, onSecret } = props
  const url = of.url ?? ''
  const rotate = async (once: Once): Promise<void> => {
    const rotated = api.call('POST /api/webhooks/rotate-secret', {}, once)
    onSecret((await withSecret(rotated, 'rotate it again')).webhookSecret)
  }
  return (
    <div class="actions">
      <SetAddress {...props} />
      <Confirm
        label="Send test event"
        title="Send a test event?"
        confirm="Send"
        act={(once) => api.call('POST /api/webhooks/test', {}, once)}
        after={reload}
        done="A test event was sent"
      >
        It is marked as a test and concerns no payment.
      </Confirm>
      <Confirm
        label="Rotate secret"
        title={`Rotate the signing secret of ${url}?`}
        confirm="Rotate"
        act={rotate}
        after={reload}
        done="The secret was rotated. The previous one stays valid for 24 hours"
      >
        The new secret is shown only once. For 24 hours events are also signed with the previous one, in a separate
        header, so that nothing is lost during the change.
      </Confirm>
      <Confirm
        label="Remove endpoint"
        title={`Remove the endpoint ${url}?`}
        confirm="Remove"
        danger
        act={() => api.call('DELETE /api/webhooks', {})}
        after={reload}
        done="The endpoint was removed"
      >
        No more events are sent there, and pending deliveries are discarded. This cannot be undone for those.
      </Confirm>
    </div>
  )
}

interface FormProps {
  before: string | null
  onDone: (secret: string | undefined, isLost: boolean) => void
}

function EndpointForm({ before, onDone }: FormProps) {
  // Empty, because the address is shown without its secrets: saving that text would lose them.
  const [url, setUrl] = useState('')
  /** A first address was sent, and no answer came. */
  const isUnheard = useRef(false)
  const sending = useSending(async () => {
    const { webhookSecret } = await api.call('PUT /api/webhooks', { body: { url } }).catch((error: unknown) => {
      isUnheard.current ||= before === null && isUnanswered(error)
      throw error
    })
    onDone(webhookSecret, isUnheard.current && webhookSecret === undefined)
    return 'The endpoint was saved'
  }, CLOSES)
  const now = before === null ? '' : ` Current: ${before}`
  const hint = `https, and reachable from the service. Private networks are not allowed.${now}`
  return (
    <Form sending={sending} submit="Save">
      <Field label="URL" path="url" type="url" required value={url} onValue={setUrl} hint={hint} />
    </Form>
  )
}
