// The organization's event endpoint: setting and testing it, rotating the secret, removing it.
import { useRef, useState } from 'preact/hooks'
import { api, isUnanswered, withSecret, type Answer } from '../api.js'
import { useMay } from '../session.js'
import { Confirm, Opening } from './dialog.js'
import { Facts } from './facts.js'
import { Time } from './amounts.js'
import { Field, Form, useSending, type Once } from './form.js'
import { PERHAPS_LOST } from './secret.js'
import { Empty, Notice } from './loadingStates.js'

interface Props {
  of: Answer<'GET /api/webhooks'>
  reload: () => void
  /** Called with a secret to show once. */
  onSecret: (secret: string) => void
}

interface EndpointProps extends Props {
  /** Called if a first secret may have been created whose only answer was lost. */
  onLost: () => void
}

export function WebhookEndpoint(given: Props) {
  const [isLost, setLost] = useState(false)
  const onSecret = (secret: string): void => {
    setLost(false)
    given.onSecret(secret)
  }
  return (
    <>
      {isLost && <Notice tone="warning">{PERHAPS_LOST}</Notice>}
      <Endpoint {...given} onSecret={onSecret} onLost={() => setLost(true)} />
    </>
  )
}

function Endpoint(props: EndpointProps) {
  const { url, webhookConfigured, previousSecretExpiresAt } = props.of
  const may = useMay('ADMIN')
  if (!webhookConfigured) {
    return (
      <Empty icon="webhooks" title="Events go nowhere yet" action={may && <SetAddress {...props} />}>
        They are sent to an https address of yours, signed with a secret that is shown once.
      </Empty>
    )
  }
  const until = previousSecretExpiresAt && (
    <>
      signs too until <Time at={previousSecretExpiresAt} />
    </>
  )
  return (
    <div class="card">
      <Facts
        of={[
          ['Events go to', <strong>{url}</strong>],
          ['Old secret', until],
        ]}
      />
      {may && <Deeds {...props} />}
    </div>
  )
}

function SetAddress({ of: { url, webhookConfigured }, reload, onSecret, onLost }: EndpointProps) {
  const label = webhookConfigured ? 'Change the address' : 'Set the address'
  return (
    <Opening label={label} title="Where events go" class={webhookConfigured ? '' : 'primary'}>
      {(close) => (
        <EndpointForm
          before={url}
          onDone={(secret, isLost) => {
            reload()
            close()
            if (isLost) onLost()
            if (secret !== undefined) onSecret(secret)
          }}
        />
      )}
    </Opening>
  )
}

function Deeds(props: EndpointProps) {
  const { reload, onSecret } = props
  const rotate = async (once: Once): Promise<string> => {
    const rotated = api.call('POST /api/webhooks/rotate-secret', {}, once)
    const { webhookSecret } = await withSecret(rotated, 'rotate it once more')
    onSecret(webhookSecret)
    reload()
    return 'There is a new secret. The old one signs too for 24 hours'
  }
  const test = async (once: Once): Promise<string> => {
    await api.call('POST /api/webhooks/test', {}, once)
    reload()
    return 'A test event is on its way'
  }
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/webhooks', {})
    reload()
    return 'No more events are sent'
  }
  return (
    <div class="actions">
      <SetAddress {...props} />
      <Confirm label="Send a test" title="Send a test event?" confirm="Send" act={test}>
        It is marked as a test, and about no payment.
      </Confirm>
      <Confirm label="Rotate the secret" title="Make a new signing secret?" confirm="Make a new one" act={rotate}>
        It is shown once. For 24 hours the old one signs as well, in a header of its own, so that nothing is lost while
        you change over.
      </Confirm>
      <Confirm label="Stop" class="danger" title="Send no more events?" confirm="Stop sending" danger act={remove}>
        What waits to be sent is not sent.
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
    return 'Events go there from now on'
  })
  const now = before === null ? '' : ` Now ${before}`
  const hint = `https, and reachable from the service. Private networks are refused.${now}`
  return (
    <Form sending={sending} submit="Save">
      <Field label="Address" path="url" type="url" required value={url} onValue={setUrl} hint={hint} />
    </Form>
  )
}
