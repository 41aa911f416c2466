// A chain of the simulation: a mempool, blocks with transfers of one token, and reorganizations that drop blocks, whose
// transfers come again or are lost. It says the truth; nodes.ts lies about it.
import { encodeAbiParameters, encodeEventTopics, erc20Abi, recoverTransactionAddress, type Hex } from 'viem'
import { decodeFunctionData, keccak256, parseTransaction } from 'viem/utils'
import type { Random } from '../../support/random.js'

/** A transfer that somebody signed. */
export interface Sent {
  hash: Hex
  from: string
  to: string
  amount: number
  nonce: number
  fee: bigint
}

export interface Mined extends Sent {
  isSuccess: boolean
}

export interface Block {
  number: number
  hash: Hex
  /** Epoch ms. */
  at: number
  mined: Mined[]
}

export const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

export class SimulatedChain {
  readonly #random: Random
  readonly #tokens = new Map<string, number>()
  readonly #mempool = new Map<Hex, Sent>()
  blocks: Block[] = []
  #made = 0

  constructor(random: Random, now: number) {
    this.#random = random
    this.#append(now, [])
  }

  get head(): Block {
    return this.blocks.at(-1)!
  }

  give(address: string, amount: number): void {
    this.#tokens.set(address.toLowerCase(), amount)
  }

  /** What an address has after the block of this number. */
  balance(address: string, number = this.head.number): number {
    const own = address.toLowerCase()
    const moved = this.#minedUntil(number).filter(({ isSuccess }) => isSuccess)
    const out = moved.filter(({ from }) => from === own).reduce((sum, { amount }) => sum + amount, 0)
    return (this.#tokens.get(own) ?? 0) - out
  }

  /** How many nonces of an address are used. */
  nonces(address: string, number = this.head.number): number {
    return this.#minedUntil(number).filter(({ from }) => from === address.toLowerCase()).length
  }

  find(hash: string, number = this.head.number): { block: Block; mined: Mined } | undefined {
    for (const block of this.blocks.slice(0, number + 1)) {
      const mined = block.mined.find((one) => one.hash === hash)
      if (mined) return { block, mined }
    }
    return undefined
  }

  waits(hash: string): boolean {
    return this.#mempool.has(hash as Hex)
  }

  /** Takes signed bytes; throws where the nonce is used. */
  async take(raw: Hex): Promise<void> {
    const sent = await decoded(raw)
    if (this.find(sent.hash)) throw new Error('already known')
    if (sent.nonce < this.nonces(sent.from)) throw new Error('nonce too low')
    this.#mempool.set(sent.hash, sent)
  }

  /** A block with what may be in it, of which some is left for later. */
  mine(now: number, leaves: number): void {
    const mined: Mined[] = []
    for (const from of new Set([...this.#mempool.values()].map((sent) => sent.from))) {
      for (let nonce = this.nonces(from); !this.#random.chance(leaves); nonce += 1) {
        const next = this.#best(from, nonce)
        if (!next) break
        const spent = mined.filter((one) => one.from === from).reduce((sum, { amount }) => sum + amount, 0)
        mined.push({ ...next, isSuccess: this.balance(from) - spent >= next.amount })
        this.#forget(from, nonce)
      }
    }
    this.#append(now, mined)
  }

  /** Other blocks take the place of the last ones. What was in them waits again, or is lost. */
  reorganize(depth: number, now: number): void {
    const dropped = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    for (const one of dropped.flatMap(({ mined }) => mined)) {
      if (this.#random.chance(0.7)) this.#mempool.set(one.hash, one)
    }
    for (const _ of dropped) this.#append(now, [])
  }

  /** The mempool forgets some of what waits. */
  drop(): void {
    for (const hash of this.#mempool.keys()) if (this.#random.chance(0.5)) this.#mempool.delete(hash)
  }

  #best(from: string, nonce: number): Sent | undefined {
    const offers = [...this.#mempool.values()].filter((sent) => sent.from === from && sent.nonce === nonce)
    return offers.sort((a, b) => (a.fee > b.fee ? -1 : 1))[0]
  }

  #forget(from: string, nonce: number): void {
    for (const [hash, sent] of this.#mempool) {
      if (sent.from === from && sent.nonce <= nonce) this.#mempool.delete(hash)
    }
  }

  #append(at: number, mined: Mined[]): void {
    this.#made += 1
    const hash = `0x${String(this.#made).padStart(64, '0')}` as const
    this.blocks.push({ number: this.blocks.length, hash, at, mined })
  }

  #minedUntil(number: number): Mined[] {
    return this.blocks.slice(0, number + 1).flatMap(({ mined }) => mined)
  }
}

async function decoded(raw: Hex): Promise<Sent> {
  const { nonce = 0, data, maxFeePerGas = 0n } = parseTransaction(raw)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as never })
  const [to, amount] = decodeFunctionData({ abi: erc20Abi, data: data! }).args as [string, bigint]
  return { hash: keccak256(raw), from: from.toLowerCase(), to, amount: Number(amount), nonce, fee: maxFeePerGas }
}

/** The token's own log of a transfer. */
export function logOf({ from, to, amount }: Sent, logIndex: number) {
  const args = { from: from as Hex, to: to as Hex }
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args })
  return { address: ASSET, topics, data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(amount)]), logIndex }
}
