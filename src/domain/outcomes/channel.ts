// The stored part of a notification channel. Secrets are sealed; the store never holds their text.
import type { Decider } from '../payment/approval.js'
import type { Json } from '../values/canonical.js'

export interface ChannelFields {
  name: string
  /** A name of the table in src/notifications/channels. */
  type: string
  /** Events that are sent to it. */
  takes: string[]
  /** The settings of its type that are no secrets; URLs as they are shown. */
  config: { [field: string]: Json }
  /** Where it sends, without secrets. */
  target: string
  /** The settings that are or may hold secrets, whole and sealed. */
  secret: { [field: string]: string }
  /** Who gave the signing secret, where there is one; else who made the channel. */
  setBy: Decider
}

/** Events that end what an earlier message asked for. */
export const OUTCOME_EVENTS: readonly string[] = ['approval.decided', 'approval.expired']

/** Slots are for so many of an organization's channels, so that one never waits for another. */
export const MOST_CHANNELS = 100
