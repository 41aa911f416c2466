// Sending an event or a message again, as a new delivery.
import { api } from '../api.js'
import { useSending } from './form.js'
import { SendButton } from './button.js'

interface Props {
  deliveryId: string
  /** For screen readers. */
  about: string
  onSent: () => void
}

export function Redeliver({ deliveryId, about, onSent }: Props) {
  const sending = useSending(async (once) => {
    await api.call('POST /api/webhooks/deliveries/{deliveryId}/redeliver', { path: { deliveryId } }, once)
    onSent()
    return 'The event will be sent again'
  })
  return <SendButton sending={sending} class="small" label="Redeliver" about={about} />
}
