// The words for channels: their events and where they lead.
import { words } from '../format/words.js'
import type { Channel } from '../records.js'

export type ChannelEvent = Channel['events'][number]

export const CHANNEL_EVENTS = [
  'alert.raised',
  'approval.requested',
  'approval.decided',
  'approval.escalated',
  'approval.expired',
] as const satisfies readonly ChannelEvent[]

export const channelEventName = (event: ChannelEvent): string => words(event)

/** Its type, and whom it tells. */
export function configText({ type, config }: Channel): string {
  const { recipients, channel, url } = config
  if (type === 'EMAIL') return `mail to ${Array.isArray(recipients) ? recipients.join(', ') : ''}`
  if (type === 'SLACK') return channel === undefined ? 'Slack, incoming webhook' : `Slack, ${String(channel)}`
  return `POST to ${String(url)}`
}
