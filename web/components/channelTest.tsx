// Sends a test message to a channel and waits a few seconds for what became of it.
import { api } from '../api.js'
import type { Channel } from '../records.js'
import { SendButton } from './button.js'
import { useSending } from './form.js'

const LOOKS = 20
const BETWEEN_MS = 500

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))

/** The channel once its last delivery is another one than `before` and has ended, or as it is after ten seconds. */
async function tested(channelId: string, before: string | undefined): Promise<Channel> {
  for (let look = 1; ; look += 1) {
    const channel = await api.call('GET /api/channels/{channelId}', { path: { channelId } })
    const last = channel.lastDelivery
    const isKnown = last !== undefined && last.status !== 'PENDING' && last.at !== before
    if (isKnown || look === LOOKS) return channel
    await pause()
  }
}

export function TestChannel({ of, reload }: { of: Channel; reload: () => void }) {
  const { id: channelId, name } = of
  const sending = useSending(async (once) => {
    await api.call('POST /api/channels/{channelId}/test', { path: { channelId } }, once)
    const { lastDelivery } = await tested(channelId, of.lastDelivery?.at)
    reload()
    if (lastDelivery?.status === 'DELIVERED') return `The test message to ${name} was delivered`
    return lastDelivery?.status === 'FAILED'
      ? `The test message to ${name} failed`
      : `The test message to ${name} is not delivered yet and will be sent again`
  })
  return <SendButton sending={sending} label="Test" about={name} />
}
