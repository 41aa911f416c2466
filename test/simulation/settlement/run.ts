// Live settlement from one seed: the steps that sign, send and follow transfers, on the real host and charts, with a
// chain that reorganizes, nodes that lie and a provider that answers when it likes, while the service restarts.
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256, toHex } from 'viem/utils'
import { charts } from '../../../machines/index.js'
import { isOf, type Actor } from '../../../src/actor/actor.js'
import { deliver, deliverIf, viewOn } from '../../../src/actor/host.js'
import { metaOfActor } from '../../../src/actor/turn.js'
import { Accounts } from '../../../src/chain/accounts.js'
import type { Custody } from '../../../src/chain/custody.js'
import { settlementMessage, TransferSteps, type Tell } from '../../../src/chain/transferSteps.js'
import { SETTLEMENT } from '../../../src/domain/audit/entry.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { permanentKey } from '../../../src/domain/values/uniqueKeys.js'
import type { Reply } from '../../../src/actor/attempt.js'
import {
  createAgent,
  createDelegation,
  createOrganization,
  createWallet,
  request,
  say,
  setStatus,
  type Letter,
  type Stamp,
} from '../../support/messages.js'
import { Random } from '../../support/random.js'
import { StoredHost } from '../../support/storedHost.js'
import { outcomeOf, stepsIn, type Options, type Outcome } from '../outcome.js'
import { Violated } from '../violated.js'
import { ASSET, SimulatedChain } from './chain.js'
import { CHAIN_ID, LyingNode } from './node.js'
import { SimulatedProvider } from './provider.js'
import { chainAgrees, Nonces } from './truths.js'

const BY = { type: 'test', id: 'client' }
const ORGANIZATION = 'o0'
const AGENT = 'a0'
const RECIPIENT = '0x00000000000000000000000000000000000000A1'
/** Monday, 2026-03-02, 00:00 UTC. */
const START = 1_772_409_600_000
const SECOND = 1_000
const MINUTE = 60 * SECOND
const STRIDE = 100_003
const FUNDS = 400_000_000
/** Less deep than what is final. */
const DEEPEST_REORG = 9
const CALM = 60
const NOBODY = { name: 'nobody', source: 'nowhere', date: '2026-03-02', addresses: new Set<string>() }

/** The two wallets: the service signs from one, a provider sends from the other. */
const WALLETS = ['MANAGED', 'PROVIDER_A'] as const

class Run {
  readonly trace: string[] = []
  readonly #random: Random
  readonly #seed: number
  readonly #chain: SimulatedChain
  readonly #node: LyingNode
  readonly #provider: SimulatedProvider
  readonly #signer: ReturnType<typeof privateKeyToAccount>
  readonly #nonces = new Nonces()
  readonly #stored: StoredHost
  readonly #actors = new Map<Ref, Actor>()
  #steps!: TransferSteps
  #now = START
  #payments = 0
  #broken: unknown

  constructor(seed: number) {
    const random = new Random(seed)
    this.#seed = seed
    this.#random = random
    this.#chain = new SimulatedChain(random, START)
    this.#node = new LyingNode(this.#chain, random)
    this.#provider = new SimulatedProvider(this.#chain, random, keccak256(toHex(`provider ${seed}`)))
    this.#signer = privateKeyToAccount(keccak256(toHex(`wallet ${seed}`)))
    this.#stored = new StoredHost(charts, (change) => {
      for (const { after } of change.actors) this.#actors.set(after.ref, after)
      try {
        this.#nonces.committed(change)
      } catch (error) {
        this.#broken ??= error
      }
    })
  }

  async play(steps: Iterable<number>): Promise<void> {
    await this.#setUp()
    for (const step of steps) {
      this.#random.restart(this.#seed * STRIDE + step)
      await this.#step()
      this.#demandWhole()
    }
    await this.#calm()
    chainAgrees(this.#chain, this.#actors.values())
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  async #setUp(): Promise<void> {
    this.#open()
    const stamp = this.#stamp()
    await this.#send(createOrganization(stamp))
    await this.#send(createAgent(stamp, AGENT, AGENT))
    for (const custody of WALLETS) {
      const address = this.#addressOf(custody)
      this.#chain.give(address, FUNDS)
      await this.#send(createWallet(stamp, custody, address))
      await this.#send(say('OBSERVE', `wallet/${custody}`, stamp, { balance: FUNDS, block: 0, lowGas: null }))
      await this.#send(createDelegation(stamp, `d${custody}`, { agentId: AGENT, walletId: custody }, {}))
    }
  }

  /** Like a process that begins. */
  #open(): void {
    const { host } = this.#stored
    const now = (): number => this.#now
    this.#steps = new TransferSteps({
      metaOf: (actor) => metaOfActor(charts, actor),
      accounts: new Accounts(host, now),
      nodes: new Map([[CHAIN_ID, this.#node.asChainNode]]),
      custody: (type) => this.#custody(type),
      sanctions: () => NOBODY,
      objection: async () => undefined,
      take: async ({ key, ...owner }) => {
        const attempt = host.attempt(SETTLEMENT)!
        const isTaken = attempt.take(permanentKey(key), owner)
        await (isTaken ? attempt.commit() : attempt.drop())
        return isTaken
      },
      look: async (refs) => viewOn(await host.read(refs)),
      now,
      replaceAfterMs: MINUTE,
    })
  }

  #custody(type: string): Custody {
    if (type === 'PROVIDER_A') return this.#provider
    return { kind: 'signer', account: async () => this.#signer }
  }

  #addressOf(custody: (typeof WALLETS)[number]): string {
    return custody === 'MANAGED' ? this.#signer.address : this.#provider.address
  }

  async #step(): Promise<void> {
    const random = this.#random
    this.#now += random.below(20 * SECOND)
    const lot = random.below(100)
    if (lot < 18) return this.#pay()
    if (lot < 60) return this.#attend()
    if (lot < 80) return this.#mine(random.pick([0, 0.3]))
    if (lot < 84) return this.#reorganize()
    if (lot < 87) return this.#note('the mempool forgets', () => this.#chain.drop())
    if (lot < 90) return this.#note('fees rise', () => this.#node.raiseFees())
    if (lot < 94) return this.#execute()
    if (lot < 96) return this.#moderate()
    if (lot < 98) return this.#restart()
    this.#now += random.pick([MINUTE, 10 * MINUTE])
  }

  async #pay(): Promise<void> {
    const custody = this.#random.pick(WALLETS)
    this.#payments += 1
    const id = `p${this.#payments}`
    const parties = { agentId: AGENT, walletId: custody, delegationId: `d${custody}`, address: RECIPIENT }
    // No two have the same amount: it tells them apart on the chain.
    const amount = (5 + this.#random.below(30)) * 1_000_000 + this.#payments
    const asked = { id, ...parties, amount, transfer: 'own', autoExecute: this.#random.chance(0.8) } as const
    const letter = request(this.#stamp(), asked)
    const { fields } = letter.message as unknown as { fields: { terms: object } }
    const wallet = { id: custody, address: this.#addressOf(custody), chainId: CHAIN_ID, custodyType: custody }
    Object.assign(fields.terms, { asset: ASSET, wallet })
    await this.#send(letter)
  }

  async #execute(): Promise<void> {
    const approved = this.#waiting((state) => state === 'approved')
    if (approved.length > 0) await this.#send(say('EXECUTE', this.#random.pick(approved).ref, this.#stamp()))
  }

  async #moderate(): Promise<void> {
    await this.#send(setStatus(this.#stamp(), AGENT, this.#random.pick(['PAUSE', 'ACTIVATE', 'ACTIVATE'])))
  }

  /** The service goes on with some of the transfers. */
  async #attend(): Promise<void> {
    const called = this.#waiting((_, actor) => metaOfActor(charts, actor).call !== undefined)
    if (called.length === 0) return
    const count = 1 + this.#random.below(called.length)
    for (let left = count; left > 0; left -= 1) await this.#follow(this.#random.pick(called).ref)
  }

  async #follow(ref: Ref): Promise<void> {
    const actor = this.#stored.host.peek(ref)
    const call = actor && metaOfActor(charts, actor).call
    if (!isOf('payment', actor) || call === undefined) return
    const tell: Tell<Reply> = (said, unchanged) =>
      deliverIf(this.#stored.host, SETTLEMENT, unchanged, ref, settlementMessage(said, this.#now, ORGANIZATION))
    try {
      const reply = await this.#steps.answer(actor as Actor<'payment'>, call, tell)
      this.#say(`${call} of ${ref}: ${reply?.actor.state ?? 'nothing new'}`)
    } catch (error) {
      if (error instanceof Violated) throw error
      this.#say(`${call} of ${ref}: ${(error as Error).message}`)
    }
  }

  async #mine(leaves: number): Promise<void> {
    await this.#provider.work()
    this.#chain.mine(this.#now, leaves)
    const { number, mined } = this.#chain.head
    this.#say(`block ${number} has ${mined.map(({ amount, nonce }) => `${amount} (nonce ${nonce})`).join(', ')}`)
  }

  #reorganize(): void {
    const depth = 1 + this.#random.below(DEEPEST_REORG)
    this.#note(`the last ${depth} blocks are replaced`, () => this.#chain.reorganize(depth, this.#now))
  }

  async #restart(): Promise<void> {
    this.#say('the service restarts')
    await this.#stored.restart()
    this.#open()
  }

  /** The chain stands still where it is, and everybody says the truth. */
  async #calm(): Promise<void> {
    this.#node.heal()
    this.#provider.heal()
    await this.#send(setStatus(this.#stamp(), AGENT, 'ACTIVATE'))
    for (let round = 0; round < CALM; round += 1) {
      this.#now += 2 * MINUTE
      for (const { ref } of this.#waiting((_, actor) => metaOfActor(charts, actor).call !== undefined)) {
        await this.#follow(ref)
      }
      await this.#mine(0)
      this.#demandWhole()
    }
  }

  #demandWhole(): void {
    const broken = this.#broken ?? this.#provider.violated
    if (broken) throw broken
  }

  #waiting(isMeant: (state: string, actor: Actor) => boolean): Actor[] {
    return [...this.#actors.values()].filter((actor) => isOf('payment', actor) && isMeant(actor.state, actor))
  }

  async #send({ to, message }: Letter): Promise<void> {
    const reply = await deliver(this.#stored.host, BY, to, message)
    this.#say(`${message.type} to ${to}: ${reply.ok ? reply.actor.state : reply.code}`)
  }

  #stamp(): Stamp {
    return { organization: ORGANIZATION, now: this.#now }
  }

  #note(what: string, change: () => void): void {
    this.#say(what)
    change()
  }

  #say(what: string): void {
    this.trace.push(`${String(this.#now - START).padStart(10)} ms  ${what}`)
  }
}

/** Plays the steps of a seed, or only those that are given. */
export function simulateSettlement(seed: number, options: Options = {}): Promise<Outcome> {
  const run = new Run(seed)
  const { trace } = run
  return outcomeOf(seed, stepsIn(options, 150), {
    play: (steps) => run.play(steps),
    end: () => run.close(),
    commands: () => trace.length,
    trace,
  })
}
