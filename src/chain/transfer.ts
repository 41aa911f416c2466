// Builds and signs one token transfer. INVARIANT: signed bytes are parsed and checked, whichever signer made them, and
// kept only if they are exactly this transfer, from this sender, with this nonce.
import { recoverTransactionAddress, type Address, type Hex } from 'viem'
import { formatEther, isAddressEqual, keccak256, parseTransaction } from 'viem/utils'
import { toNumber } from '../domain/values/money.js'
import type { SignedTransfer, TransferOrder } from '../domain/payment/settlement.js'
import { CustodyError, type Signer } from './custody.js'
import { isOutage, transferData, type ChainNode, type Fees, type UsedNonces } from './node.js'

/** Nodes take no signature with an s above half the order of secp256k1 (EIP-2). */
const MOST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Estimates are exact only for the state they saw. */
const GAS_RESERVE_PERCENT = 30n

export interface Prepared extends Fees {
  data: Hex
  gas: bigint
}

/** Throws when the chain's configured token has changed since the payment was requested. */
export function requireAsset(node: ChainNode, { chainId, asset }: TransferOrder): void {
  if (asset === node.asset) return
  const message = `The token of chain ${chainId} has changed since this was asked for: make a new request`
  throw new CustodyError('WALLET_CONFIG_ERROR', message)
}

/**
 * The lowest usable nonce, given the account's `next`. A foreign transaction that is not at confirmation depth yet may
 * be a node's mistake, and a skipped nonce is a permanent gap: nothing is signed before it is that deep.
 */
export function nonceFloor({ deep, latest }: UsedNonces, next: number): number {
  if (latest <= Math.max(next, deep)) return deep
  throw new CustodyError(
    'UNAVAILABLE',
    'The chain shows transactions of this wallet that the service did not send: try again later',
  )
}

/**
 * Estimates gas and fees of a transfer; rejects with a CustodyError when it could not succeed. The coin must also
 * cover the fees of the wallet's `waiting` transfers that are in no block yet.
 */
export async function prepare(
  node: ChainNode,
  { from, to, amount }: TransferOrder,
  waiting: number,
): Promise<Prepared> {
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
 * Throws when the coin does not cover the raised fees: the node would refuse the replacement, while the present form
 * may still be included.
 */
export async function requireCoin(
  node: ChainNode,
  from: string,
  { hash, gas }: SignedTransfer,
  fees: Fees,
): Promise<void> {
  const [coin, dataFee] = await Promise.all([node.coin(from), node.dataFee()])
  const cost = BigInt(gas) * fees.maxFeePerGas + dataFee
  if (coin < cost)
    throw new CustodyError('INSUFFICIENT_BALANCE', `The fees of ${hash} are not raised: ${lowGas(coin, cost)}`)
}

export function lowGas(has: bigint, needs: bigint): string {
  return `The wallet has ${formatEther(has)} of its chain's coin for network fees (gas); a transfer may take ${formatEther(needs)}`
}

function refusedTransfer(error: unknown): never {
  if (isOutage(error)) throw error
  const { shortMessage = 'it gives no reason' } = error as { shortMessage?: string }
  throw new CustodyError('WALLET_CONFIG_ERROR', `The token's contract does not let this transfer pass: ${shortMessage}`)
}

/** Signs; rejects with a CustodyError unless the bytes are exactly the wanted transaction. */
export async function sign(
  account: Awaited<ReturnType<Signer['account']>>,
  order: TransferOrder,
  { data, gas, maxFeePerGas, maxPriorityFeePerGas }: Prepared,
  nonce: number,
  now: number,
): Promise<SignedTransfer> {
  const chainId = Number(order.chainId)
  const wanted = {
    type: 'eip1559',
    chainId,
    to: order.asset as Address,
    data,
    nonce,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } as const
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

export function isLowS(s: Hex | undefined): boolean {
  return s !== undefined && BigInt(s) <= MOST_S
}

async function isExactly(raw: Hex, wanted: Wanted, from: string): Promise<boolean> {
  try {
    const found = parseTransaction(raw)
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as never })
    const same = (['chainId', 'data', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const).every((field) => {
      // Zero fields are absent from the parsed transaction; some chains suggest a zero tip.
      return (found[field as 'gas'] ?? 0n) === wanted[field as 'gas']
    })
    const lists = [found.accessList, found.authorizationList]
    const isBare =
      found.type === 'eip1559' && (found.value ?? 0n) === 0n && lists.every((list) => (list ?? []).length === 0)
    return (
      same &&
      isBare &&
      isLowS(found.s) &&
      (found.nonce ?? 0) === wanted.nonce &&
      isAddressEqual(found.to!, wanted.to) &&
      isAddressEqual(sender, from as Address)
    )
  } catch {
    return false
  }
}

/**
 * Fees high enough for a node to replace `last`; undefined while the market asks for no higher fee and no higher tip
 * than `last` pays, and when they would exceed `mostFee`. Nodes want both raised, whichever of them the market raised.
 */
export function raisedFees(last: SignedTransfer, market: Fees, mostFee: bigint): Fees | undefined {
  const raised = (fee: string): bigint => (BigInt(fee) * 9n) / 8n + 1n
  const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const isFeeEnough = market.maxFeePerGas <= BigInt(last.maxFeePerGas)
  if (isFeeEnough && market.maxPriorityFeePerGas <= BigInt(last.maxPriorityFeePerGas)) return undefined
  const maxFeePerGas = most(market.maxFeePerGas, raised(last.maxFeePerGas))
  if (maxFeePerGas > mostFee) return undefined
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: most(market.maxPriorityFeePerGas, raised(last.maxPriorityFeePerGas)),
  }
}
