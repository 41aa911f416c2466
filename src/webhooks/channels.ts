// Notification channels as the outbox and the courier see them, read from their actors.
import type { Actor } from '../actor/actor.js'
import { redactedUrl } from '../domain/audit/redact.js'
import { OUTCOME_EVENTS, type ChannelFields } from '../domain/outcomes/channel.js'
import { channelTypeOf } from '../notifications/channels/index.js'
import type { ChannelConfig } from '../notifications/channelType.js'
import type { ChannelEvent } from '../notifications/notice.js'
import type { OpenedChannel } from './deliver.js'
import type { Sealing } from './sealing.js'

export function channelFieldsOf({ context }: Actor<'channel'>): ChannelFields {
  return context.fields
}

export function isActiveChannel({ state }: Actor): boolean {
  return state === 'kept.active'
}

const REQUESTS = ['approval.requested', 'approval.escalated']

/** A channel that follows its messages takes the outcome of what it has asked for, too. */
export function channelTakes(channel: Actor<'channel'>, event: ChannelEvent): boolean {
  if (!isActiveChannel(channel)) return false
  const { type, takes, config, secret } = channelFieldsOf(channel)
  if (takes.includes(event)) return true
  const follows = channelTypeOf(type).follows?.({ ...config, ...secret }) === true
  return follows && OUTCOME_EVENTS.includes(event) && takes.some((taken) => REQUESTS.includes(taken))
}

/** The settings of a channel, split and sealed for its actor; `shown` is for the answer of creation alone. */
export function sealedChannel(
  organization: string,
  { type, config }: { type: string; config: ChannelConfig },
  { vault, newSecret }: { vault: Sealing; newSecret(): string },
  former?: ChannelFields,
): Pick<ChannelFields, 'config' | 'secret' | 'target'> & { shown: { secret?: string } } {
  const { secrets, urls, made, target } = channelTypeOf(type)
  const entries = Object.entries(config)
  const secret: ChannelFields['secret'] = {}
  for (const [field, text] of entries) {
    if (!secrets.includes(field) && !urls.includes(field)) continue
    const known = former?.secret[field]
    // What links and keys are derived from stays as it is where the secret does.
    const isSame = known !== undefined && vault.open(organization, known) === text
    secret[field] = isSame ? known : vault.seal(organization, String(text))
  }
  const isMissing = made !== undefined && former?.secret[made] === undefined
  const fresh = isMissing ? newSecret() : undefined
  if (made !== undefined) secret[made] = fresh === undefined ? former!.secret[made]! : vault.seal(organization, fresh)
  return {
    config: Object.fromEntries(
      entries
        .filter(([field]) => !secrets.includes(field))
        .map(([field, value]) => [field, urls.includes(field) ? redactedUrl(String(value)) : value]),
    ),
    secret,
    target: target(config),
    shown: fresh === undefined ? {} : { secret: fresh },
  }
}

/** The settings with their secrets; throws where one was sealed under another key, or is damaged. */
export function openedConfig(organization: string, { config, secret }: ChannelFields, vault: Sealing): ChannelConfig {
  const opened = Object.entries(secret).map(([field, sealed]) => [field, vault.open(organization, sealed)])
  return { ...config, ...(Object.fromEntries(opened) as ChannelConfig) }
}

export function openedChannel(channel: Actor<'channel'>, vault: Sealing): OpenedChannel {
  const fields = channelFieldsOf(channel)
  return { type: fields.type, config: openedConfig(channel.context.organization, fields, vault) }
}
