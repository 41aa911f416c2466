// Seeded clients of a few organizations: they request payments against tight limits and small balances, execute, cancel
// and repeat them, while admins pause, freeze, block, revoke, rename, change limits, and edit, roll back and assign
// policies. They know nothing but the answers that they got.
import type { PolicyContext } from '../../machines/policy.js'
import type { Reply } from '../../src/actor/host.js'
import type { SimulatedHost } from '../../src/host/simulated.js'
import type { Random } from '../support/random.js'
import type { DelegationTerms } from '../../src/domain/delegation.js'
import type { Ref } from '../../src/domain/gate.js'
import type { Outcome } from '../../src/domain/payment.js'
import type { PolicyDefinition } from '../../src/domain/policy.js'
import {
  assignAgent,
  claimOf,
  configure,
  createAgent,
  createCounterparty,
  createDelegation,
  createOrganization,
  createPolicy,
  createWallet,
  fund,
  rename,
  replaceRules,
  request,
  rollBack,
  say,
  setStatus,
  unassignAgent,
  upsertCounterparty,
  type Asked,
  type Demands,
  type Letter,
  type Pair,
  type Stamp,
} from '../host/messages.js'
import { decision, PEOPLE, requestOf } from './approvals.js'
import { definitionOf, demandsOn, reviewOf, someRules } from './policies.js'

/** What the people of one organization know. */
interface Organization {
  id: string
  agents: string[]
  wallets: string[]
  addresses: string[]
  delegations: (Pair & { id: string })[]
  /** Requested payments, answered or not. */
  asked: Asked[]
  /** Payments that were answered as approved. */
  approved: Asked[]
  /** Payments that were answered as waiting for a person. */
  waiting: Asked[]
  timezone: string
  /** Definitions that its policies have had. */
  definitions: PolicyDefinition[]
}

type Parties = Pick<Asked, 'agentId' | 'walletId' | 'delegationId' | 'address'>

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BY = { type: 'test', id: 'client' }
const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo']
/** How many of the latest payments clients still act on. */
const LATEST = 4
const OUTCOMES: Outcome[] = ['APPROVED', 'APPROVED', 'APPROVED', 'REQUIRES_APPROVAL', 'REQUIRES_APPROVAL', 'DENIED']
/** The policies of each organization: one covers all of its agents, the others those that they are assigned to. */
const SCOPES = ['organization', 'assigned', 'assigned'] as const
const policyOf = (organization: string, index: number): string => `${organization}y${index}`
const NAMES = ['ada', 'ben', 'cleo']

/** The actions of clients, each with its share of a hundred. */
const ACTIONS: [number, (workload: Workload, organization: Organization) => void][] = [
  [21, (workload, organization) => workload.request(organization)],
  [18, (workload, organization) => workload.execute(organization)],
  [9, (workload, organization) => workload.decide(organization)],
  [3, (workload, organization) => workload.permit(organization)],
  [2, (workload, organization) => workload.confirm(organization)],
  [1, (workload, organization) => workload.freezeAll(organization)],
  [4, (workload, organization) => workload.cancel(organization)],
  [3, (workload, organization) => workload.repeat(organization)],
  [4, (workload, organization) => workload.moderate(organization)],
  [2, (workload, organization) => workload.rename(organization)],
  [4, (workload, organization) => workload.freeze(organization)],
  [3, (workload, organization) => workload.fund(organization)],
  [4, (workload, organization) => workload.configure(organization)],
  [2, (workload, organization) => workload.delegateAnew(organization)],
  [6, (workload, organization) => workload.block(organization)],
  [2, (workload, organization) => workload.register(organization)],
  [4, (workload, organization) => workload.editPolicy(organization)],
  [4, (workload, organization) => workload.assignPolicy(organization)],
  [1, (workload, organization) => workload.move(organization)],
  [2, (workload) => workload.wait()],
  [1, (workload, organization) => workload.trespass(organization)],
]

export class Workload {
  /** Commands that were neither answered nor lost. */
  waiting = 0
  readonly #host: SimulatedHost
  readonly #random: Random
  readonly #onReply: (letter: Letter, reply: Reply) => void
  readonly #organizations: Organization[]
  #made = 0

  /** `onReply` is called with every reply. */
  constructor(host: SimulatedHost, random: Random, onReply: (letter: Letter, reply: Reply) => void) {
    this.#host = host
    this.#random = random
    this.#onReply = onReply
    this.#organizations = Array.from({ length: 2 + random.below(2) }, (_, index) => foundation(`o${index}`))
  }

  /** Creates everything that payments need; it settles in between, so the faultRates must be calm. */
  async setUp(settle: () => Promise<void>): Promise<void> {
    for (const { id: organization, agents, wallets } of this.#organizations) {
      const stamp = this.#stamp({ id: organization })
      this.#send(createOrganization(stamp))
      agents.forEach((id, index) => this.#send(createAgent(stamp, id, NAMES[index]!)))
      wallets.forEach((id) => this.#send(createWallet(stamp, id, id)))
      SCOPES.forEach((scope, index) => {
        this.#send(createPolicy(stamp, policyOf(organization, index), definitionOf(scope, someRules(this.#random))))
      })
    }
    await settle()
    for (const organization of this.#organizations) {
      const stamp = this.#stamp(organization)
      organization.wallets.forEach((id) => this.#send(fund(stamp, id, 60 + this.#random.below(140))))
      const { agents, wallets } = organization
      for (const agentId of agents) this.#delegate(organization, { agentId, walletId: this.#random.pick(wallets) })
    }
    await settle()
  }

  /** Lets one client act once. */
  act(): void {
    const organization = this.#random.pick(this.#organizations)
    let lot = this.#random.below(100)
    const action = ACTIONS.find(([share]) => (lot -= share) < 0)
    action?.[1](this, organization)
  }

  request(organization: Organization): void {
    const random = this.#random
    const parties = this.#parties(organization)
    const asked: Asked = {
      id: `${organization.id}p${this.#next()}`,
      ...parties,
      amount: 1 + random.below(35),
      outcome: random.pick(OUTCOMES),
      approvedForMs: random.pick([SECOND / 2, 5 * SECOND, 5 * MINUTE, 5 * MINUTE, HOUR, HOUR]),
      approval: requestOf(random, `${organization.id}q${this.#next()}`),
      autoExecute: random.chance(0.15),
      demands: this.#demands(organization, parties.agentId),
    }
    organization.asked.push(asked)
    this.#ask(organization, asked)
  }

  /** Repeats a request, like a client that got no answer or does not remember. */
  repeat(organization: Organization): void {
    const asked = this.#one(organization.asked)
    if (asked) this.#ask(organization, asked)
  }

  execute(organization: Organization): void {
    const { asked, approved } = organization
    const one = this.#one(this.#random.chance(0.2) ? asked : approved.slice(-LATEST))
    if (!one) return
    const outcome = this.#random.pick(OUTCOMES)
    const review = reviewOf(this.#host, one, this.#demands(organization, one.agentId), outcome)
    const fields = review ? { review } : {}
    this.#sendKnown(say('EXECUTE', `payment/${one.id}`, this.#stamp(organization), fields), (reply) => {
      note(organization, one, reply)
    })
  }

  /** A person decides on a payment that waits, or waited when it was last read. */
  decide(organization: Organization): void {
    const one = this.#one(organization.waiting.slice(-LATEST))
    if (!one) return
    const demands = this.#demands(organization, one.agentId)
    const review = this.#random.chance(0.8) && reviewOf(this.#host, one, demands, this.#random.pick(OUTCOMES))
    const type = this.#random.pick(['APPROVE', 'APPROVE', 'APPROVE', 'DENY'])
    const said = decision(this.#host, one, this.#random.pick(PEOPLE))
    const fields = { ...said, ...(type === 'APPROVE' && review && { review }) }
    this.#sendKnown(say(type, `payment/${one.id}`, this.#stamp(organization), fields), (reply) => {
      note(organization, one, reply)
    })
  }

  /** An agent requests a permit to pay by itself. */
  permit(organization: Organization): void {
    const one = this.#one(organization.approved.slice(-LATEST))
    if (!one) return
    const outcome = this.#random.pick(OUTCOMES)
    const review = reviewOf(this.#host, one, this.#demands(organization, one.agentId), outcome)
    const fields = { permitForMs: MINUTE, ...(review && { review }) }
    this.#sendKnown(say('PERMIT', `payment/${one.id}`, this.#stamp(organization), fields))
  }

  /**
   * An agent confirms that it has paid, sometimes with the hash of another payment; or an administrator releases the
   * hold.
   */
  confirm(organization: Organization): void {
    const one = this.#one(organization.approved.slice(-LATEST))
    if (!one) return
    const stamp = this.#stamp(organization)
    const txHash = `${organization.id}h${this.#random.below(40)}`
    const claim = claimOf(organization.id, `transfer.${txHash}`, `${one.id}.transfer`)
    const letter = this.#random.chance(0.9)
      ? say('CONFIRM', `payment/${one.id}`, stamp, { txHash, claim })
      : say('RELEASE_HOLD', `payment/${one.id}`, stamp, { reason: 'Never paid' })
    this.#sendKnown(letter)
  }

  freezeAll(organization: Organization): void {
    const ref: Ref = `organization/${organization.id}`
    const type = this.#random.pick(['FREEZE', 'UNFREEZE', 'UNFREEZE'])
    this.#sendKnown(say(type, ref, this.#stamp(organization), { reason: 'Stolen keys' }))
  }

  cancel(organization: Organization): void {
    const asked = this.#one(organization.asked)
    if (asked) this.#sendKnown(say('CANCEL', `payment/${asked.id}`, this.#stamp(organization)))
  }

  moderate(organization: Organization): void {
    const { agentId } = this.#concerned(organization)
    const type = this.#random.pick(['PAUSE', 'ACTIVATE', 'ACTIVATE', 'ACTIVATE', 'SUSPEND', 'ACTIVATE'] as const)
    this.#send(setStatus(this.#stamp(organization), agentId, type))
  }

  rename(organization: Organization): void {
    const agent = this.#random.pick(organization.agents)
    const word = `word${this.#next()}`
    this.#send(rename(this.#stamp(organization), agent, this.#random.pick(NAMES), word))
  }

  freeze(organization: Organization): void {
    const ref: Ref = `wallet/${this.#concerned(organization).walletId}`
    this.#send(say(this.#random.pick(['FREEZE', 'ACTIVATE', 'ACTIVATE']), ref, this.#stamp(organization)))
  }

  fund(organization: Organization): void {
    const wallet = this.#random.pick(organization.wallets)
    this.#send(fund(this.#stamp(organization), wallet, 10 + this.#random.below(90)))
  }

  configure(organization: Organization): void {
    const tight = this.#random.chance(0.3) && { spendLimitDaily: this.#random.below(30) }
    const changes = { ...this.#limits(), ...tight }
    this.#send(configure(this.#stamp(organization), this.#concerned(organization).delegationId, changes))
  }

  /** Revokes a delegation and delegates the same pair again, perhaps before the first one has ended. */
  delegateAnew(organization: Organization): void {
    const { delegationId, agentId, walletId } = this.#concerned(organization)
    this.#send(say('REVOKE', `delegation/${delegationId}`, this.#stamp(organization)), () => {
      const left = organization.delegations.filter(({ id }) => id !== delegationId)
      if (left.length > 0) organization.delegations = left
    })
    this.#delegate(organization, { agentId, walletId })
  }

  block(organization: Organization): void {
    const type = this.#random.pick(['BLOCK', 'BLOCK', 'UNBLOCK', 'UNBLOCK', 'TRUST', 'VERIFY', 'RESET', 'DELETE'])
    const ref: Ref = `counterparty/${this.#concerned(organization).address}`
    this.#sendKnown(say(type, ref, this.#stamp(organization)))
  }

  /** An admin or an agent registers an address, whatever its state. */
  register(organization: Organization): void {
    const random = this.#random
    const { address } = this.#concerned(organization)
    const stamp = this.#stamp(organization)
    const status = random.pick(['UNKNOWN', 'UNKNOWN', 'TRUSTED', 'BLOCKED'] as const)
    this.#send(random.chance(0.5) ? upsertCounterparty(stamp, address) : createCounterparty(stamp, address, status))
  }

  editPolicy(organization: Organization): void {
    const { definitions } = organization
    const index = this.#random.below(SCOPES.length)
    const id = policyOf(organization.id, index)
    const stamp = this.#stamp(organization)
    const earlier = definitions.filter(({ scope }) => scope === SCOPES[index])
    const isBack = earlier.length > 0 && this.#random.chance(0.3)
    const letter = isBack
      ? rollBack(stamp, id, this.#random.pick(earlier))
      : replaceRules(stamp, id, someRules(this.#random))
    this.#sendKnown(letter, ({ actor }) => {
      definitions.push((actor.context as unknown as PolicyContext).definition)
    })
  }

  assignPolicy(organization: Organization): void {
    const change = this.#random.pick([assignAgent, unassignAgent])
    const id = policyOf(organization.id, this.#random.pick([1, 2]))
    this.#sendKnown(change(this.#stamp(organization), id, this.#concerned(organization).agentId))
  }

  /** The organization moves to another time zone; payments that were requested before keep the old one. */
  move(organization: Organization): void {
    organization.timezone = this.#random.pick(ZONES)
  }

  /** Time passes, and nothing else happens. */
  wait(): void {
    this.#host.now += this.#random.below(this.#random.pick([MINUTE, HOUR, DAY]))
  }

  /** Sends a command to an agent of another organization. */
  trespass(organization: Organization): void {
    const foreign = this.#random.pick(this.#organizations.filter((other) => other !== organization))
    this.#send(setStatus(this.#stamp(organization), this.#random.pick(foreign.agents), 'REVOKE'))
  }

  #ask(organization: Organization, asked: Asked): void {
    this.#send(request(this.#stamp(organization), asked), (reply) => note(organization, asked, reply))
  }

  #demands({ id, timezone }: Organization, agentId: string): Demands {
    return demandsOn(this.#host, id, agentId, timezone)
  }

  #delegate(organization: Organization, pair: Pair): void {
    const id = `${organization.id}d${this.#next()}`
    const terms = { ...this.#limits(), timezone: this.#random.pick(ZONES) }
    this.#send(createDelegation(this.#stamp(organization), id, pair, terms), (reply) => {
      if (reply.ok) organization.delegations.push({ id, ...pair })
    })
  }

  /** The parties that an admin acts on: mostly those of an approved payment, where errors are likely. */
  #concerned(organization: Organization): Parties {
    const payment = this.#random.chance(0.7) ? this.#one(organization.approved.slice(-LATEST)) : undefined
    return payment ?? this.#parties(organization)
  }

  #parties({ delegations, addresses }: Organization): Parties {
    const { id: delegationId, agentId, walletId } = this.#random.pick(delegations)
    return { agentId, walletId, delegationId, address: this.#random.pick(addresses) }
  }

  #limits(): Partial<DelegationTerms> {
    const random = this.#random
    return {
      spendLimitPerTx: random.pick([null, 30]),
      spendLimitDaily: random.pick([60, 120, 200]),
      spendLimitWeekly: random.pick([null, 150, 300]),
      spendLimitMonthly: random.pick([null, 400]),
      ...(random.chance(0.1) && { allowedHoursStart: 22, allowedHoursEnd: 20 }),
    }
  }

  /** Like the command layer, sends no command to an actor that does not exist. */
  #sendKnown(letter: Letter, then?: (reply: Reply) => void): void {
    if (this.#host.actors.has(letter.to)) this.#send(letter, then)
  }

  #send(letter: Letter, then: (reply: Reply) => void = () => {}): void {
    this.waiting += 1
    const answered = (reply: Reply): void => {
      this.waiting -= 1
      this.#onReply(letter, reply)
      then(reply)
    }
    this.#host.ask(letter.to, letter.message, { by: BY }).then(answered, () => (this.waiting -= 1))
  }

  /** Clients' clocks are late by up to two seconds. */
  #stamp({ id }: { id: string }): Stamp {
    return { organization: id, now: this.#host.now - this.#random.below(2 * SECOND) }
  }

  #one<Choice>(choices: readonly Choice[]): Choice | undefined {
    return choices.length > 0 ? this.#random.pick(choices) : undefined
  }

  #next(): number {
    this.#made += 1
    return this.#made
  }
}

/** Records what an answer says about a payment. */
function note({ approved, waiting }: Organization, asked: Asked, { actor }: Reply): void {
  if (actor.state === 'approved') approved.push(asked)
  if (actor.state === 'awaitingApproval') waiting.push(asked)
}

function foundation(id: string): Organization {
  const named = (kind: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${id}${kind}${at}`)
  return {
    id,
    agents: named('a', 2),
    wallets: named('w', 2),
    addresses: named('c', 2),
    delegations: [],
    asked: [],
    approved: [],
    waiting: [],
    timezone: 'UTC',
    definitions: [],
  }
}
