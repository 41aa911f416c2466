// Notification channels as the outbox and the courier see them, read from their actors.
import type { Actor } from '../actor/actor.js'
import type { ChannelFields } from '../domain/outcomes/channel.js'
import { channelTypeOf } from '../notifications/channels/index.js'
import type { ChannelConfig } from '../notifications/channelType.js'
import type { ChannelEvent } from '../notifications/notice.js'
import type { OpenedChannel } from './deliver.js'
import type { Sealing } from './sealing.js'

export function channelFieldsOf({ context }: Actor): ChannelFields {
  return context['fields'] as unknown as ChannelFields
}

export function isActiveChannel({ state }: Actor): boolean {
  return state === 'kept.active'
}

const OUTCOMES: readonly string[] = ['approval.decided', 'approval.expired']
const REQUESTS = ['approval.requested', 'approval.escalated']

/** A channel that follows its messages takes the outcome of what it has asked for, too. */
export function channelTakes(channel: Actor, event: ChannelEvent): boolean {
  if (!isActiveChannel(channel)) return false
  const { type, takes, config, secret } = channelFieldsOf(channel)
  if (takes.includes(event)) return true
  const follows = channelTypeOf(type).follows?.({ ...config, ...secret }) === true
  return follows && OUTCOMES.includes(event) && takes.some((taken) => REQUESTS.includes(taken))
}

/** Throws where a secret was sealed under another key, or is damaged. */
export function openedChannel(channel: Actor, vault: Sealing): OpenedChannel {
  const { type, config, secret } = channelFieldsOf(channel)
  const organization = String(channel.context['organization'])
  const opened = Object.entries(secret).map(([field, sealed]) => [field, vault.open(organization, sealed)])
  return { type, config: { ...config, ...Object.fromEntries(opened) } as ChannelConfig }
}
