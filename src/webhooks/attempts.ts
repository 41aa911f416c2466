// Makes an attempt of a stored delivery: looks up where it goes now and what signs it, and hands it to the courier.
import type { Actor } from '../actor/actor.js'
import type { Delivery, Outcome } from '../domain/delivery.js'
import type { Ref } from '../domain/gate.js'
import type { Job } from './deliver.js'
import { endpointOf } from './endpoints.js'
import type { Secrets } from './sign.js'
import type { Vault } from './vault.js'

export interface AttemptPorts {
  read(refs: readonly Ref[]): Promise<(Actor | undefined)[]>
  vault: Vault
  send(job: Job): Promise<Outcome>
  now(): number
}

/** The attempts that a relay makes. */
export function attemptsOf({ read, vault, send, now }: AttemptPorts) {
  return async (delivery: Delivery): Promise<{ outcome: Outcome; target?: string }> => {
    const { id, organization, agentId, event, at, data, attempts } = delivery
    const refs: Ref[] = [`organization/${organization}`, ...(agentId === null ? [] : [`agent/${agentId}` as const])]
    const [settings, agent] = await read(refs)
    const endpoint = settings && endpointOf(settings, agentId === null ? null : agent, now())
    if (!endpoint) return { outcome: unsent(now(), 'The endpoint was removed') }
    // Nothing is sent unsigned.
    if (endpoint.secret === null) return { outcome: { at: now(), durationMs: 0, error: 'There is no signing secret' } }
    const secrets = secretsOf(vault, organization, endpoint.secret, endpoint.previousSecret)
    if (secrets instanceof Error) {
      return { outcome: { at: now(), durationMs: 0, error: 'The signing secret cannot be opened', detail: secrets.message } }
    }
    const job = { deliveryId: id, event, at, data, attempt: attempts.length + 1, url: endpoint.url, secrets }
    return { outcome: await send(job), target: endpoint.url }
  }
}

/** An error for secrets that were sealed under another key or are damaged: it ends the attempt like any other. */
function secretsOf(vault: Vault, organization: string, secret: string, previous: string | null): Secrets | Error {
  try {
    const current = vault.open(organization, secret)
    return previous === null ? { current } : { current, previous: vault.open(organization, previous) }
  } catch (error) {
    return error as Error
  }
}

function unsent(at: number, error: string): Outcome {
  return { at, durationMs: 0, error, refused: true }
}
