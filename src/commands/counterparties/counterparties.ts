// Commands on counterparties and on agents' relationships with them.
import { counterpartyTransactionsOf } from '../../../machines/payment/lists.js'
import { agentsOfCounterparty, counterpartiesOfAgent } from '../../../machines/relationship.js'
import { idOf, type Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import { unpayable, type Address } from '../../domain/values/address.js'
import { agentNotActive } from '../../domain/parties/agent.js'
import { counterpartiesOf } from '../../domain/parties/counterparty.js'
import type { WritableFields, CounterpartyFields, CounterpartyStatus } from '../../domain/parties/counterparty.js'
import type { Ref } from '../../domain/limits/gate.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { derivedId, isId } from '../../domain/values/ids.js'
import type { Code } from '../../domain/outcomes/codes.js'
import { refuse, refuseAt, succeed, type Result } from '../../domain/outcomes/result.js'
import { isVisible, outcome, refusedOnDisk, send } from '../send.js'
import { findAgent } from '../agents/agents.js'
import { counterpartyRef } from '../payments/facts.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { Caller, Services } from '../ports.js'
import { stateOfStatus, agentStatus } from '../status.js'

const PREFIX = 'cpty_'
const REGISTERED = { ALREADY_EXISTS: { path: 'address', message: 'This address is registered already' } }
const NOT_BLOCKED = { INVALID_STATUS: 'The counterparty is not blocked' }

export interface NewCounterparty extends CounterpartyFields {
  address: Address
  status: CounterpartyStatus
}

/** Identifies a record made at this address. */
function identityAt(services: Services, ref: Ref, { display }: Address) {
  return { id: idOf(ref), address: display, order: services.nextOrder() }
}

/** Registers an address. A counterparty that was blocked before comes back BLOCKED. */
export async function createCounterparty(
  services: Services,
  caller: Caller,
  { address, status, ...fields }: NewCounterparty,
): Promise<Result<Actor<'counterparty'>, 'ALREADY_EXISTS' | 'INVALID_ADDRESS' | 'LIMIT_REACHED'>> {
  const wrong = unpayable(address, services.assetContracts, 'address')
  if (wrong !== undefined) return refuseAt('INVALID_ADDRESS', 'address', wrong)
  const ref = counterpartyRef(caller.principal.organization, address)
  const created = { ...identityAt(services, ref, address), status, fields }
  return outcome(await send(services, caller, ref, 'CREATE', created), REGISTERED)
}

/**
 * Serializes changes by counterparty: one found is still there when it is told, and no relationship begins while a
 * record is being deleted.
 */
const inTurn = keyedMutex()

type Some<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

export interface Upsert extends Some<WritableFields> {
  name: string
  address: Address
}

/** Registers an agent's counterparty: given fields are taken, status and block stay. Answers the relationship. */
export async function upsertCounterparty(
  services: Services,
  caller: Caller,
  given: Upsert,
): Promise<Result<Actor<'relationship'>, 'INVALID_ADDRESS' | 'INVALID_STATUS' | 'LIMIT_REACHED'>> {
  const wrong = unpayable(given.address, services.assetContracts, 'address')
  if (wrong !== undefined) return refuseAt('INVALID_ADDRESS', 'address', wrong)
  const ref = counterpartyRef(caller.principal.organization, given.address)
  return inTurn(ref, () => upsertAt(services, caller, ref, given))
}

async function upsertAt(
  services: Services,
  caller: Caller,
  ref: Ref<'counterparty'>,
  { address, ...given }: Upsert,
): Promise<Result<Actor<'relationship'>, 'INVALID_STATUS' | 'LIMIT_REACHED'>> {
  const agentId = caller.principal.agent!
  const agent = services.host.peek(`agent/${agentId}`)
  const status = isVisible(agent, caller.principal.organization) ? agentStatus(agent) : 'DELETED'
  // An agent that was stopped must not rename the recipients of others.
  if (status !== 'ACTIVE') return refusedOnDisk(services, refuse('INVALID_STATUS', agentNotActive(status).message))
  // The answer to record is the relationship's, which comes last.
  const { record: _record, ...asker } = caller
  const named = identityAt(services, ref, address)
  const fields = omitUndefined(given)
  const upserted = outcome<'counterparty', 'LIMIT_REACHED'>(
    await send(services, asker, ref, 'UPSERT', { ...named, fields }),
  )
  if (!upserted.ok) return upserted
  const pair = { agentId, counterpartyId: named.id, order: named.order }
  const relationship: Ref<'relationship'> = `relationship/${derivedId('relationship', pair.agentId, pair.counterpartyId)}`
  return outcome(await send(services, caller, relationship, 'CREATE', pair))
}

export async function findCounterparty(
  services: Services,
  { principal }: Caller,
  id: string,
): Promise<Result<Actor<'counterparty'>, 'NOT_FOUND'>> {
  const missing = refuse('NOT_FOUND', `There is no counterparty ${id}`)
  if (!isCounterpartyId(id)) return missing
  const [actor] = await services.host.read([`counterparty/${id}`])
  return isVisible(actor, principal.organization) ? succeed(actor) : missing
}

export function isCounterpartyId(id: string): id is `cpty_${string}` {
  return id.startsWith(PREFIX) && isId(id.slice(PREFIX.length))
}

/** The organization's record of an address, also a deleted one. */
export async function counterpartyAt(
  services: Services,
  { principal }: Caller,
  address: Address,
): Promise<Actor<'counterparty'> | undefined> {
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

/** Changes the given fields; a given status lifts a block or sets one. */
export function updateCounterparty(
  services: Services,
  caller: Caller,
  id: string,
  { status, ...given }: CounterpartyChanges,
): Promise<Result<Actor<'counterparty'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const changes = omitUndefined(given)
  const command = status === undefined ? 'UPDATE' : COMMANDS[status]
  return withCounterparty(services, caller, id, async (ref) =>
    outcome(await send(services, caller, ref, command, { changes })),
  )
}

/** Trusts, blocks or unblocks; a block stops every execution answered after it. */
export function judgeCounterparty(
  services: Services,
  caller: Caller,
  id: string,
  command: 'TRUST' | 'BLOCK' | 'UNBLOCK',
  reason?: string,
): Promise<Result<Actor<'counterparty'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const told = reason === undefined ? {} : { reason }
  return withCounterparty(services, caller, id, async (ref) =>
    outcome(await send(services, caller, ref, command, told), NOT_BLOCKED),
  )
}

/** Deletes the record with its relationships; payments and a block stay. */
export function deleteCounterparty(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'counterparty'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const { record: _record, ...asker } = caller
  return withCounterparty(services, caller, id, async (ref) => {
    const related = services.query.refs(agentsOfCounterparty(id))
    // All at once, to share commits.
    await Promise.all(related.map((relationship) => send(services, asker, relationship, 'END')))
    return outcome(await send(services, caller, ref, 'DELETE'))
  })
}

/** Runs a command on a counterparty, alone among changes of that counterparty. */
function withCounterparty<C extends Code>(
  services: Services,
  caller: Caller,
  id: string,
  change: (ref: Ref<'counterparty'>) => Promise<Result<Actor<'counterparty'>, C>>,
): Promise<Result<Actor<'counterparty'>, C | 'NOT_FOUND'>> {
  return inTurn(`counterparty/${id}`, async () => {
    const found = await findCounterparty(services, caller, id)
    return found.ok ? change(found.value.ref) : found
  })
}

export interface CounterpartyList extends Paging {
  status?: CounterpartyStatus | undefined
  search?: string | undefined
}

/** Counterparties, newest first; `search` is a literal part of name or address, ignoring case. */
export function listCounterparties(
  services: Services,
  { principal }: Caller,
  { status, search, ...paging }: CounterpartyList,
): Promise<Page<'counterparty'> | undefined> {
  const { organization } = principal
  const state = status && stateOfStatus(status)
  if (search !== undefined && search !== '')
    return services.query.counterpartiesWith({ ...paging, organization, part: search, state })
  return services.query.page({ ...paging, list: counterpartiesOf(organization, state) })
}

/** Executed payments to a counterparty, newest first. */
export function transactionsWith(
  { query }: Services,
  { ref }: Actor<'counterparty'>,
  paging: Paging,
): Promise<Page<'payment'> | undefined> {
  return query.page({ ...paging, list: counterpartyTransactionsOf(idOf(ref)) })
}

/** An agent's relationships, newest first, and the counterparties that still exist, by ref. */
export async function relationshipsOf(
  services: Services,
  caller: Caller,
  agentId: string,
  paging: Paging,
): Promise<
  Result<{ page: Page<'relationship'> | undefined; counterparties: Map<Ref, Actor<'counterparty'>> }, 'NOT_FOUND'>
> {
  const agent = await findAgent(services, caller, agentId)
  if (!agent.ok) return agent
  const page = await services.query.page({ ...paging, list: counterpartiesOfAgent(agentId) })
  const { organization } = caller.principal
  const found = await services.host.read((page?.actors ?? []).map(counterpartyIn))
  const present = found.filter((actor) => isVisible(actor, organization))
  return succeed({ page, counterparties: new Map(present.map((actor) => [actor.ref, actor])) })
}

/** The counterparty of a relationship. */
export function counterpartyIn(relationship: Actor<'relationship'>): Ref<'counterparty'> {
  return `counterparty/${relationship.context.counterpartyId}`
}
