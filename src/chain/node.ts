// The JSON-RPC client of one chain: its calls, with timeouts, and a check that the node is on the right chain. It signs
// nothing and caches only the latest block, the chain's id and facts about the token.
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  http,
  parseAbi,
  type Address,
  type Hex,
  type PublicClient,
  type Transaction,
  type TransactionReceipt,
} from 'viem'
import type { Micros } from '../domain/values/money.js'
import { CustodyError } from './custody.js'
import { CachedFor } from './cachedFor.js'

const TIMEOUT_MS = 8_000
/** The usual upper bound for a token transfer; before signing, gas is estimated exactly. */
const USUAL_GAS = 80_000n
/** Base and Base Sepolia. */
const OP_STACK = new Set(['8453', '84532'])
const FEE_ORACLE = {
  address: '0x420000000000000000000000000000000000000F',
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
} as const
/** Upper bound for the size of an unsigned transfer. */
const TRANSFER_BYTES = 200n

export interface NodeConfig {
  chainId: string
  url: string
  /** The token's contract, which must have this many decimals. */
  asset: string
  decimals: number
  /** The depth in blocks at which a transfer counts; 1 is the block that contains it. */
  confirmations: number
  /** The highest fee paid for a unit of gas. */
  mostFeeGwei: number
  /** How long the latest block and the chain's id are cached (ms). */
  freshMs: number
}

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface UsedNonces {
  deep: number
  latest: number
}

export interface TransferLog {
  from: string
  to: string
  amount: Micros
  txHash: string
  logIndex: number
  block: number
  blockHash: Hex
}

export interface AuthorizationUse {
  txHash: string
  block: number
}

export interface Balances {
  token: Micros
  /** The chain's own coin, in wei. */
  coin: bigint
  block: number
}

export class ChainNode {
  readonly config: NodeConfig
  readonly #client: PublicClient
  #checked: Promise<void> | undefined
  readonly #head: CachedFor<bigint>
  readonly #chainId: CachedFor<number>

  /** `mayAct` throws where this process must ask the chain nothing any more. */
  constructor(config: NodeConfig, mayAct = (): void => {}) {
    const transport = http(config.url, { retryCount: 0, timeout: TIMEOUT_MS, onFetchRequest: () => mayAct() })
    const client = createPublicClient({ transport })
    this.config = config
    this.#client = client
    this.#head = new CachedFor(() => client.getBlockNumber({ cacheTime: 0 }), config.freshMs)
    this.#chainId = new CachedFor(() => client.getChainId(), config.freshMs)
  }

  get asset(): Address {
    return this.config.asset as Address
  }

  /** Throws a CustodyError when the node is on another chain, or the token does not have the expected decimals. */
  async check(): Promise<void> {
    this.#requireChain(await this.#client.getChainId())
    this.#checked ??= this.#checkToken().catch((error: unknown) => {
      this.#checked = undefined
      throw error
    })
    await this.#checked
  }

  /** Throws a CustodyError when the node is on another chain; its id may be as old as the latest block. */
  async checkChain(): Promise<void> {
    this.#requireChain(await this.#chainId.get())
  }

  #requireChain(id: number): void {
    const { chainId } = this.config
    if (String(id) === chainId) return
    throw new CustodyError('WALLET_CONFIG_ERROR', `The node of chain ${chainId} says that it is of chain ${id}`)
  }

  async #checkToken(): Promise<void> {
    const { chainId, decimals } = this.config
    const has = await this.#client
      .readContract({ address: this.asset, abi: erc20Abi, functionName: 'decimals' })
      .catch((error: unknown) => (isOutage(error) ? Promise.reject(error) : -1))
    if (has === decimals) return
    throw new CustodyError(
      'WALLET_CONFIG_ERROR',
      `No token of ${decimals} decimals is at ${this.asset} on chain ${chainId}`,
    )
  }

  head(): Promise<bigint> {
    return this.#head.get()
  }

  /** Wei. */
  get mostFee(): bigint {
    return BigInt(this.config.mostFeeGwei) * 1_000_000_000n
  }

  /** The token's balance at confirmation depth, and the coin's balance now. */
  async balances(address: string): Promise<Balances> {
    const blockNumber = await this.deepBlock()
    const [token, coin] = await Promise.all([this.#token(address, blockNumber), this.coin(address)])
    return { token: Math.min(Number(token), Number.MAX_SAFE_INTEGER), coin, block: Number(blockNumber) }
  }

  token(address: string): Promise<bigint> {
    return this.#token(address)
  }

  async #token(address: string, blockNumber?: bigint): Promise<bigint> {
    const wanted = {
      address: this.asset,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address as Address],
    } as const
    // Before the token was deployed, every balance was zero.
    if (blockNumber !== undefined && (await this.#isBare(blockNumber))) return 0n
    return this.#client.readContract(blockNumber === undefined ? wanted : { ...wanted, blockNumber })
  }

  #deployedAt: bigint | undefined

  /** True when the token's contract is not deployed yet at this block. */
  async #isBare(blockNumber: bigint): Promise<boolean> {
    if (this.#deployedAt !== undefined && blockNumber >= this.#deployedAt) return false
    const code = await this.#client.getCode({ address: this.asset, blockNumber })
    if (code === undefined) return true
    this.#deployedAt = blockNumber
    return false
  }

  coin(address: string): Promise<bigint> {
    return this.#client.getBalance({ address: address as Address })
  }

  fees(): Promise<Fees> {
    return this.#client.estimateFeesPerGas()
  }

  /** How many nonces of the address the chain has used: at confirmation depth, and in the latest block. */
  async usedNonces(address: string): Promise<UsedNonces> {
    const of = { address: address as Address }
    const blockNumber = await this.deepBlock()
    const [deep, latest] = await Promise.all([
      this.#client.getTransactionCount({ ...of, blockNumber }),
      this.#client.getTransactionCount({ ...of, blockTag: 'latest' }),
    ])
    return { deep, latest }
  }

  /** How many nonces of the address the chain had used at this block. */
  nonceAt(address: string, blockNumber: bigint): Promise<number> {
    return this.#client.getTransactionCount({ address: address as Address, blockNumber })
  }

  async transactionsIn(blockNumber: bigint): Promise<readonly Transaction[]> {
    return (await this.#client.getBlock({ blockNumber, includeTransactions: true })).transactions
  }

  /** The latest block at confirmation depth. */
  async deepBlock(): Promise<bigint> {
    const deep = (await this.head()) - BigInt(this.config.confirmations - 1)
    return deep > 0n ? deep : 0n
  }

  /** The gas estimate of a transfer; rejects when the transfer would revert. */
  gas(from: string, data: Hex): Promise<bigint> {
    return this.#client.estimateGas({ account: from as Address, to: this.asset, data })
  }

  /** A rough estimate of a transfer's cost in wei. */
  async usualCost(): Promise<bigint> {
    const [{ maxFeePerGas }, dataFee] = await Promise.all([this.fees(), this.dataFee()])
    return USUAL_GAS * maxFeePerGas + dataFee
  }

  /** The L1 data fee of a transfer on an OP-stack chain, in wei; zero on other chains. */
  async dataFee(): Promise<bigint> {
    if (!OP_STACK.has(this.config.chainId)) return 0n
    return this.#client.readContract({ ...FEE_ORACLE, functionName: 'getL1FeeUpperBound', args: [TRANSFER_BYTES] })
  }

  /** Broadcasts a transaction. Rejects unless the node confirms that it took it; it may have taken it all the same. */
  async send(raw: string): Promise<void> {
    await this.#client.request({ method: 'eth_sendRawTransaction', params: [raw as Hex] })
  }

  async receipt(hash: string): Promise<TransactionReceipt | undefined> {
    return this.#client.getTransactionReceipt({ hash: hash as Hex }).catch(absent)
  }

  /** True when the transaction is in a block or in the mempool. */
  async knows(hash: string): Promise<boolean> {
    return (await this.#client.getTransaction({ hash: hash as Hex }).catch(absent)) !== undefined
  }

  /** The hash of the canonical block at this number. */
  async canonical(number: bigint): Promise<Hex | undefined> {
    const block = await this.#client.getBlock({ blockNumber: number }).catch(absent)
    return block?.hash ?? undefined
  }

  /** The token's transfers from these addresses, in the blocks from one to the other, both included. */
  async transfersFrom(addresses: readonly string[], from: number, to: number): Promise<TransferLog[]> {
    const logs = await this.#client.getLogs({
      address: this.asset,
      event: TRANSFER,
      args: { from: addresses as Address[] },
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
      strict: true,
    })
    return logs.map(({ args, blockNumber, blockHash, transactionHash, logIndex }) => ({
      from: args.from,
      to: args.to,
      amount: Math.min(Number(args.value), Number.MAX_SAFE_INTEGER),
      txHash: transactionHash,
      logIndex,
      block: Number(blockNumber),
      blockHash,
    }))
  }

  /** Whether the token had used an authorization (EIP-3009) of the address, as of a block. */
  isAuthorizationUsed(authorizer: string, nonce: string, blockNumber: bigint): Promise<boolean> {
    const args = [authorizer as Address, nonce as Hex] as const
    const functionName = 'authorizationState'
    return this.#client.readContract({ address: this.asset, abi: AUTHORIZATIONS, functionName, args, blockNumber })
  }

  /** The use of an authorization, in the blocks from one to the other, both included. */
  async authorizationUse(
    authorizer: string,
    nonce: string,
    from: number,
    to: number,
  ): Promise<AuthorizationUse | undefined> {
    const [use] = await this.#client.getLogs({
      address: this.asset,
      event: AUTHORIZATION_USED,
      args: { authorizer: authorizer as Address, nonce: nonce as Hex },
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
      strict: true,
    })
    return use && { txHash: use.transactionHash, block: Number(use.blockNumber) }
  }

  /** The own timestamp of the block of this number, epoch ms. */
  async timeAt(block: number): Promise<number> {
    const { timestamp } = await this.#client.getBlock({ blockNumber: BigInt(block) })
    return Number(timestamp * MS_PER_SECOND)
  }

  /** The block's own timestamp, epoch ms. */
  async timeOf(blockHash: Hex): Promise<number> {
    const { timestamp } = await this.#client.getBlock({ blockHash })
    return Number(timestamp * MS_PER_SECOND)
  }
}

const MS_PER_SECOND = 1000n
const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

const AUTHORIZATIONS = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])
export const AUTHORIZATION_USED = getAbiItem({ abi: AUTHORIZATIONS, name: 'AuthorizationUsed' })

const ABSENT = new Set(['TransactionReceiptNotFoundError', 'TransactionNotFoundError', 'BlockNotFoundError'])

function absent(error: Error): undefined {
  if (!ABSENT.has(error.name)) throw error
}

/** viem's error names for a contract that reverted or does not exist. */
const REFUSALS = /^(ExecutionRevertedError|ContractFunctionRevertedError|ContractFunctionZeroDataError|AbiDecoding\w+)$/

/** True unless the contract itself refused the call. Overloaded nodes fail in many ways, so all other errors count. */
export function isOutage(error: unknown): boolean {
  const names: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) names.push(cause.name)
  return names.includes('InternalRpcError') || !names.some((name) => REFUSALS.test(name))
}

export function transferData(to: string, amount: Micros): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, BigInt(amount)] })
}
