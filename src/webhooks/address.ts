// The current URL and signing secrets of an endpoint, or the settings of a channel: read when deliveries are handed to
// the courier, and again when they have changed.
import type { View } from '../actor/host.js'
import type { AttemptOutcome } from '../domain/outcomes/delivery.js'
import { channelFieldsOf, isActiveChannel, openedChannel } from './channels.js'
import type { Receiving } from './deliver.js'
import { endpointOf } from './endpoints.js'
import type { Secrets } from './sign.js'
import type { Sealing } from './sealing.js'

export interface AddressPorts {
  peek: View
  vault: Sealing
  now(): number
  onError(error: unknown): void
}

const UNOPENED = 'The previous signing secret cannot be opened; the current one signs alone'

/** The address, or the outcome of each attempt as long as there is none. */
export type AddressOf = (
  organization: string,
  agentId: string | null,
  channelId?: string,
) => Promise<Receiving | AttemptOutcome>

export function addressesOf({ peek, vault, now, onError }: AddressPorts): AddressOf {
  const reported = new Set<string>()
  /** Empty where it cannot be opened: then the current secret signs alone, and the fault is reported once. */
  const previousOf = (organization: string, sealed: string | null): Pick<Secrets, 'previous'> => {
    if (sealed === null) return {}
    const previous = opened(vault, organization, sealed)
    if (!(previous instanceof Error)) return { previous }
    if (!reported.has(sealed)) onError(new Error(`${organization}: ${UNOPENED}`, { cause: previous }))
    reported.add(sealed)
    return {}
  }
  const channelOf = (id: string): Receiving | AttemptOutcome => {
    const channel = peek(`channel/${id}`)
    const failed = { at: now(), durationMs: 0 }
    if (!channel || channel.state === 'deleted') return { ...failed, error: 'The channel was removed', refused: true }
    if (!isActiveChannel(channel)) return { ...failed, error: 'The channel is paused', refused: true }
    try {
      return { url: channelFieldsOf(channel).target, channel: openedChannel(channel, vault) }
    } catch (error) {
      return { ...failed, error: 'A secret of the channel cannot be opened', detail: (error as Error).message }
    }
  }
  return async (organization, agentId, channelId) => {
    if (channelId !== undefined) return channelOf(channelId)
    const settings = peek(`organization/${organization}`)
    const agent = agentId === null ? null : peek(`agent/${agentId}`)
    const endpoint = settings && endpointOf(settings, agent, now())
    if (!endpoint) return { at: now(), durationMs: 0, error: 'The endpoint was removed', refused: true }
    // INVARIANT: nothing is sent unsigned.
    if (endpoint.secret === null) return { at: now(), durationMs: 0, error: 'There is no signing secret' }
    const current = opened(vault, organization, endpoint.secret)
    if (current instanceof Error)
      return { at: now(), durationMs: 0, error: 'The signing secret cannot be opened', detail: current.message }
    return { url: endpoint.url, secrets: { current, ...previousOf(organization, endpoint.previousSecret) } }
  }
}

/** An Error where the secret is damaged or was sealed under another key. */
function opened(vault: Sealing, organization: string, sealed: string): string | Error {
  try {
    return vault.open(organization, sealed)
  } catch (error) {
    return error as Error
  }
}
