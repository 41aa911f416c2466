// Seeded clients of a few organizations: they request payments against tight limits and small balances, execute, cancel
// and repeat them, while admins pause, freeze, block, revoke, rename, retire, change limits, and edit, roll back and
// assign policies, and chains report on transfers. A command is decided on what is known when it is made, and sent later.
import type { PolicyContext } from '../../../machines/policy.js'
import type { Actor } from '../../../src/actor/actor.js'
import type { Reply } from '../../../src/actor/attempt.js'
import type { Random } from '../../support/random.js'
import type { DelegationTerms } from '../../../src/domain/parties/delegation.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import type { Outcome } from '../../../src/domain/payment/terms.js'
import type { PolicyDefinition } from '../../../src/domain/parties/policy.js'
import { permanentKey, transferHashKey } from '../../../src/domain/values/uniqueKeys.js'
import {
  assignAgent,
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
} from '../../support/messages.js'
import { decision, requestOf } from './approvals.js'
import type { Known } from './books.js'
import { reportOn } from './chain.js'
import { definitionOf, demandsOn, reviewOf, someRules } from './policies.js'

/** What one client sends in one attempt. */
export interface Command {
  letters: Letter[]
  /** What it was decided on, and is compared with when it arrives. */
  grounds: Actor[]
  /** A key that it takes for ever. */
  take?: { key: string; owner: string }
  /** It is sent to another organization's actor. */
  isTrespass?: boolean
  /** Called with the last reply. */
  told: (reply: Reply) => void
}

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
const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo']
/** How many of the latest payments clients still act on. */
const LATEST = 4
const OUTCOMES: Outcome[] = ['APPROVED', 'APPROVED', 'APPROVED', 'REQUIRES_APPROVAL', 'REQUIRES_APPROVAL', 'DENIED']
/** The policies of each organization: one covers all of its agents, the others those that they are assigned to. */
const SCOPES = ['organization', 'assigned', 'assigned'] as const
const policyOf = (organization: string, index: number): string => `${organization}y${index}`
const NAMES = ['ada', 'ben', 'cleo']

/** The actions of clients, each with its share. */
const ACTIONS: [number, (workload: Workload, organization: Organization) => void][] = [
  [21, (workload, organization) => workload.request(organization)],
  [16, (workload, organization) => workload.execute(organization)],
  [14, (workload, organization) => workload.settle(organization)],
  [9, (workload, organization) => workload.decide(organization)],
  [7, (workload, organization) => workload.permit(organization)],
  [8, (workload, organization) => workload.confirm(organization)],
  [1, (workload, organization) => workload.freezeAll(organization)],
  [4, (workload, organization) => workload.cancel(organization)],
  [3, (workload, organization) => workload.repeat(organization)],
  [4, (workload, organization) => workload.moderate(organization)],
  [2, (workload, organization) => workload.rename(organization)],
  [1, (workload, organization) => workload.retire(organization)],
  [4, (workload, organization) => workload.freeze(organization)],
  [4, (workload, organization) => workload.fund(organization)],
  [1, (workload, organization) => workload.newWallet(organization)],
  [4, (workload, organization) => workload.configure(organization)],
  [2, (workload, organization) => workload.delegateAnew(organization)],
  [6, (workload, organization) => workload.block(organization)],
  [2, (workload, organization) => workload.register(organization)],
  [4, (workload, organization) => workload.editPolicy(organization)],
  [4, (workload, organization) => workload.assignPolicy(organization)],
  [1, (workload, organization) => workload.move(organization)],
  [1, (workload, organization) => workload.trespass(organization)],
]
const SHARES = ACTIONS.reduce((sum, [share]) => sum + share, 0)

export class Workload {
  readonly #host: Known
  readonly #random: Random
  readonly #organizations: Organization[]
  #commands: Command[] = []
  #made = 0

  constructor(host: Known, random: Random) {
    this.#host = host
    this.#random = random
    this.#organizations = Array.from({ length: 2 + random.below(2) }, (_, index) => foundation(`o${index}`))
  }

  /** The commands that create everything that payments need, in order. */
  *setUp(): Generator<Command[]> {
    for (const { id: organization, agents, wallets } of this.#organizations) {
      const stamp = this.#stamp({ id: organization })
      this.#send(createOrganization(stamp))
      agents.forEach((id, index) => this.#send(createAgent(stamp, id, NAMES[index]!)))
      wallets.forEach((id) => this.#send(createWallet(stamp, id, id)))
      SCOPES.forEach((scope, index) => {
        this.#send(createPolicy(stamp, policyOf(organization, index), definitionOf(scope, someRules(this.#random))))
      })
    }
    yield this.#taken()
    for (const organization of this.#organizations) {
      const stamp = this.#stamp(organization)
      const { agents, wallets } = organization
      wallets.filter((id) => !transferOf(id)).forEach((id) => this.#send(fund(stamp, id, 60 + this.#random.below(140))))
      wallets.filter(transferOf).forEach((id) => this.#send(this.#reading(organization, id)))
      for (const agentId of agents) {
        for (const _ of [1, 2, 3]) this.#delegate(organization, { agentId, walletId: this.#random.pick(wallets) })
      }
    }
    yield this.#taken()
  }

  /** Lets one client act once. */
  act(): Command[] {
    const organization = this.#random.pick(this.#organizations)
    let lot = this.#random.below(SHARES)
    const action = ACTIONS.find(([share]) => (lot -= share) < 0)
    if (organization.delegations.length > 0) action?.[1](this, organization)
    return this.#taken()
  }

  request(organization: Organization): void {
    const random = this.#random
    const parties = this.#parties(organization)
    const transfer = transferOf(parties.walletId)
    const asked: Asked = {
      id: `${organization.id}p${this.#next()}`,
      ...parties,
      amount: 1 + random.below(35),
      outcome: random.pick(OUTCOMES),
      approvedForMs: random.pick([SECOND / 2, 5 * SECOND, 5 * MINUTE, 5 * MINUTE, HOUR, HOUR]),
      approval: requestOf(random, `${organization.id}q${this.#next()}`),
      autoExecute: random.chance(0.15) && transfer !== 'agent',
      ...(transfer && { transfer }),
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
    if (!one || one.transfer === 'agent') return
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
    const said = decision(this.#host, one, this.#random)
    const fields = { ...said, ...(type === 'APPROVE' && review && { review }) }
    this.#sendKnown(say(type, `payment/${one.id}`, this.#stamp(organization), fields), (reply) => {
      note(organization, one, reply)
    })
  }

  /** A chain reports on a transfer. */
  settle(organization: Organization): void {
    const isMade = ({ id }: Asked): boolean =>
      this.#host.actors.get(`payment/${id}`)?.state.startsWith('transfer') ?? false
    const made = organization.asked.filter(({ transfer }) => transfer === 'own')
    const one = this.#one(this.#random.chance(0.95) ? made.filter(isMade) : made)
    const payment = one && this.#host.actors.get(`payment/${one.id}`)
    if (!payment) return
    const { type, ...fields } = reportOn(this.#random, payment)
    this.#send(say(type, payment.ref, this.#stamp(organization), fields), (reply) => note(organization, one, reply))
  }

  /** An agent requests a permit to pay by itself. */
  permit(organization: Organization): void {
    const { approved } = organization
    const one = this.#one(this.#random.pick([approved.slice(-LATEST), this.#inState('approved', approved)]))
    if (!one || one.transfer === 'own') return
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
    const { approved } = organization
    const one = this.#one(this.#random.pick([approved.slice(-LATEST), this.#inState('permitted', approved)]))
    if (!one) return
    const stamp = this.#stamp(organization)
    // What pays on a chain has one hash in the whole installation.
    const isLive = one.transfer !== undefined
    const txHash = `${isLive ? '' : organization.id}h${this.#random.below(12)}`
    const transferKey = transferHashKey(txHash, isLive ? undefined : organization.id)
    const fields = { txHash, transferKey, ...(isLive && { block: this.#random.below(60) }) }
    const letter = this.#random.chance(0.9)
      ? say('CONFIRM', `payment/${one.id}`, stamp, fields)
      : say('RELEASE_HOLD', `payment/${one.id}`, stamp, { reason: 'Never paid' })
    this.#sendKnown(letter)
  }

  freezeAll(organization: Organization): void {
    const ref: Ref = `organization/${organization.id}`
    const type = this.#random.pick(['FREEZE', 'UNFREEZE', 'UNFREEZE'])
    this.#sendKnown(say(type, ref, this.#stamp(organization), { reason: 'Stolen keys' }))
  }

  cancel(organization: Organization): void {
    const { asked: all, approved } = organization
    const asked = this.#one(this.#random.pick([all, approved.slice(-LATEST), this.#inState('permitted', approved)]))
    if (asked) this.#sendKnown(say('CANCEL', `payment/${asked.id}`, this.#stamp(organization)))
  }

  moderate(organization: Organization): void {
    const { agentId } = this.#concerned(organization)
    const type = this.#random.pick(['PAUSE', 'ACTIVATE', 'ACTIVATE', 'ACTIVATE', 'SUSPEND', 'ACTIVATE'] as const)
    this.#send(setStatus(this.#stamp(organization), agentId, type))
  }

  /** Sometimes with other changes, in one attempt. */
  rename(organization: Organization): void {
    const agent = this.#random.pick(organization.agents)
    const stamp = this.#stamp(organization)
    const letter = rename(stamp, agent, this.#random.pick(NAMES))
    const update = say('UPDATE', letter.to, stamp, { changes: { description: `${this.#next()}` } })
    this.#sendAll(this.#random.chance(0.5) ? [update, letter] : [letter])
  }

  /** Deletes an agent with its delegations in one attempt; another one takes its name. */
  retire(organization: Organization): void {
    const agentId = this.#random.pick(organization.agents)
    const stamp = this.#stamp(organization)
    const own = organization.delegations.filter((one) => one.agentId === agentId)
    const left = organization.delegations.filter((one) => one.agentId !== agentId)
    if (left.length === 0) return
    const revoked = own.map(({ id }) => say('REVOKE', `delegation/${id}`, stamp))
    this.#sendAll([...revoked, say('DELETE', `agent/${agentId}`, stamp)], (reply) => {
      if (reply.ok) organization.delegations = organization.delegations.filter((one) => one.agentId !== agentId)
    })
    const next = `${organization.id}a${this.#next()}`
    this.#send(createAgent(stamp, next, this.#random.pick(NAMES)), ({ ok }) => {
      if (!ok) return
      organization.agents = [...organization.agents.filter((id) => id !== agentId), next]
      this.#delegate(organization, { agentId: next, walletId: this.#random.pick(organization.wallets) })
    })
  }

  freeze(organization: Organization): void {
    const ref: Ref = `wallet/${this.#concerned(organization).walletId}`
    this.#send(say(this.#random.pick(['FREEZE', 'ACTIVATE', 'ACTIVATE']), ref, this.#stamp(organization)))
  }

  fund(organization: Organization): void {
    const wallet = this.#random.pick(organization.wallets)
    const added = (): Letter => fund(this.#stamp(organization), wallet, 10 + this.#random.below(90))
    this.#send(transferOf(wallet) ? this.#reading(organization, wallet) : added())
  }

  /** Takes its address for ever, which another organization may have; or is given up again. */
  newWallet(organization: Organization): void {
    const id = `${organization.id}w${this.#next()}`
    const address = `shared${this.#random.below(4)}`
    const letters = [createWallet(this.#stamp(organization), id, address)]
    const ref: Ref = `wallet/${this.#random.pick(organization.wallets)}`
    const gone = say('DELETE', ref, this.#stamp(organization))
    if (this.#random.chance(0.2)) return this.#send(gone)
    const take = { key: permanentKey(address), owner: organization.id }
    this.#commands.push({ letters, grounds: [], take, told: () => {} })
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

  /** Sends a command to an agent of another organization. */
  trespass(organization: Organization): void {
    const foreign = this.#random.pick(this.#organizations.filter((other) => other !== organization))
    const letters = [setStatus(this.#stamp(organization), this.#random.pick(foreign.agents), 'REVOKE')]
    this.#commands.push({ letters, grounds: [], isTrespass: true, told: () => {} })
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

  /** A balance that some node shows, in any order of blocks. */
  #reading(organization: Organization, id: string): Letter {
    const fields = { balance: 40 + this.#random.below(200), block: this.#random.below(60), lowGas: null }
    return say('OBSERVE', `wallet/${id}`, this.#stamp(organization), fields)
  }

  /** Like the command layer, sends no command to an actor that does not exist. */
  #sendKnown(letter: Letter, then?: (reply: Reply) => void): void {
    if (this.#host.actors.has(letter.to)) this.#send(letter, then)
  }

  #send(letter: Letter, then?: (reply: Reply) => void): void {
    this.#sendAll([letter], then)
  }

  #sendAll(letters: Letter[], then: (reply: Reply) => void = () => {}): void {
    const known = letters.flatMap(({ to }) => this.#host.actors.get(to) ?? [])
    this.#commands.push({ letters, grounds: this.#random.chance(0.3) ? known : [], told: then })
  }

  #taken(): Command[] {
    const commands = this.#commands
    this.#commands = []
    return commands
  }

  /** Clients' clocks are late by up to two seconds. */
  #stamp({ id }: { id: string }): Stamp {
    return { organization: id, now: this.#host.now - this.#random.below(2 * SECOND) }
  }

  /** Those that are in this state when the command is made. */
  #inState(state: string, choices: readonly Asked[]): Asked[] {
    return choices.filter(({ id }) => this.#host.actors.get(`payment/${id}`)?.state === state)
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

/** Two wallets are simulated; from the third the service pays on a chain, from the fourth the agent does. */
function transferOf(walletId: string): Asked['transfer'] {
  if (walletId.endsWith('w2')) return 'own'
  return walletId.endsWith('w3') ? 'agent' : undefined
}

function foundation(id: string): Organization {
  const named = (kind: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${id}${kind}${at}`)
  return {
    id,
    agents: named('a', 2),
    wallets: named('w', 4),
    addresses: named('c', 2),
    delegations: [],
    asked: [],
    approved: [],
    waiting: [],
    timezone: 'UTC',
    definitions: [],
  }
}
