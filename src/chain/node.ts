// One chain through its node: what is asked of it, with time limits, and whether it is the chain it should be. It signs
// nothing and remembers nothing but the latest block.
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  type Address,
  type Hex,
  type PublicClient,
  type Transaction,
  type TransactionReceipt,
} from 'viem'
import type { Micros } from '../domain/money.js'
import { CustodyError } from './custody.js'

const PATIENCE_MS = 8_000
/** What a transfer of the token costs at most; more is estimated before one is signed. */
const USUAL_GAS = 80_000n
/** Base and Base Sepolia. */
const OP_STACK = new Set(['8453', '84532'])
const FEE_ORACLE = {
  address: '0x420000000000000000000000000000000000000F',
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
} as const
/** No transfer is longer before it is signed. */
const TRANSFER_BYTES = 200n

export interface NodeConfig {
  chainId: string
  url: string
  /** The token's contract, and how many decimals it has to have. */
  asset: string
  decimals: number
  /** How many blocks deep a transfer counts; 1 is the block that it is in. */
  confirmations: number
  /** The most that is paid for a unit of gas. */
  mostFeeGwei: number
  /** How long the latest block is taken for the latest (ms). */
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

export interface Balances {
  token: Micros
  /** In the chain's own coin, wei. */
  coin: bigint
  block: number
}

export class ChainNode {
  readonly config: NodeConfig
  readonly #client: PublicClient
  #checked: Promise<void> | undefined
  #head: { at: number; number: Promise<bigint> } | undefined

  constructor(config: NodeConfig) {
    this.config = config
    this.#client = createPublicClient({ transport: http(config.url, { retryCount: 0, timeout: PATIENCE_MS }) })
  }

  get asset(): Address {
    return this.config.asset as Address
  }

  /** Throws a CustodyError when the node is not of this chain now, or the token is not the one that amounts are in. */
  async check(): Promise<void> {
    const id = await this.#client.getChainId()
    if (String(id) !== this.config.chainId) {
      throw new CustodyError('WALLET_CONFIG_ERROR', `The node of chain ${this.config.chainId} says that it is of chain ${id}`)
    }
    this.#checked ??= this.#checkToken().catch((error: unknown) => {
      this.#checked = undefined
      throw error
    })
    await this.#checked
  }

  async #checkToken(): Promise<void> {
    const { chainId, decimals } = this.config
    const has = await this.#client
      .readContract({ address: this.asset, abi: erc20Abi, functionName: 'decimals' })
      .catch((error: unknown) => (isOutage(error) ? Promise.reject(error) : -1))
    if (has === decimals) return
    throw new CustodyError('WALLET_CONFIG_ERROR', `No token of ${decimals} decimals is at ${this.asset} on chain ${chainId}`)
  }

  /** The number of the latest block. */
  head(): Promise<bigint> {
    const now = Date.now()
    if (this.#head && now - this.#head.at < this.config.freshMs) return this.#head.number
    const number = this.#client.getBlockNumber({ cacheTime: 0 })
    const head = { at: now, number }
    this.#head = head
    number.catch(() => {
      if (this.#head === head) this.#head = undefined
    })
    return number
  }

  /** Wei. */
  get mostFee(): bigint {
    return BigInt(this.config.mostFeeGwei) * 1_000_000_000n
  }

  /** The token's balance as deep as transfers count, and the coin's of now. */
  async balances(address: string): Promise<Balances> {
    const blockNumber = await this.#deepBlock()
    const [token, coin] = await Promise.all([this.#token(address, blockNumber), this.coin(address)])
    return { token: Math.min(Number(token), Number.MAX_SAFE_INTEGER), coin, block: Number(blockNumber) }
  }

  /** The token's balance now. */
  token(address: string): Promise<bigint> {
    return this.#token(address)
  }

  async #token(address: string, blockNumber?: bigint): Promise<bigint> {
    const wanted = { address: this.asset, abi: erc20Abi, functionName: 'balanceOf', args: [address as Address] } as const
    // Before the token was deployed nobody had any.
    if (blockNumber !== undefined && (await this.#isBare(blockNumber))) return 0n
    return this.#client.readContract(blockNumber === undefined ? wanted : { ...wanted, blockNumber })
  }

  #deployedAt: bigint | undefined

  /** The contract is not there yet at this block. */
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

  /** Nonces of the address that the chain has used: as deep as transfers count, and in the latest block. */
  async usedNonces(address: string): Promise<UsedNonces> {
    const of = { address: address as Address }
    const blockNumber = await this.#deepBlock()
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

  /** The last block that is as deep as transfers have to be. */
  async #deepBlock(): Promise<bigint> {
    const deep = (await this.head()) - BigInt(this.config.confirmations - 1)
    return deep > 0n ? deep : 0n
  }

  /** The gas that a transfer takes; rejects when it would not go through. */
  gas(from: string, data: Hex): Promise<bigint> {
    return this.#client.estimateGas({ account: from as Address, to: this.asset, data })
  }

  /** What a transfer may cost, by rule of thumb. */
  async usualCost(): Promise<bigint> {
    const [{ maxFeePerGas }, dataFee] = await Promise.all([this.fees(), this.dataFee()])
    return USUAL_GAS * maxFeePerGas + dataFee
  }

  /** What an OP-stack chain takes beside the gas, for writing a transfer to the chain below it; nothing elsewhere. */
  async dataFee(): Promise<bigint> {
    if (!OP_STACK.has(this.config.chainId)) return 0n
    return this.#client.readContract({ ...FEE_ORACLE, functionName: 'getL1FeeUpperBound', args: [TRANSFER_BYTES] })
  }

  /** Rejects whenever the node did not say that it took the transaction, whether or not it did. */
  async send(raw: string): Promise<void> {
    await this.#client.request({ method: 'eth_sendRawTransaction', params: [raw as Hex] })
  }

  async receipt(hash: string): Promise<TransactionReceipt | undefined> {
    return this.#client.getTransactionReceipt({ hash: hash as Hex }).catch(absent)
  }

  /** It is in a block or waits to be. */
  async knows(hash: string): Promise<boolean> {
    return (await this.#client.getTransaction({ hash: hash as Hex }).catch(absent)) !== undefined
  }

  /** The hash of the block that is at this number in the chain as it is now. */
  async canonical(number: bigint): Promise<Hex | undefined> {
    const block = await this.#client.getBlock({ blockNumber: number }).catch(absent)
    return block?.hash ?? undefined
  }

  /** When the block was made, by its own word, epoch ms. */
  async timeOf(blockHash: Hex): Promise<number> {
    const { timestamp } = await this.#client.getBlock({ blockHash })
    return Number(timestamp * MS_PER_SECOND)
  }
}

const MS_PER_SECOND = 1000n

const ABSENT = new Set(['TransactionReceiptNotFoundError', 'TransactionNotFoundError', 'BlockNotFoundError'])

function absent(error: Error): undefined {
  if (!ABSENT.has(error.name)) throw error
}

/** How the library calls it when a contract, asked by the node, said no or is none. */
const REFUSALS = /^(ExecutionRevertedError|ContractFunctionRevertedError|ContractFunctionZeroDataError|AbiDecoding\w+)$/

/** The contract was not asked, as opposed to: it said no. Nodes that ask too much of refuse calls in many ways. */
export function isOutage(error: unknown): boolean {
  const names: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) names.push(cause.name)
  return names.includes('InternalRpcError') || !names.some((name) => REFUSALS.test(name))
}

export function transferData(to: string, amount: Micros): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, BigInt(amount)] })
}
