// Reads a transfer from the chain: whether it is in a canonical block, how deep, and whether the token's log shows this
// sender, recipient and amount.
import { erc20Abi, type Address, type TransactionReceipt } from 'viem'
import { formatUnits, isAddressEqual, parseEventLogs } from 'viem/utils'
import type { Detail } from '../domain/outcomes/result.js'
import type { ClaimedTransfer, TransferOrder, TransferVerdict } from '../domain/payment/settlement.js'
import { AUTHORIZATION_USED, type ChainNode } from './node.js'

const OTHER_TRANSFER = 'The transaction does not transfer this amount of the token from this sender to this recipient'
/** Of USDC, on every chain. */
const DECIMALS = 6

/** What is confirmed is watched for reorgs for so many more blocks: then it is final. */
export const WATCHED_BLOCKS = 10

/** How far a chain's clock may be behind the service's. */
export const CLOCKS_DIFFER_MS = 60_000

export type Depth =
  | { is: 'absent' }
  /** In a block that is not deep enough or no longer canonical. */
  | { is: 'shallow' }
  | DeepReceipt

export interface DeepReceipt {
  is: 'deep'
  depth: number
  receipt: TransactionReceipt
}

/** The depth of a transaction. Before it is called deep, its receipt is read again from a canonical block. */
export async function depthOf(node: ChainNode, hash: string): Promise<Depth> {
  const first = await node.receipt(hash)
  if (!first) return { is: 'absent' }
  const depth = Number((await node.head()) - first.blockNumber) + 1
  if (depth < node.config.confirmations) return { is: 'shallow' }
  const receipt = await node.receipt(hash)
  if (!receipt) return { is: 'absent' }
  const isSame =
    receipt.blockHash === first.blockHash && (await node.canonical(receipt.blockNumber)) === receipt.blockHash
  return isSame ? { is: 'deep', depth, receipt } : { is: 'shallow' }
}

/** The receipt, if its block is canonical. */
async function receiptInChain(node: ChainNode, hash: string): Promise<TransactionReceipt | undefined> {
  const receipt = await node.receipt(hash)
  return receipt && (await node.canonical(receipt.blockNumber)) === receipt.blockHash ? receipt : undefined
}

/**
 * The receipt of a transfer that was deep enough; undefined when a reorg dropped its block. It asks twice, because one
 * URL may lead to several nodes, and some lag.
 */
export async function stillInChain(node: ChainNode, hash: string): Promise<TransactionReceipt | undefined> {
  return (await receiptInChain(node, hash)) ?? (await receiptInChain(node, hash))
}

/** True when the token's own log shows this transfer. */
export function shows(receipt: TransactionReceipt, order: TransferOrder): boolean {
  return differencesFrom(receipt, order).length === 0
}

/** How the most similar transfer of the receipt differs from this one; empty where it is this one. */
function differencesFrom(receipt: TransactionReceipt, { from, to, amount, asset }: TransferOrder): Detail[] {
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  const all = logs.map(({ address, args }) => [
    ...differing('asset', isAddressEqual(address, asset as Address), address),
    ...differing('senderAddress', isAddressEqual(args.from, from as Address), args.from),
    ...differing('recipientAddress', isAddressEqual(args.to, to as Address), args.to),
    ...differing('amount', args.value === BigInt(amount), formatUnits(args.value, DECIMALS)),
  ])
  const none = [{ path: 'txHash', message: 'is of a transaction that transfers no token' }]
  return all.reduce((best, one) => (one.length < best.length ? one : best), all[0] ?? none)
}

function differing(path: string, isSame: boolean, is: string): Detail[] {
  return isSame ? [] : [{ path, message: `is ${is} in the transfer` }]
}

const wrong = (reason: string, details: Detail[] = [{ path: 'txHash', message: reason }]): TransferVerdict => ({
  is: 'wrong',
  reason,
  details,
})

/**
 * The nonce of the authorization (EIP-3009) by which a transfer of the token left an address: the token logs its use just
 * before the transfer. Undefined for a transfer by the address itself.
 */
export function authorizationOf(
  receipt: TransactionReceipt,
  { asset, from, logIndex }: { asset: Address; from: string; logIndex: number },
): string | undefined {
  // Any contract can log the use of an authorization.
  const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, asset))
  const before = parseEventLogs({ abi: TOKEN_EVENTS, logs })
    .filter(({ logIndex: at, args }) => at < logIndex && isAddressEqual(senderIn(args), from as Address))
    .at(-1)
  return before?.eventName === 'AuthorizationUsed' ? before.args.nonce : undefined
}

const TOKEN_EVENTS = [...erc20Abi, AUTHORIZATION_USED] as const

function senderIn(args: { from: Address } | { owner: Address } | { authorizer: Address }): Address {
  if ('from' in args) return args.from
  return 'owner' in args ? args.owner : args.authorizer
}

/** Verifies a transfer that an agent claims to have made. Rejects when the node cannot be asked. */
export async function verify(node: ChainNode, claimed: ClaimedTransfer): Promise<TransferVerdict> {
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
  if (receipt.status !== 'success') return wrong('The transaction was reverted')
  const differences = differencesFrom(receipt, claimed)
  if (differences.length > 0) return wrong(OTHER_TRANSFER, differences)
  if ((await node.timeOf(receipt.blockHash)) + CLOCKS_DIFFER_MS >= claimed.askedAt) {
    return { is: 'made', block: Number(receipt.blockNumber) }
  }
  return wrong('The transfer was made before the payment was asked for')
}
