// What the chain says of a transfer: whether it is in a block, how deep, whether that block is the chain's, and whether
// the token's own log shows this sender, recipient and amount.
import { erc20Abi, isAddressEqual, parseEventLogs, type Address, type TransactionReceipt } from 'viem'
import type { ClaimedTransfer, TransferOrder, Verdict } from '../domain/settlement.js'
import type { ChainNode } from './node.js'

/** So much may a chain's clock be behind the service's. */
const CLOCKS_DIFFER_MS = 60_000

export type Depth =
  | { is: 'absent' }
  /** In a block that is not deep enough, or that the chain has left. */
  | { is: 'shallow' }
  | Deep

export interface Deep {
  is: 'deep'
  depth: number
  receipt: TransactionReceipt
}

/** Where a transaction stands. What is called deep was read again at the end, from a block of the chain as it is now. */
export async function depthOf(node: ChainNode, hash: string): Promise<Depth> {
  const first = await node.receipt(hash)
  if (!first) return { is: 'absent' }
  const depth = Number((await node.head()) - first.blockNumber) + 1
  if (depth < node.config.confirmations) return { is: 'shallow' }
  const receipt = await node.receipt(hash)
  if (!receipt) return { is: 'absent' }
  const isSame = receipt.blockHash === first.blockHash && (await node.canonical(receipt.blockNumber)) === receipt.blockHash
  return isSame ? { is: 'deep', depth, receipt } : { is: 'shallow' }
}

/** The receipt, from a block of the chain as it is now. */
async function receiptInChain(node: ChainNode, hash: string): Promise<TransactionReceipt | undefined> {
  const receipt = await node.receipt(hash)
  return receipt && (await node.canonical(receipt.blockNumber)) === receipt.blockHash ? receipt : undefined
}

/**
 * The receipt of a transfer that was deep enough; undefined when the chain has left its block. That is asked twice: behind
 * one address there may be nodes that lag.
 */
export async function stillInChain(node: ChainNode, hash: string): Promise<TransactionReceipt | undefined> {
  return (await receiptInChain(node, hash)) ?? (await receiptInChain(node, hash))
}

/** The token itself logged this transfer in the transaction. */
export function shows(receipt: TransactionReceipt, { from, to, amount, asset }: TransferOrder): boolean {
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  return logs.some(({ address, args }) => {
    const parties = isAddressEqual(args.from, from as Address) && isAddressEqual(args.to, to as Address)
    return parties && args.value === BigInt(amount) && isAddressEqual(address, asset as Address)
  })
}

/** Judges what somebody says they transferred. Rejects when the node cannot be asked. */
export async function verify(node: ChainNode, claimed: ClaimedTransfer): Promise<Verdict> {
  await node.check()
  const found = await depthOf(node, claimed.txHash)
  const { confirmations, chainId } = node.config
  if (found.is === 'absent') {
    return { is: 'unsettled', reason: `Chain ${chainId} has no transaction ${claimed.txHash} in a block yet` }
  }
  if (found.is === 'shallow') {
    return { is: 'unsettled', reason: `The transaction is less than ${confirmations} blocks deep on chain ${chainId}` }
  }
  const { receipt } = found
  if (receipt.status !== 'success') return { is: 'wrong', reason: 'The transaction was reverted' }
  if (!shows(receipt, claimed)) {
    const reason = 'The transaction does not transfer this amount of the token from this sender to this recipient'
    return { is: 'wrong', reason }
  }
  if ((await node.timeOf(receipt.blockHash)) + CLOCKS_DIFFER_MS >= claimed.askedAt) {
    return { is: 'made', block: Number(receipt.blockNumber) }
  }
  return { is: 'wrong', reason: 'The transfer was made before the payment was asked for' }
}
