// What an organization and its agents may do with counterparties.
import { idOf, type Actor } from '../actor/actor.js'
import type { Page, Paging } from '../actor/query.js'
import type { Address } from '../domain/address.js'
import { STATE_OF_STATUS } from '../domain/counterparty.js'
import type { AgentFields, CounterpartyFields, CounterpartyStatus } from '../domain/counterparty.js'
import type { Ref } from '../domain/gate.js'
import { fieldsGiven } from '../domain/given.js'
import { derivedId, isId } from '../domain/ids.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { isVisible, outcome, tell, type Done } from './ask.js'
import { findAgent } from './agents.js'
import { relationshipContext } from './contexts.js'
import { counterpartyRef } from './facts.js'
import { oneByOne } from '../actor/oneByOne.js'
import type { Caller, Services } from './ports.js'
import { refusedRecipient } from './recipient.js'

const PREFIX = 'cpty_'
const REGISTERED = { ALREADY_EXISTS: 'This address is registered already' }
const NOT_BLOCKED = { INVALID_STATUS: 'The counterparty is not blocked' }

export interface NewCounterparty extends CounterpartyFields {
  address: Address
  status: CounterpartyStatus
}

/** What names a record that is made at this address. */
function met(services: Services, ref: Ref, { display }: Address) {
  return { id: idOf(ref), address: display, order: services.nextOrder() }
}

/** Registers an address. One that was blocked before comes back BLOCKED. */
export async function createCounterparty(
  services: Services,
  caller: Caller,
  { address, status, ...fields }: NewCounterparty,
): Promise<Done | Refused> {
  const unpayable = refusedRecipient(services, address, 'address')
  if (unpayable) return unpayable
  const ref = counterpartyRef(caller.principal.organization, address)
  return outcome(await tell(services, caller, ref, 'CREATE', { ...met(services, ref, address), status, fields }), REGISTERED)
}

/**
 * Changes by counterparty: what is found is still there when it is told, and nobody is related to a record while it is
 * being deleted.
 */
const inTurn = oneByOne()

/** Fields that are left out, or undefined. */
type Some<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

export interface Upsert extends Some<AgentFields> {
  name: string
  address: Address
}

/** An agent names whom it transacts with: given fields are taken, status and block stay. Answers the relationship. */
export async function upsertCounterparty(services: Services, caller: Caller, given: Upsert): Promise<Done | Refused> {
  const unpayable = refusedRecipient(services, given.address, 'address')
  if (unpayable) return unpayable
  const ref = counterpartyRef(caller.principal.organization, given.address)
  return inTurn(ref, () => upsertAt(services, caller, ref, given))
}

async function upsertAt(services: Services, caller: Caller, ref: Ref, { address, ...given }: Upsert): Promise<Done | Refused> {
  // What is remembered is the answer, which the relationship completes.
  const { remember: _remember, ...asker } = caller
  const named = met(services, ref, address)
  const fields = fieldsGiven(given)
  const upserted = outcome(await tell(services, asker, ref, 'UPSERT', { ...named, fields }))
  if (!upserted.ok) return upserted
  const pair = { agentId: caller.principal.agent!, counterpartyId: named.id, order: named.order }
  const relationship: Ref = `relationship/${derivedId('relationship', pair.agentId, pair.counterpartyId)}`
  return outcome(await tell(services, caller, relationship, 'CREATE', pair))
}

/** The counterparty of this id, as it is now. */
export async function findCounterparty(services: Services, { principal }: Caller, id: string): Promise<Done | Refused> {
  const missing = refuse('NOT_FOUND', `There is no counterparty ${id}`)
  if (!id.startsWith(PREFIX) || !isId(id.slice(PREFIX.length))) return missing
  const [actor] = await services.host.read([`counterparty/${id}`])
  return isVisible(actor, principal.organization) ? { ok: true, actor } : missing
}

/** What the organization knows of an address, a record that was deleted too. */
export async function knownAt(services: Services, { principal }: Caller, address: Address): Promise<Actor | undefined> {
  const [actor] = await services.host.read([counterpartyRef(principal.organization, address)])
  return actor
}

export interface CounterpartyChanges extends Some<CounterpartyFields> {
  status?: CounterpartyStatus | undefined
}

const COMMANDS: Record<CounterpartyStatus, string> = {
  TRUSTED: 'TRUST',
  VERIFIED: 'VERIFY',
  UNKNOWN: 'RESET',
  BLOCKED: 'BLOCK',
}

/** Changes what is given; a status that is given lifts a block, or sets one. */
export function updateCounterparty(
  services: Services,
  caller: Caller,
  id: string,
  { status, ...given }: CounterpartyChanges,
): Promise<Done | Refused> {
  const changes = fieldsGiven(given)
  const command = status === undefined ? 'UPDATE' : COMMANDS[status]
  return withCounterparty(services, caller, id, async (ref) => outcome(await tell(services, caller, ref, command, { changes })))
}

/** Trusts, blocks or unblocks; a block stops every execution that is answered after it. */
export function judgeCounterparty(
  services: Services,
  caller: Caller,
  id: string,
  command: 'TRUST' | 'BLOCK' | 'UNBLOCK',
  reason?: string,
): Promise<Done | Refused> {
  const told = reason === undefined ? {} : { reason }
  return withCounterparty(services, caller, id, async (ref) => outcome(await tell(services, caller, ref, command, told), NOT_BLOCKED))
}

/** Takes the record away, with its relationships; payments and a block stay. */
export function deleteCounterparty(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const { remember: _remember, ...asker } = caller
  return withCounterparty(services, caller, id, async (ref) => {
    const related = services.query.refs(`counterparty-agents/${id}`)
    // All are told at once, so that they share commits.
    await Promise.all(related.map((relationship) => tell(services, asker, relationship, 'END')))
    return outcome(await tell(services, caller, ref, 'DELETE'))
  })
}

/** Does something to a counterparty that nobody changes meanwhile. */
function withCounterparty(
  services: Services,
  caller: Caller,
  id: string,
  change: (ref: Ref) => Promise<Done | Refused>,
): Promise<Done | Refused> {
  return inTurn(`counterparty/${id}`, async () => {
    const found = await findCounterparty(services, caller, id)
    return found.ok ? change(found.actor.ref) : found
  })
}

export interface CounterpartyList extends Paging {
  status?: CounterpartyStatus | undefined
  search?: string | undefined
}

/** Counterparties, newest first; `search` is a literal part of name or address, letter case ignored. */
export function listCounterparties(
  services: Services,
  { principal }: Caller,
  { status, search, ...paging }: CounterpartyList,
): Promise<Page | undefined> {
  const { organization } = principal
  const state = status && STATE_OF_STATUS[status]
  if (search !== undefined && search !== '') return services.query.counterpartiesWith({ ...paging, organization, part: search, state })
  const all = `counterparties/${organization}`
  return services.query.page({ ...paging, list: state === undefined ? all : `${all}/${state}` })
}

/** Executed payments to a counterparty, newest first. */
export function transactionsWith(
  { query }: Services,
  { ref }: Actor,
  paging: Paging,
): Promise<Page | undefined> {
  return query.page({ ...paging, list: `counterparty-transactions/${idOf(ref)}` })
}

/** Whom an agent has named, the newest relationship first, with those counterparties that are there by their refs. */
export async function relationsOf(
  services: Services,
  caller: Caller,
  agentId: string,
  paging: Paging,
): Promise<{ ok: true; page: Page | undefined; counterparties: Map<Ref, Actor> } | Refused> {
  const agent = await findAgent(services, caller, agentId)
  if (!agent.ok) return agent
  const page = await services.query.page({ ...paging, list: `agent-counterparties/${agentId}` })
  const { organization } = caller.principal
  const found = await services.host.read((page?.actors ?? []).map(counterpartyIn))
  const present = found.filter((actor): actor is Actor => isVisible(actor, organization))
  return { ok: true, page, counterparties: new Map(present.map((actor) => [actor.ref, actor])) }
}

/** Whom a relationship is with. */
export function counterpartyIn(relationship: Actor): Ref {
  return `counterparty/${relationshipContext(relationship).counterpartyId}`
}
