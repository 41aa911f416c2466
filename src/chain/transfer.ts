// Builds and signs one transfer of the token. Whoever signs, the bytes are taken apart again before they are kept: they
// are this transfer, by this sender, under this nonce, or they are nothing.
import { formatEther, isAddressEqual, keccak256, parseTransaction, recoverTransactionAddress, type Hex } from 'viem'
import type { Address } from 'viem'
import { toNumber } from '../domain/money.js'
import type { SignedTransfer, TransferOrder } from '../domain/settlement.js'
import { CustodyError, type Signer } from './custody.js'
import { isOutage, transferData, type ChainNode, type Fees, type UsedNonces } from './node.js'

/** Estimates are exact only for the state they saw. */
const GAS_RESERVE_PERCENT = 30n

export interface Prepared extends Fees {
  data: Hex
  gas: bigint
}

/** Throws where the chain's token is no longer the one that the payment was asked for in. */
export function requireAsset(node: ChainNode, { chainId, asset }: TransferOrder): void {
  if (asset === node.asset) return
  const message = `The token of chain ${chainId} has changed since this was asked for: make a new request`
  throw new CustodyError('WALLET_CONFIG_ERROR', message)
}

/**
 * The least nonce that can be used, where the account would give out `next`. One that was used and is not deep yet may be
 * a node's mistake, and a nonce that is passed over is a gap for ever: nothing is signed before it is deep.
 */
export function nonceFloor({ deep, latest }: UsedNonces, next: number): number {
  if (latest <= Math.max(next, deep)) return deep
  throw new CustodyError('UNAVAILABLE', 'The chain shows transactions of this wallet that the service did not send: try again later')
}

/**
 * Asks the chain for all that a transfer needs; a CustodyError where it could not go through. Of the wallet's transfers
 * `waiting` wait for a block still: the coin has to suffice for them, too.
 */
export async function prepare(node: ChainNode, { from, to, amount }: TransferOrder, waiting: number): Promise<Prepared> {
  const data = transferData(to, amount)
  const asked = [node.token(from), node.coin(from), node.fees(), node.dataFee()] as const
  const [token, coin, fees, dataFee] = await Promise.all(asked)
  if (fees.maxFeePerGas > node.mostFee) {
    throw new CustodyError('UNAVAILABLE', `Network fees are above the ${node.config.mostFeeGwei} gwei that may be paid`)
  }
  if (token < BigInt(amount)) {
    const message = `The wallet has ${toNumber(Number(token))} on its chain, less than ${toNumber(amount)}`
    throw new CustodyError('INSUFFICIENT_BALANCE', message)
  }
  const gas = ((await node.gas(from, data).catch(refusedTransfer)) * (100n + GAS_RESERVE_PERCENT)) / 100n
  const cost = (gas * fees.maxFeePerGas + dataFee) * BigInt(waiting + 1)
  if (coin < cost) throw new CustodyError('INSUFFICIENT_BALANCE', lowGas(coin, cost))
  return { data, gas, ...fees }
}

/**
 * Throws where the coin does not suffice for the fees that a transfer would be signed anew with: the node would not take
 * that form, and the one there is may still pass.
 */
export async function requireCoin(node: ChainNode, from: string, { hash, gas }: SignedTransfer, fees: Fees): Promise<void> {
  const [coin, dataFee] = await Promise.all([node.coin(from), node.dataFee()])
  const cost = BigInt(gas) * fees.maxFeePerGas + dataFee
  if (coin < cost) throw new CustodyError('INSUFFICIENT_BALANCE', `The fees of ${hash} are not raised: ${lowGas(coin, cost)}`)
}

export function lowGas(has: bigint, needs: bigint): string {
  return `The wallet has ${formatEther(has)} of its chain's coin for network fees (gas); a transfer may take ${formatEther(needs)}`
}

function refusedTransfer(error: unknown): never {
  if (isOutage(error)) throw error
  const { shortMessage = 'it gives no reason' } = error as { shortMessage?: string }
  throw new CustodyError('WALLET_CONFIG_ERROR', `The token's contract does not let this transfer pass: ${shortMessage}`)
}

/** Signs; rejects with a CustodyError unless the bytes are exactly what was wanted. */
export async function sign(
  account: Awaited<ReturnType<Signer['account']>>,
  order: TransferOrder,
  { data, gas, maxFeePerGas, maxPriorityFeePerGas }: Prepared,
  nonce: number,
  now: number,
): Promise<SignedTransfer> {
  const chainId = Number(order.chainId)
  const wanted = { type: 'eip1559', chainId, to: order.asset as Address, data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } as const
  const raw = await account.signTransaction(wanted)
  if (!(await isExactly(raw, wanted, order.from))) {
    throw new CustodyError('WALLET_CONFIG_ERROR', 'The custody signed something else than the transfer')
  }
  return {
    hash: keccak256(raw),
    raw,
    nonce,
    gas: String(gas),
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
    signedAt: now,
  }
}

interface Wanted extends Fees {
  chainId: number
  to: Address
  data: Hex
  nonce: number
  gas: bigint
}

async function isExactly(raw: Hex, wanted: Wanted, from: string): Promise<boolean> {
  try {
    const found = parseTransaction(raw)
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as never })
    const same = (['chainId', 'data', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const).every((field) => {
      // What is zero is left out of the bytes: chains that want no tip suggest none.
      return (found[field as 'gas'] ?? 0n) === wanted[field as 'gas']
    })
    const lists = [found.accessList, found.authorizationList]
    const isBare = found.type === 'eip1559' && (found.value ?? 0n) === 0n && lists.every((list) => (list ?? []).length === 0)
    return same && isBare && (found.nonce ?? 0) === wanted.nonce && isAddressEqual(found.to!, wanted.to) && isAddressEqual(sender, from as Address)
  } catch {
    return false
  }
}

/**
 * Fees that a node takes instead of those of `last`; undefined while the market asks for no more than those, and where
 * they would pass `mostFee`.
 */
export function raisedFees(last: SignedTransfer, market: Fees, mostFee: bigint): Fees | undefined {
  const raised = (fee: string): bigint => (BigInt(fee) * 9n) / 8n + 1n
  const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  if (market.maxFeePerGas <= BigInt(last.maxFeePerGas)) return undefined
  const maxFeePerGas = most(market.maxFeePerGas, raised(last.maxFeePerGas))
  if (maxFeePerGas > mostFee) return undefined
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: most(market.maxPriorityFeePerGas, raised(last.maxPriorityFeePerGas)),
  }
}
