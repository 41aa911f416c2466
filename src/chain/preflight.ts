// Checks whether an admitted payment may still be sent, at the moment before its transfer leaves the service: a freeze,
// revocation or block that came first stops it, and so does its expiry. It does not check sums and balances, which are
// captured already.
import type { Actor } from '../actor/actor.js'
import type { View } from '../actor/host.js'
import { parseAddress } from '../domain/values/address.js'
import { isBlocked, RECIPIENT_BLOCKED } from '../domain/parties/counterparty.js'
import { DELEGATION_REVOKED } from '../domain/parties/delegation.js'
import type { Gate, Ref } from '../domain/limits/gate.js'
import { sanctionOf, type SanctionsList } from '../domain/parties/sanctions.js'
import type { SendFailure } from '../domain/payment/settlement.js'
import { ORGANIZATION_FROZEN } from '../domain/outcomes/violation.js'
import { WALLET_NOT_ACTIVE } from '../domain/parties/wallet.js'

/** How long after its expiry a payment may wait its turn to be signed. */
const GRACE_MS = 60_000

/** The fields of a payment that are read here. */
interface Payment {
  organization: string
  expiresAt: number
  terms: { agentId: string; walletId: string; delegationId: string; recipientAddress: string }
  gates: Gate[]
}

/** The actors whose state `objection` checks. */
export function partiesTo({ context }: Actor): Ref[] {
  const { organization, terms, gates } = context as unknown as Payment
  const { agentId, delegationId, walletId } = terms
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
export function objection({ context }: Actor, view: View, list: SanctionsList | undefined): SendFailure | undefined {
  const { organization, terms, gates } = context as unknown as Payment
  const rests: [ref: Ref, state: string, message: string][] = [
    [`organization/${organization}`, 'kept.active', ORGANIZATION_FROZEN.message],
    [`agent/${terms.agentId}`, 'registered.active', 'The agent is not ACTIVE'],
    [`delegation/${terms.delegationId}`, 'active', DELEGATION_REVOKED.message],
    [`wallet/${terms.walletId}`, 'kept.active', WALLET_NOT_ACTIVE.message],
  ]
  const stopped = rests.find(([ref, state]) => view(ref)?.state !== state)?.[2]
  const message = stopped ?? blocked(gates, view) ?? sanctionOf(list, parseAddress(terms.recipientAddress)!)?.message
  return message === undefined ? undefined : { code: 'INVALID_STATUS', message }
}

/**
 * Why nothing may be signed for the payment for the first time; undefined when it may be. An execution begins before
 * the payment expires: whatever is signed long after that was executed by a service that stopped, or restored a backup.
 */
export function lateness({ context }: Actor, now: number): SendFailure | undefined {
  const { expiresAt } = context as unknown as Payment
  if (now <= expiresAt + GRACE_MS) return undefined
  return { code: 'EXPIRED', message: 'The payment expired before it was signed' }
}

function blocked(gates: Gate[], view: View): string | undefined {
  const recipient = gates.find(({ ref }) => ref.startsWith('counterparty/'))
  return recipient && isBlocked(view(recipient.ref)?.state) ? RECIPIENT_BLOCKED.message : undefined
}
