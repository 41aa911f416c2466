// A node of the simulated chain, as bad as nodes are: it does not answer, lags behind, has never heard of what it was
// given, or says that it refused what it took.
import type { Hex, TransactionReceipt } from 'viem'
import { CustodyError } from '../../../src/chain/custody.js'
import type { ChainNode, Fees } from '../../../src/chain/node.js'
import type { Random } from '../../support/random.js'
import { ASSET, logOf, type SimulatedChain } from './chain.js'

export const CHAIN_ID = '84532'
const CONFIRMATIONS = 3
const GWEI = 1_000_000_000n
const COIN = 10n ** 18n

export class LyingNode {
  readonly config = {
    chainId: CHAIN_ID,
    url: '',
    asset: ASSET,
    decimals: 6,
    freshMs: 0,
    mostFeeGwei: 100,
    confirmations: CONFIRMATIONS,
  }
  readonly asset = ASSET
  readonly dataFee = async (): Promise<bigint> => 0n
  readonly coin = async (): Promise<bigint> => COIN
  readonly usualCost = async (): Promise<bigint> => 1n
  readonly #chain: SimulatedChain
  readonly #random: Random
  /** How often it says something wrong or nothing. */
  #lies: number
  #fee = GWEI

  constructor(chain: SimulatedChain, random: Random) {
    this.#chain = chain
    this.#random = random
    this.#lies = random.pick([0, 0.05, 0.2])
  }

  get asChainNode(): ChainNode {
    return this as unknown as ChainNode
  }

  get mostFee(): bigint {
    return 100n * GWEI
  }

  /** It is as it should be from now on. */
  heal(): void {
    this.#lies = 0
  }

  raiseFees(): void {
    this.#fee = (this.#fee * 5n) / 4n
  }

  async check(): Promise<void> {
    this.#answer()
  }

  async checkChain(): Promise<void> {
    this.#answer()
  }

  async head(): Promise<bigint> {
    return BigInt(this.#seen())
  }

  async deepBlock(): Promise<bigint> {
    return BigInt(Math.max(0, this.#seen() - CONFIRMATIONS + 1))
  }

  async fees(): Promise<Fees> {
    this.#answer()
    return { maxFeePerGas: this.#fee, maxPriorityFeePerGas: this.#fee / 10n }
  }

  async token(address: string): Promise<bigint> {
    return BigInt(this.#chain.balance(address, this.#seen()))
  }

  async gas(): Promise<bigint> {
    this.#answer()
    return 50_000n
  }

  async usedNonces(address: string): Promise<{ deep: number; latest: number }> {
    const seen = this.#seen()
    const deep = this.#chain.nonces(address, Math.max(0, seen - CONFIRMATIONS + 1))
    return { deep, latest: this.#chain.nonces(address, seen) }
  }

  async nonceAt(address: string, block: bigint): Promise<number> {
    this.#answer()
    return this.#chain.nonces(address, Number(block))
  }

  async transactionsIn(block: bigint): Promise<unknown[]> {
    this.#answer()
    return this.#chain.blocks[Number(block)]?.mined.map(({ hash, from, nonce }) => ({ hash, from, nonce })) ?? []
  }

  /** It may have taken it all the same. */
  async send(raw: string): Promise<void> {
    this.#answer()
    await this.#chain.take(raw as Hex)
    this.#answer()
  }

  async knows(hash: string): Promise<boolean> {
    return this.#chain.waits(hash) || this.#chain.find(hash, this.#seen()) !== undefined
  }

  async receipt(hash: string): Promise<TransactionReceipt | undefined> {
    const found = this.#chain.find(hash, this.#seen())
    if (!found) return undefined
    const { block, mined } = found
    const receipt = {
      transactionHash: hash,
      blockNumber: BigInt(block.number),
      blockHash: block.hash,
      status: mined.isSuccess ? 'success' : 'reverted',
      logs: mined.isSuccess ? [logOf(mined, 0)] : [],
    }
    return receipt as unknown as TransactionReceipt
  }

  async canonical(number: bigint): Promise<Hex | undefined> {
    this.#answer()
    return this.#chain.blocks[Number(number)]?.hash
  }

  #answer(): void {
    if (this.#random.chance(this.#lies)) throw new CustodyError('UNAVAILABLE', 'The node does not answer')
  }

  /** The last block that it has heard of. */
  #seen(): number {
    this.#answer()
    const lag = this.#random.chance(this.#lies) ? this.#random.below(4) : 0
    return Math.max(0, this.#chain.head.number - lag)
  }
}
