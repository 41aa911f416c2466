// Proof that an organization controls a wallet's address: its key signs a challenge. The address is the organization's
// from then on, on every chain, unless another has proved it before.
import type { Actor } from '../../actor/actor.js'
import { canonicalJson } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import { isoWriter } from '../../domain/values/isoTime.js'
import { refuse, refuseField, succeed, type Result } from '../../domain/outcomes/result.js'
import { addressKey, proverOf } from './addresses.js'
import type { Caller, Services } from '../ports.js'
import { find, outcome, refusedOnDisk, sendAllIf } from '../send.js'

/** A challenge lives for one to two of these. */
const WINDOW_MS = 10 * 60_000
const NOT_EVM = 'Only addresses of EVM chains are proved by a signature'
const PROVED_BEFORE = 'Another organization has proved this address first'

const iso = isoWriter()

export interface Challenge {
  /** The text to sign. */
  challenge: string
  /** Epoch ms. */
  expiresAt: number
}

export async function challengeFor(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Challenge, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findProvable(services, caller, id)
  return found.ok ? succeed(challengesOf(services, found.value)[0]!) : found
}

/** Takes the address for the organization, where the signature is of a live challenge. */
export async function proveAddress(
  services: Services,
  caller: Caller,
  id: string,
  signature: string,
): Promise<Result<Actor<'wallet'>, 'ALREADY_EXISTS' | 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const found = await findProvable(services, caller, id)
  if (!found.ok) return found
  const { address } = found.value.context.fields
  if (!(await isSigned(services, found.value, signature))) {
    return refuseField('signature', `must be the signature (EIP-191) of a live challenge with the key of ${address}`)
  }
  const { organization } = caller.principal
  if (proverOf(services, address) === organization) return found
  const grounds = { permanentKey: addressKey(address) }
  const reply = await sendAllIf(services, caller, grounds, found.value.ref, [
    { to: found.value.ref, type: 'PROVE', fields: {} },
  ])
  return reply ? outcome(reply) : refuse('ALREADY_EXISTS', PROVED_BEFORE)
}

async function findProvable(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'wallet'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await find(services, caller, 'wallet', id)
  if (!found.ok || found.value.context.fields.chainType === 'EVM') return found
  return refusedOnDisk(services, refuse('INVALID_STATUS', NOT_EVM))
}

async function isSigned(services: Services, wallet: Actor<'wallet'>, signature: string): Promise<boolean> {
  const { address } = wallet.context.fields
  for (const { challenge } of challengesOf(services, wallet)) {
    if (await services.isSignedBy(address, challenge, signature)) return true
  }
  return false
}

/**
 * The challenges that are live now, the newest first. They are derived from the installation's secret and the time, so
 * none is stored.
 */
function challengesOf(services: Services, wallet: Actor<'wallet'>): Challenge[] {
  const { id, organization, fields } = wallet.context
  const window = Math.floor(services.now() / WINDOW_MS)
  return [window + 2, window + 1].map((end) => {
    const expiresAt = end * WINDOW_MS
    const bound = { purpose: 'address proof', organization, id, address: fields.address, expiresAt }
    const nonce = services.hashKey(sha256Hex(canonicalJson(bound)))
    const lines = [
      `Bursar: organization ${organization} controls ${fields.address}.`,
      '',
      `Wallet: ${id}`,
      `Nonce: ${nonce}`,
      `Valid until: ${iso(expiresAt)}`,
    ]
    return { challenge: lines.join('\n'), expiresAt }
  })
}
