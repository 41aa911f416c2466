// Takes keys that one holder has in the whole installation and for ever: an address that a provider, or a key of the
// service, pays from, the hash of a transfer that the service makes. Their claims belong to the organization that came
// first; no message crosses into another.
import { derivedId } from '../domain/ids.js'
import type { Ref } from '../domain/gate.js'
import type { ActorHost, AskOptions, StillValid } from './host.js'

export interface PermanentClaim {
  /** The key in words, including its kind. */
  key: string
  holder: string
  organization: string
}

export function permanentClaimRef(key: string): Ref {
  return `claim/${derivedId('for ever', key)}`
}

/** True when no other organization has the key. */
export function isWithin(organization: string, ref: Ref): StillValid {
  return (view) => (view(ref)?.context['organization'] ?? organization) === organization
}

/** Resolves to true when the holder has the key, newly or already. */
export async function takePermanently(
  host: ActorHost,
  { key, holder, organization }: PermanentClaim,
  now: number,
  options: AskOptions,
): Promise<boolean> {
  const ref = permanentClaimRef(key)
  const command = { type: 'TAKE', now, organization, holder, key }
  const reply = await host.askWhile(ref, command, options, isWithin(organization, ref))
  return reply?.ok === true
}
