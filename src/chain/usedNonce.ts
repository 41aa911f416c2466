// Finds the transaction that finally used a nonce of an address, in the block in which the address's transaction count
// passed the nonce. It never concludes that a transaction does not exist because a node does not know it.
import type { Address } from 'viem'
import { isAddressEqual } from 'viem/utils'
import type { ChainNode } from './node.js'
import { depthOf, type DeepReceipt } from './receipts.js'

/**
 * The transaction, when it is at least this deep; undefined as long as the node knows of none. Rejects when the block
 * found does not contain it: the node may have pruned older blocks.
 */
export async function userOf(
  node: ChainNode,
  address: string,
  nonce: number,
  depth: number,
): Promise<DeepReceipt | undefined> {
  const newest = (await node.head()) - BigInt(depth - 1)
  // A pruned block counts as before the nonce was used: the search ends among the blocks that the node has.
  const usedAt = (at: bigint): Promise<number> => node.nonceAt(address, at).catch(() => 0)
  const isUsedAt = async (at: bigint): Promise<boolean> => at >= 0n && (await usedAt(at)) > nonce
  if (!(await isUsedAt(newest))) return undefined
  const block = await firstBlock(newest, isUsedAt)
  const all = await node.transactionsIn(block)
  const user = all.find((one) => one.nonce === nonce && isAddressEqual(one.from, address as Address))
  if (!user) throw new Error(`Nonce ${nonce} of ${address} was used in block ${block}, by no transaction there`)
  const found = await depthOf(node, user.hash)
  return found.is === 'deep' && found.depth >= depth ? found : undefined
}

/** The first block at which `isSo` holds, by binary search. It holds at `from`, and at all blocks after the first. */
async function firstBlock(from: bigint, isSo: (block: bigint) => Promise<boolean>): Promise<bigint> {
  let last = from
  let step = 1n
  // Growing steps, because the block is mostly a recent one.
  while (await isSo(last - step)) {
    last -= step
    step *= 2n
  }
  let before = last - step
  while (last - before > 1n) {
    const middle = (last + before) / 2n
    if (await isSo(middle)) last = middle
    else before = middle
  }
  return last
}
