// Which transaction of an address used a nonce, for good. It is looked for in the one block that the address's count of
// transactions passed the nonce in: a transaction that no node tells of is not taken to be missing.
import { isAddressEqual, type Address } from 'viem'
import type { ChainNode } from './node.js'
import { depthOf, type Deep } from './receipts.js'

/**
 * The transaction, where it is at least this deep; undefined as long as the node knows of none. Rejects where the block
 * that it was looked for in does not have it: the node may have forgotten older ones.
 */
export async function userOf(
  node: ChainNode,
  address: string,
  nonce: number,
  depth: number,
): Promise<Deep | undefined> {
  const newest = (await node.head()) - BigInt(depth - 1)
  // Of a block that the node has forgotten it shows nothing: the search ends among those that it knows.
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

/** The first block at which it is so; at this one it is, and from the first on at all. */
async function firstBlock(from: bigint, isSo: (block: bigint) => Promise<boolean>): Promise<bigint> {
  let last = from
  let step = 1n
  // Mostly it is not long ago.
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
