// The types of channels.
import type { ChannelType } from '../channelType.js'
import { email } from './email.js'
import { slack } from './slack.js'
import { webhook } from './webhook.js'

const TYPES = { EMAIL: email, SLACK: slack, WEBHOOK: webhook } satisfies { [type: string]: ChannelType }

export type ChannelTypeName = keyof typeof TYPES
export const CHANNEL_TYPES = Object.keys(TYPES) as ChannelTypeName[]

export function channelTypeOf(name: string): ChannelType {
  return TYPES[name as ChannelTypeName]
}
