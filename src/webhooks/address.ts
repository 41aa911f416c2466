// The current URL and signing secrets of an endpoint: read when deliveries are handed to the courier, and again when
// either has changed.
import type { Actor } from '../actor/actor.js'
import type { Outcome } from '../domain/delivery.js'
import type { Ref } from '../domain/gate.js'
import { endpointOf } from './endpoints.js'
import type { Secrets } from './sign.js'
import type { Vault } from './vault.js'

export interface Address {
  url: string
  secrets: Secrets
}

export interface AddressPorts {
  read(refs: readonly Ref[]): Promise<(Actor | undefined)[]>
  vault: Vault
  now(): number
}

/** The address, or the outcome of each attempt as long as there is none. */
export type AddressOf = (organization: string, agentId: string | null) => Promise<Address | Outcome>

export function addressesOf({ read, vault, now }: AddressPorts): AddressOf {
  return async (organization, agentId) => {
    const refs: Ref[] = [`organization/${organization}`, ...(agentId === null ? [] : [`agent/${agentId}` as const])]
    const [settings, agent] = await read(refs)
    const endpoint = settings && endpointOf(settings, agentId === null ? null : agent, now())
    if (!endpoint) return { at: now(), durationMs: 0, error: 'The endpoint was removed', refused: true }
    // INVARIANT: nothing is sent unsigned.
    if (endpoint.secret === null) return { at: now(), durationMs: 0, error: 'There is no signing secret' }
    const secrets = secretsOf(vault, organization, endpoint.secret, endpoint.previousSecret)
    if (!(secrets instanceof Error)) return { url: endpoint.url, secrets }
    return { at: now(), durationMs: 0, error: 'The signing secret cannot be opened', detail: secrets.message }
  }
}

/** An Error where the secrets are damaged or were sealed under another key; the attempt then fails like any other. */
function secretsOf(vault: Vault, organization: string, secret: string, previous: string | null): Secrets | Error {
  try {
    const current = vault.open(organization, secret)
    return previous === null ? { current } : { current, previous: vault.open(organization, previous) }
  } catch (error) {
    return error as Error
  }
}
