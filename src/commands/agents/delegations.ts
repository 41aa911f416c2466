// Commands on delegations: creating, changing, revoking and listing them. Spending is decided at their gate.
import { isPermitted, listOfStatus } from '../status.js'
import { agentPaymentsOf } from '../../../machines/payment/lists.js'
import { delegationsOfWallet, delegationsOf, type DelegationContext } from '../../../machines/delegation.js'
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import type { Page, Paging } from '../../actor/query.js'
import type { DelegationTerms } from '../../domain/parties/delegation.js'
import type { Ref } from '../../domain/limits/gate.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { refuse, refuseField, refuseLimit, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isScheduleValid } from '../../domain/time/schedule.js'
import { settledSums, sumsMoved } from '../../domain/limits/sums.js'
import { delegationKey } from '../../domain/values/uniqueKeys.js'
import { find, isVisible, newIdFor, outcome, send, sendIf } from '../send.js'
import { SLICES_OF_READ } from '../overdue.js'
import type { Caller, Services } from '../ports.js'
import { retryOnConflict } from '../retryOnConflict.js'

export type GivenTerms = { [Field in keyof DelegationTerms]?: DelegationTerms[Field] | undefined }
/** Null removes a limit, and resets any other field to its default. */
export type AskedTerms = { [Field in keyof GivenTerms]: GivenTerms[Field] | null }

const LIMITED = { spendLimitPerTx: 100_000_000, spendLimitDaily: 1_000_000_000 }
const UNLIMITED = { spendLimitPerTx: null, spendLimitDaily: null }
/** Delegations in force. */
const MAX_OF_AGENT = 100
const MAX_OF_WALLET = 10_000
const DELEGATED = { path: 'walletId', message: 'The wallet is delegated to this agent already' }
const WORKDAYS: DelegationTerms['allowedDays'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

/** The defaults of a new delegation; a FULL one has no limits. */
function defaults(given: GivenTerms, timezone: string): DelegationTerms {
  const delegationType = given.delegationType ?? 'LIMITED'
  return {
    delegationType,
    ...(delegationType === 'FULL' ? UNLIMITED : LIMITED),
    spendLimitWeekly: null,
    spendLimitMonthly: null,
    allowedHoursStart: 0,
    allowedHoursEnd: 24,
    allowedDays: WORKDAYS,
    timezone,
  }
}

/** The requested terms alone, with null resolved. */
function termsOf(asked: AskedTerms, timezone: string): GivenTerms {
  const initial = defaults({}, timezone)
  const unset = (field: string): unknown =>
    field.startsWith('spendLimit') ? null : initial[field as keyof DelegationTerms]
  const named = Object.entries(omitUndefined(asked))
  return Object.fromEntries(named.map(([field, value]) => [field, value === null ? unset(field) : value]))
}

/** Refuses hours that no day has, where both ends are given. */
function wrongHours({
  allowedHoursStart: start,
  allowedHoursEnd: end,
}: GivenTerms): Refused<'VALIDATION_ERROR'> | undefined {
  if (start === undefined || end === undefined || isScheduleValid(start, end)) return undefined
  return noHours()
}

const noHours = (): Refused<'VALIDATION_ERROR'> => {
  return refuseField('allowedHoursEnd', 'must differ from allowedHoursStart; an end before the start wraps midnight')
}

export async function delegateWallet(
  services: Services,
  caller: Caller,
  agentId: string,
  walletId: string,
  asked: AskedTerms,
): Promise<
  Result<
    Actor<'delegation'>,
    'ALREADY_EXISTS' | 'INVALID_STATUS' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'UNAVAILABLE' | 'VALIDATION_ERROR'
  >
> {
  const zone = await organizationZone(services, caller)
  const given = termsOf(asked, zone)
  const terms = { ...defaults(given, zone), ...given } as DelegationTerms
  const wrong = wrongHours(terms)
  if (wrong) return wrong
  return retryOnConflict(async () => {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
    const wallet = await find(services, caller, 'wallet', walletId)
    if (!wallet.ok) return wallet
    const id = newIdFor(services, caller)
    const full = noRoom(services, agentId, walletId)
    if (full) return full
    const former = formerOf(services, agentId, walletId)
    const carried = former && (await carriedFrom(services, former, terms.timezone))
    const fields = { id, agentId, walletId, terms, order: services.nextOrder(), ...carried }
    // A deletion that comes first has looked for delegations to revoke, and would miss this one.
    const areThere: Unchanged = (view) =>
      [agent, wallet].every(({ value: actor }) => isVisible(view(actor.ref), caller.principal.organization)) &&
      formerOf(services, agentId, walletId)?.revision === former?.revision &&
      noRoom(services, agentId, walletId) === undefined
    const reply = await sendIf(services, caller, areThere, `delegation/${id}`, 'CREATE', { fields })
    return reply && outcome(reply, { ALREADY_EXISTS: DELEGATED })
  })
}

/** A payment considers all delegations of its agent, and budgets of a wallet all of the wallet's. */
function noRoom({ query, host }: Services, agentId: string, walletId: string): Refused<'LIMIT_REACHED'> | undefined {
  // It is delegated already, which is another refusal.
  const known = host.keyOwner(delegationKey(agentId, walletId))
  if (known && !known.isFormer) return undefined
  if (query.size(delegationsOf(agentId, 'active')) >= MAX_OF_AGENT) {
    return refuseLimit('delegations', `An agent has at most ${MAX_OF_AGENT} delegations: revoke one first`)
  }
  if (query.size(delegationsOfWallet(walletId, 'active')) < MAX_OF_WALLET) return undefined
  return refuseLimit('delegations', `A wallet has at most ${MAX_OF_WALLET} delegations: revoke one first`)
}

/** The delegation of this agent and wallet that was removed last, unless there is one now. */
function formerOf({ host }: Services, agentId: string, walletId: string): Actor<'delegation'> | undefined {
  const known = host.keyOwner(delegationKey(agentId, walletId))
  return known?.isFormer ? host.peek(known.owner as Ref<'delegation'>) : undefined
}

/**
 * What a new delegation counts of a removed one: what it has spent in its windows, and what the agent may have paid, or
 * may pay, under its permits. Other reservations of the removed one end unpaid.
 */
async function carriedFrom(
  services: Services,
  former: Actor<'delegation'>,
  timezone: string,
): Promise<Pick<DelegationContext, 'sums' | 'clock'>> {
  const { id, agentId, sums, terms, clock: last } = former.context
  await services.host.flushed()
  const list = agentPaymentsOf(agentId, listOfStatus('APPROVED'))
  const mayPay = (payment: Actor<'payment'>): boolean =>
    isPermitted(payment) && payment.context.terms!.delegationId === id
  const permitted = await services.query.filtered({ list, limit: Infinity, offset: 0 }, mayPay)
  const maybeSpent = permitted!.actors.reduce((sum, payment) => sum + payment.context.terms!.amount, 0)
  const clock = Math.max(last, services.now())
  return { sums: settledSums(sumsMoved(sums, clock, terms.timezone, timezone), maybeSpent), clock }
}

async function organizationZone(services: Services, caller: Caller): Promise<string> {
  const [organization] = await services.host.read([`organization/${caller.principal.organization}`])
  return organization!.context.fields.timezone
}

/** What delegations show of holds must not be over. */
async function endOverdueOf({ overdue, query }: Services, { principal }: Caller, agentId: string): Promise<void> {
  await overdue.endAt(principal.organization, query.refs(delegationsOf(agentId)), SLICES_OF_READ)
}

/** An agent's delegations, newest first, revoked ones included. */
export async function listDelegations(
  services: Services,
  caller: Caller,
  agentId: string,
): Promise<Result<Actor<'delegation'>[], 'NOT_FOUND'>> {
  const agent = await find(services, caller, 'agent', agentId)
  if (!agent.ok) return agent
  await endOverdueOf(services, caller, agentId)
  return succeed(await services.query.all(delegationsOf(agentId)))
}

export interface DelegationList extends Paging {
  /** Include revoked ones. */
  ended: boolean
}

/** A page of an agent's delegations, newest first. */
export async function pageOfDelegations(
  services: Services,
  caller: Caller,
  agentId: string,
  { ended, ...paging }: DelegationList,
): Promise<Result<Page<'delegation'> | undefined, 'NOT_FOUND'>> {
  const agent = await find(services, caller, 'agent', agentId)
  if (!agent.ok) return agent
  await endOverdueOf(services, caller, agentId)
  const wanted = { ...paging, list: delegationsOf(agentId) }
  const isActive = ({ state }: Actor): boolean => state === 'active'
  return succeed(await (ended ? services.query.page(wanted) : services.query.filtered(wanted, isActive)))
}

/** A page of the delegations in force of a wallet, newest first. */
export async function delegationsFrom(
  services: Services,
  caller: Caller,
  walletId: string,
  paging: Paging,
): Promise<Result<Page<'delegation'> | undefined, 'NOT_FOUND'>> {
  const wallet = await find(services, caller, 'wallet', walletId)
  if (!wallet.ok) return wallet
  await services.overdue.endAt(caller.principal.organization, [wallet.value.ref], SLICES_OF_READ)
  return succeed(await services.query.page({ ...paging, list: delegationsOfWallet(walletId, 'active') }))
}

/** The one ACTIVE delegation of a wallet to an agent. */
async function findDelegation(
  services: Services,
  caller: Caller,
  agentId: string,
  walletId: string,
): Promise<Result<Actor<'delegation'>, 'NOT_FOUND'>> {
  const delegations = await listDelegations(services, caller, agentId)
  if (!delegations.ok) return delegations
  const active = delegations.value.find((actor) => actor.state === 'active' && actor.context.walletId === walletId)
  return active ? succeed(active) : refuse('NOT_FOUND', `No wallet ${walletId} is delegated to this agent`)
}

/** Changes the given terms; sums already reserved or spent still count. */
export async function configureDelegation(
  services: Services,
  caller: Caller,
  agentId: string,
  walletId: string,
  asked: AskedTerms,
): Promise<Result<Actor<'delegation'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const changes = termsOf(asked, await organizationZone(services, caller))
  const impossible = wrongHours(changes)
  if (impossible) return impossible
  const found = await findDelegation(services, caller, agentId, walletId)
  if (!found.ok) return found
  const reply = await send(services, caller, found.value.ref, 'CONFIGURE', { changes })
  return !reply.ok && reply.code === 'VALIDATION_ERROR' ? noHours() : outcome(reply)
}

export async function revokeDelegation(
  services: Services,
  caller: Caller,
  agentId: string,
  walletId: string,
): Promise<Result<Actor<'delegation'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findDelegation(services, caller, agentId, walletId)
  return found.ok ? outcome(await send(services, caller, found.value.ref, 'REVOKE')) : found
}
