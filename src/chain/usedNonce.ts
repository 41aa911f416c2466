// Which transaction of an address used a nonce, for good. It is looked for in the one block that the address's count of
// transactions passed the nonce in: a transaction that no node tells of is not taken to be missing.
import { isAddressEqual, type Address } from 'viem'
import type { ChainNode } from './node.js'
import { depthOf, type Deep } from './receipts.js'

/**
 * The transaction, where it is at least this deep; undefined as long as there is none. Rejects where the node does not
 * know blocks that old, and where no transaction used the nonce.
 */
export async function userOf(
  node: ChainNode,
  address: string,
  nonce: number,
  depth: number,
): Promise<Deep | undefined> {
  const newest = (await node.head()) - BigInt(depth - 1)
  const isUsedAt = async (at: bigint): Promise<boolean> => at >= 0n && (await node.nonceAt(address, at)) > nonce
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
  // Mostly it is not long ago, and nodes forget what is.
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
