// A custody provider that sends transfers itself: once for each key, and sometimes it says nothing, refuses, or names the
// hash only later.
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import type { Hex } from 'viem'
import type { Submission, SubmittedOrder, Submitter } from '../../../src/chain/custody.js'
import { transferData } from '../../../src/chain/node.js'
import type { Random } from '../../support/random.js'
import { Violated } from '../violated.js'
import { ASSET, type SimulatedChain } from './chain.js'

export class SimulatedProvider implements Submitter {
  readonly kind = 'submitter'
  readonly id = 'provider'
  /** What it was asked for and should not have been: whoever asks takes an error for an unknown outcome. */
  violated: Violated | undefined
  readonly #chain: SimulatedChain
  readonly #random: Random
  readonly #account: ReturnType<typeof privateKeyToAccount>
  readonly #known = new Map<string, Submission>()
  readonly #unsent: Hex[] = []
  #nonce = 0
  #fails: number

  constructor(chain: SimulatedChain, random: Random, privateKey: Hex) {
    this.#chain = chain
    this.#random = random
    this.#account = privateKeyToAccount(privateKey)
    this.#fails = random.pick([0, 0.2])
  }

  get address(): string {
    return this.#account.address
  }

  heal(): void {
    this.#fails = 0
  }

  async submit({ to, amount }: SubmittedOrder, key: string): Promise<Submission> {
    const known = this.#known.get(key)
    this.#notice(known?.is !== 'refused', `${key} was refused, and is submitted again`)
    if (this.#random.chance(this.#fails)) throw new Error('The provider does not answer')
    if (known) return known
    const isRefused = this.#random.chance(this.#fails)
    const refused = { is: 'refused', code: 'INSUFFICIENT_BALANCE', message: 'It has too little' } as const
    this.#known.set(key, isRefused ? refused : await this.#accepted(to, amount))
    if (this.#random.chance(this.#fails)) throw new Error('The provider does not answer')
    return this.#known.get(key)!
  }

  async status(key: string): Promise<Submission> {
    if (this.#random.chance(this.#fails)) throw new Error('The provider does not answer')
    return this.#known.get(key) ?? { is: 'absent' }
  }

  /** What it has agreed to gets into the chain, and again where that has lost it. */
  async work(): Promise<void> {
    for (const raw of this.#unsent) {
      const hash = keccak256(raw)
      if (!this.#chain.waits(hash) && !this.#chain.find(hash)) await this.#chain.take(raw).catch(() => {})
    }
  }

  #notice(holds: boolean, detail: string): void {
    if (!holds) this.violated ??= new Violated('current', detail)
  }

  async #accepted(to: string, amount: number): Promise<Submission> {
    const nonce = this.#nonce
    this.#nonce += 1
    const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n, gas: 65_000n, chainId: 84_532 }
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      to: ASSET,
      data: transferData(to, amount),
      nonce,
      ...fees,
    } as never)
    this.#unsent.push(raw)
    return { is: 'accepted', txHash: keccak256(raw) }
  }
}
