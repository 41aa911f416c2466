// Finds the payments that may explain a transfer: the one that its hash counts for, and those that may be under way.
import { isFromWallet, isX402 } from '../domain/payment/terms.js'
import { authorizationKey, nonceOf } from '../domain/payment/x402.js'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { ActorHost } from '../actor/host.js'
import type { Ref } from '../domain/limits/gate.js'
import type { PossiblePayment } from '../domain/payment/outgoing.js'
import { permanentKey, transferHashKey } from '../domain/values/uniqueKeys.js'
import type { MetaOf } from './preflight.js'

export interface PossiblePaymentsParts {
  host: ActorHost
  metaOf: MetaOf
  /** Payments that may be under way, of the agents that ever had the wallet; in portions. */
  openPayments: (walletId: string) => Iterable<readonly Ref<'payment'>[]>
}

export class PossiblePayments {
  readonly #parts: PossiblePaymentsParts

  constructor(parts: PossiblePaymentsParts) {
    this.#parts = parts
  }

  /** The payment of the organization that a hash counts for: the service sent it, or it was confirmed with it. */
  withHash(organization: string, txHash: string): PossiblePayment | undefined {
    for (const key of [transferHashKey(txHash), transferHashKey(txHash, organization)]) {
      const owner = this.#parts.host.keyOwner(key)
      if (owner?.organization === organization) return this.of(owner.owner as Ref<'payment'>)
    }
    return undefined
  }

  /** The payment of the organization whose authorization the chain has used under this nonce. */
  withNonce(organization: string, nonce: string): PossiblePayment | undefined {
    const owner = this.#parts.host.keyOwner(permanentKey(authorizationKey(nonce)))
    return owner?.organization === organization ? this.of(owner.owner as Ref<'payment'>) : undefined
  }

  of(ref: Ref<'payment'>): PossiblePayment | undefined {
    const payment = this.#parts.host.peek(ref)
    const terms = payment?.context.terms
    if (!payment || !terms || !isFromWallet(terms)) return undefined
    const { id, createdAt } = payment.context
    const { amount, recipientAddress: to, wallet } = terms
    const { status, transaction } = this.#parts.metaOf(payment)
    const isUnderWay = status === 'EXECUTING' || transaction === 'SUBMITTED'
    return {
      id,
      isUnderWay,
      isApproved: status === 'APPROVED',
      createdAt,
      walletId: wallet.id,
      to,
      amount,
      ...(isX402(terms) && { nonce: nonceOf(id) }),
    }
  }

  /** With other work between the portions. */
  async open(walletId: string): Promise<Ref<'payment'>[]> {
    const open: Ref<'payment'>[] = []
    for (const refs of this.#parts.openPayments(walletId)) {
      open.push(...refs)
      await nextRound()
    }
    return open
  }
}
