// Checks whether an admitted payment may still be sent, at the moment before its transfer leaves the service: a freeze,
// revocation or block that came first stops it, and so does its expiry. It does not check sums and balances, which are
// captured already.
import { type Meta } from '../domain/values/meta.js'
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import { parseAddress } from '../domain/values/address.js'
import { RECIPIENT_BLOCKED } from '../domain/parties/counterparty.js'
import { DELEGATION_REVOKED } from '../domain/parties/delegation.js'
import type { Ref } from '../domain/limits/gate.js'
import { sanctionOf, type SanctionsList } from '../domain/parties/sanctions.js'
import type { SendFailure } from '../domain/payment/settlement.js'
import { ORGANIZATION_FROZEN } from '../domain/outcomes/violation.js'
import { WALLET_NOT_ACTIVE } from '../domain/parties/wallet.js'

/** What the state of an actor says. */
export type MetaOf = (actor: Actor) => Meta

/** How long after its expiry a payment may wait its turn to be signed. */
const GRACE_MS = 60_000

type Payment = Actor<'payment'>

/** The actors whose state `objection` checks. */
export function partiesTo({ context }: Payment): Ref[] {
  const { organization, terms, gates } = context
  const { agentId, delegationId, walletId } = terms!
  const recipient = gates.filter(({ ref }) => ref.startsWith('counterparty/')).map(({ ref }) => ref)
  return [
    `organization/${organization}`,
    `agent/${agentId}`,
    `delegation/${delegationId}`,
    `wallet/${walletId}`,
    ...recipient,
  ]
}

/** Why the payment must not be sent; undefined when it may be. */
export function objection(
  { context }: Payment,
  view: View,
  metaOf: MetaOf,
  list: SanctionsList | undefined,
): SendFailure | undefined {
  const { organization, terms, gates } = context
  const { agentId, delegationId, walletId, recipientAddress } = terms!
  const rests: [ref: Ref, message: string][] = [
    [`organization/${organization}`, ORGANIZATION_FROZEN.message],
    [`agent/${agentId}`, 'The agent is not ACTIVE'],
    [`delegation/${delegationId}`, DELEGATION_REVOKED.message],
    [`wallet/${walletId}`, WALLET_NOT_ACTIVE.message],
  ]
  const statusOf = (ref: Ref): string | undefined => {
    const actor = view(ref)
    return actor && metaOf(actor).status
  }
  const stopped = rests.find(([ref]) => statusOf(ref) !== 'ACTIVE')?.[1]
  const isBlocked = gates.some(({ ref }) => ref.startsWith('counterparty/') && statusOf(ref) === 'BLOCKED')
  const barred = isBlocked ? RECIPIENT_BLOCKED : sanctionOf(list, parseAddress(recipientAddress)!)
  const message = stopped ?? barred?.message
  return message === undefined ? undefined : { code: 'INVALID_STATUS', message }
}

/**
 * Why nothing may be signed for the payment for the first time; undefined when it may be. An execution begins before
 * the payment expires: whatever is signed long after that was executed by a service that stopped, or restored a backup.
 */
export function lateness({ context }: Payment, now: number): SendFailure | undefined {
  const { expiresAt } = context
  if (now <= expiresAt + GRACE_MS) return undefined
  return { code: 'EXPIRED', message: 'The payment expired before it was signed' }
}
