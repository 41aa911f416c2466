// Gathers the facts that a payment request is decided on. They are read once, before the rules, and stored with the
// decision.
import { counterpartyTransactionsOf } from '../../../machines/payment/lists.js'
import { delegationsOf } from '../../../machines/delegation.js'
import type { OrganizationContext } from '../../../machines/organization.js'
import { idOf, type Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import { cardAssignmentsOf } from '../../../machines/cardAssignment.js'
import { parseAddress, type Address } from '../../domain/values/address.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import { derivedId } from '../../domain/values/ids.js'
import type { Ref } from '../../domain/limits/gate.js'
import type { PaymentTerms } from '../../domain/payment/terms.js'
import type { Resource } from '../../domain/payment/x402.js'
import { sanctionOf, type SanctionsList } from '../../domain/parties/sanctions.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import type { Payer } from './policySet.js'
import type { Services } from '../ports.js'
import { CardSource } from './cardSource.js'
import { WalletSource, type FundingSource } from './fundingSource.js'

export interface GatheredFacts {
  now: number
  organization: OrganizationContext
  agent: Actor<'agent'>
  /** The ways to pay, oldest first. */
  routes: readonly FundingSource[]
  /** Undefined until the address is paid or registered. */
  counterparty: Actor<'counterparty'> | undefined
  /** Undefined where nobody is paid at an address. */
  counterpartyRef: Ref<'counterparty'> | undefined
  /** A payment of the organization to the recipient was EXECUTED. */
  isMet: boolean
  /**
   * The sanctions list in force, and the violation where it forbids the recipient. Undefined `sanctions` means that the
   * list cannot be read.
   */
  sanctions: SanctionsList | undefined
  sanction: Violation | undefined
  /** Only of a payment by x402: what is paid for, and its host as far as the organization has paid it. */
  resource?: { host: string; path: string; service: Actor<'service'> | undefined }
}

/** For transfers of an agent. */
export interface TransferSources extends GatheredFacts {
  /** ACTIVE delegations with their wallets. */
  routes: readonly WalletSource[]
}

/** For a transfer. */
export interface TransferFacts extends TransferSources {
  counterpartyRef: Ref<'counterparty'>
}

/** For a payment on a card: nobody is paid at an address. */
export interface CardFacts extends GatheredFacts {
  /** ACTIVE assignments with their cards. */
  routes: readonly CardSource[]
}

/** Refs of recent recipients. Deriving an id costs more than everything else about an address. */
const derived = new BoundedCache<string, Ref<'counterparty'>>(10_000)

/** INVARIANT: an address is one counterparty of an organization, whatever happens to its record. */
export function counterpartyRef(organization: string, { canonical }: Address): Ref<'counterparty'> {
  return derived.getOrInsertComputed(
    `${organization} ${canonical}`,
    () => `counterparty/cpty_${derivedId('counterparty', organization, canonical)}`,
  )
}

/** INVARIANT: a host is one service of an organization. */
export function serviceRef(organization: string, host: string): Ref<'service'> {
  return `service/${derivedId('service', organization, host)}`
}

/** The facts about an agent of the organization and a recipient, who is paid for a resource by x402. */
export async function gatherFacts(
  services: Services,
  organization: string,
  agentId: string,
  recipient: Address,
  resource?: Resource,
): Promise<TransferFacts> {
  const { host, settlement } = services
  const view: View = (ref) => host.peek(ref)
  // In live settlement the wallets first receive their balances from the chains.
  if (settlement) await settlement.observe(routesOf(services, agentId, view).map(({ wallet }) => wallet.ref))
  const who = counterpartyRef(organization, recipient)
  const { list } = services.sanctions()
  const counterparty = view(who)
  return {
    now: services.now(),
    organization: view(`organization/${organization}`)!.context,
    agent: view(`agent/${agentId}`)!,
    routes: routesOf(services, agentId, view),
    counterparty,
    counterpartyRef: who,
    isMet: isMet(services, counterparty),
    sanctions: list,
    sanction: sanctionOf(list, recipient),
    ...(resource && { resource: { ...resource, service: view(serviceRef(organization, resource.host)) } }),
  }
}

/** The facts about an agent of the organization that pays with a card. */
export function cardFacts(services: Services, organization: string, agentId: string): CardFacts {
  const view: View = (ref) => services.host.peek(ref)
  const routes = cardRoutesOf(services, agentId, view)
  return { ...withoutRecipient(services, organization, agentId, view), routes }
}

/** The facts about an agent of the organization and its wallets, whomever it would pay. */
export async function walletFacts(services: Services, organization: string, agentId: string): Promise<TransferSources> {
  const view: View = (ref) => services.host.peek(ref)
  await services.settlement?.observe(routesOf(services, agentId, view).map(({ wallet }) => wallet.ref))
  const routes = routesOf(services, agentId, view)
  return { ...withoutRecipient(services, organization, agentId, view), routes }
}

function withoutRecipient(services: Services, organization: string, agentId: string, view: View) {
  return {
    now: services.now(),
    organization: view(`organization/${organization}`)!.context,
    agent: view(`agent/${agentId}`)!,
    counterparty: undefined,
    counterpartyRef: undefined,
    isMet: false,
    sanctions: services.sanctions().list,
    sanction: undefined,
  }
}

/** The facts about a payment that was requested. */
export function factsAbout(services: Services, { organization, terms }: Requested): Promise<GatheredFacts> {
  const { agentId, recipientAddress, x402 } = terms!
  if (recipientAddress === null) return Promise.resolve(cardFacts(services, organization, agentId))
  return gatherFacts(services, organization, agentId, parseAddress(recipientAddress)!, x402)
}

/** Whose policies a payment is under. */
export function payerOf({ organization, terms }: Requested): Payer {
  const { agentId, walletId, card } = terms!
  return { organization, agentId, walletId: walletId ?? undefined, cardId: card?.id }
}

interface Requested {
  organization: string
  terms: PaymentTerms | null
}

/** On a chain a payment is in the recipient's count before it is EXECUTED: its transfer may not have been sent yet. */
function isMet({ query, settlement }: Services, counterparty: Actor<'counterparty'> | undefined): boolean {
  if (counterparty === undefined) return false
  const { transactionCount, failedCount } = counterparty.context
  if (settlement === null) return transactionCount > 0
  return query.size(counterpartyTransactionsOf(idOf(counterparty.ref))) > failedCount
}

/** The route that a payment takes; undefined once its delegation is revoked, even if the wallet is delegated again. */
export function fundingSourceOf({ routes }: GatheredFacts, terms: PaymentTerms): FundingSource | undefined {
  const id = terms.card?.assignmentId ?? terms.delegationId
  return routes.find(({ leave }) => idOf(leave.ref) === id)
}

/** All routes of the agent, oldest delegation first. */
function routesOf(services: Services, agentId: string, view: View): WalletSource[] {
  const routes: WalletSource[] = []
  for (const ref of services.query.refs(delegationsOf(agentId, 'active'))) {
    const delegation = view(ref)
    if (delegation?.state !== 'active') continue
    routes.push(new WalletSource(services, delegation, view(`wallet/${delegation.context.walletId}`)!))
  }
  return routes.reverse()
}

function cardRoutesOf(services: Services, agentId: string, view: View): CardSource[] {
  const assignments = services.query.refs(cardAssignmentsOf(agentId, 'active')).map((ref) => view(ref))
  return assignments
    .filter((one) => one?.state === 'active')
    .map((one) => new CardSource(one!, view(`card/${one!.context.cardId}`)!))
    .reverse()
}

/** The wallets delegated to the agent, oldest delegation first, as `view` shows them. */
export function reachableWallets(services: Services, agentId: string, view: View): Actor<'wallet'>[] {
  return routesOf(services, agentId, view).map(({ wallet }) => wallet)
}
