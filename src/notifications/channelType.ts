// What a type of channel is: its settings, which of them are secrets, and how it sends. Each type is one file of
// `channels/`, and a row of `channels/index.ts`.
import type * as v from 'valibot'
import type { AttemptOutcome } from '../domain/outcomes/delivery.js'
import type { Json } from '../domain/values/canonical.js'
import type { ChannelEvent, Notice } from './notice.js'

/** The settings of a channel, secrets opened. */
export type ChannelConfig = { [field: string]: Json }

/** One delivery to a channel, at one attempt. */
export interface ChannelJob {
  deliveryId: string
  event: ChannelEvent
  /** The raw body of the delivery: JSON, the same bytes on every attempt. */
  body: string
  notice: Notice
  /** Epoch ms of this attempt. */
  sentAt: number
  /** What the receiver called the earlier messages on the same subject, as `receipt` had it. */
  earlier: readonly string[]
}

export interface PostAnswer {
  statusCode: number
  retryAfterMs?: number
  /** Of at most 64 KiB. */
  body: string
}

export interface MailServer {
  url: string
  from: string
}

export interface ChannelPorts {
  /** By the destination rules of events; rejects where nothing was answered. */
  post(url: string, headers: { [name: string]: string }, body: string): Promise<PostAnswer>
  /** Null where the installation sends no mails. */
  mail: MailServer | null
  /** The address of Slack's Web API, without a slash at its end. */
  slackApi: string
}

/** `receipt` names the message for later ones on the same subject. */
export type ChannelOutcome = Omit<AttemptOutcome, 'at' | 'durationMs'> & { receipt?: string }

export interface ChannelType {
  /** What a caller gives. URLs are checked besides, by `urls`. */
  config: v.GenericSchema<unknown, ChannelConfig>
  /** Fields that are sealed on disk and never shown. */
  secrets: readonly string[]
  /** Fields with URLs that messages are sent to. */
  urls: readonly string[]
  /** A field that the service makes, a signing secret, which the answer of creation shows once. */
  made?: string
  /** Why this installation cannot send to such channels; undefined where it can. */
  missing?(mail: MailServer | null): string | undefined
  /** Where messages go, as the log of deliveries shows it: without secrets. Channels at one origin share its slots. */
  target(config: ChannelConfig): string
  /** True where the channel's messages change when what they ask for has an outcome. */
  follows?(config: ChannelConfig): boolean
  /** Sends; a rejection counts as no answer. */
  send(job: ChannelJob, config: ChannelConfig, ports: ChannelPorts): Promise<ChannelOutcome>
}
