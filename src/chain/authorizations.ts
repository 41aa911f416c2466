// Finds out what became of an authorization to transfer (EIP-3009) that an agent gave to a server: a block has used it, or
// none ever can.
import { walletTerms } from '../domain/payment/terms.js'
import { CLOCKS_DIFFER_S, LONGEST_VALIDITY_S, authorizationKey, nonceOf } from '../domain/payment/x402.js'
import type { TransferOrder } from '../domain/payment/settlement.js'
import { noNode } from '../domain/values/chains.js'
import type { ContextOf } from '../domain/values/kinds.js'
import type { PermanentKey } from '../domain/values/uniqueKeys.js'
import { CustodyError } from './custody.js'
import { firstBlockSince } from './firstBlock.js'
import { LogPages } from './logPages.js'
import type { AuthorizationUse, ChainNode } from './node.js'
import { WATCHED_BLOCKS, depthOf, shows } from './receipts.js'
import { requireAsset } from './transfer.js'
import type { PaymentMessage } from './transferSteps.js'

export interface AuthorizationParts {
  /** By chain id. */
  nodes: ReadonlyMap<string, ChainNode>
  /** Takes a key in the whole installation, permanently; false when another owner has it. */
  take: (wanted: PermanentKey) => Promise<boolean>
}

type Payment = ContextOf<'payment'>

/** Undefined while it may still be used, or its block is not deep enough. Rejects when the node cannot be asked. */
export async function authorizationOutcome(
  { nodes, take }: AuthorizationParts,
  payment: Payment,
): Promise<PaymentMessage> {
  const order = orderOf(payment)
  const node = nodes.get(order.chainId)
  if (!node) throw new CustodyError('WALLET_CONFIG_ERROR', noNode(order.chainId))
  await node.check()
  requireAsset(node, order)
  const nonce = nonceOf(payment.id)
  const isUsed = await node.isAuthorizationUsed(order.from, nonce, await node.deepBlock())
  if (!isUsed) return (await isVoid(node, payment, nonce)) ? { type: 'LAPSED' } : undefined
  const { txHash, block } = await useOf(node, payment, nonce)
  const found = await depthOf(node, txHash)
  if (found.is !== 'deep') return undefined
  if (!shows(found.receipt, order)) throw new Error(`${txHash} is not the transfer that was authorized`)
  const { id, organization } = payment
  if (await take({ key: authorizationKey(nonce), owner: `payment/${id}`, organization })) {
    return { type: 'SETTLED', txHash, block }
  }
  throw new Error(`The authorization ${nonce} counts for another payment`)
}

/**
 * A block whose own time is too late is final, and the authorization is unused there: no clock but the chain's decides,
 * since it is the chain that takes authorizations.
 */
async function isVoid(node: ChainNode, payment: Payment, nonce: string): Promise<boolean> {
  const final = Number(await node.head()) - (node.config.confirmations + WATCHED_BLOCKS - 1)
  if (final < 0 || (await node.timeAt(final)) < endOf(payment)) return false
  return !(await node.isAuthorizationUsed(orderOf(payment).from, nonce, BigInt(final)))
}

/** The transaction that used it. It is valid in few blocks, which are found by their time. */
async function useOf(node: ChainNode, payment: Payment, nonce: string): Promise<AuthorizationUse> {
  const end = endOf(payment)
  const from = await firstBlockSince(node, end - (LONGEST_VALIDITY_S + CLOCKS_DIFFER_S) * 1_000)
  const to = Math.min(await firstBlockSince(node, end), Number(await node.deepBlock()))
  const pages = new LogPages()
  for (let first = from; first <= to;) {
    const last = Math.min(first + pages.blocks - 1, to)
    try {
      const use = await node.authorizationUse(orderOf(payment).from, nonce, first, last)
      if (use) return use
      first = last + 1
    } catch (error) {
      if (pages.blocks === 1) throw error
      pages.refused()
    }
  }
  throw new Error(`The authorization ${nonce} is used, and its transfer is in no block from ${from} to ${to}`)
}

/** Epoch ms, as the token sees it: in whole seconds. */
function endOf({ permit }: Payment): number {
  return Math.floor(permit!.expiresAt / 1_000) * 1_000
}

function orderOf({ terms }: Payment): TransferOrder {
  const { amount, asset, recipientAddress, wallet } = walletTerms(terms)
  return { chainId: wallet.chainId, from: wallet.address, to: recipientAddress, amount, asset: asset! }
}
