// Delegation routes and the delegation record, with its limits, what is used of them, and when each window resets.
import { succeed, type Result } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import {
  configureDelegation,
  delegationsFrom,
  delegateWallet,
  listDelegations,
  pageOfDelegations,
  revokeDelegation,
  type DelegationList,
} from '../../commands/agents/delegations.js'
import type { Caller, Services } from '../../commands/ports.js'
import type { Paging } from '../../actor/query.js'
import { walletStatus } from '../../commands/status.js'
import { DELEGATION_TYPES, limitsOf } from '../../domain/parties/delegation.js'
import type { Ref } from '../../domain/limits/gate.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import { WEEKDAYS } from '../../domain/time/schedule.js'
import { counted, PERIODS, sumsAt } from '../../domain/limits/sums.js'
import { windowsAt } from '../../domain/time/windows.js'
import { page } from '../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../server/respond.js'
import { route } from '../server/route.js'
import { amountSchema, enumOf, id, setSchema, timezone, wholeFrom, recordSchema } from '../input/schemas.js'

const perPeriod = <Item extends v.GenericSchema>(item: Item) => v.object({ day: item, week: item, month: item })
const limit = v.nullable(v.number())

export const delegationSchema = recordSchema('Delegation', {
  id: v.string(),
  agentId: v.string(),
  walletId: v.string(),
  delegationType: v.picklist(DELEGATION_TYPES),
  spendLimitPerTx: limit,
  spendLimitDaily: limit,
  spendLimitWeekly: limit,
  spendLimitMonthly: limit,
  allowedHoursStart: v.number(),
  allowedHoursEnd: v.number(),
  allowedDays: v.array(v.picklist(WEEKDAYS)),
  timezone: v.string(),
  status: v.picklist(['ACTIVE', 'REVOKED']),
  spent: perPeriod(v.number()),
  reserved: v.number(),
  remaining: perPeriod(limit),
  resetsAt: perPeriod(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
  wallet: v.object({
    id: v.string(),
    name: v.string(),
    address: v.string(),
    chainType: v.string(),
    chainId: v.string(),
    custodyType: v.string(),
    status: v.string(),
  }),
})

type DelegationRecord = v.InferOutput<typeof delegationSchema>

const shownLimit = (micros: Micros | null): number | null => (micros === null ? null : toNumber(micros))

/** What is used and left of each window at `now` (epoch ms), and when the window ends. */
function windowFields(
  delegation: Actor<'delegation'>,
  now: number,
): Pick<DelegationRecord, 'spent' | 'reserved' | 'remaining' | 'resetsAt'> {
  const { terms, sums, clock } = delegation.context
  const at = Math.max(now, clock)
  const current = sumsAt(sums, at, terms.timezone)
  const windows = windowsAt(at, terms.timezone)
  const limits = limitsOf(terms)
  const each = <Shown>(show: (period: (typeof PERIODS)[number]) => Shown) => ({
    day: show('day'),
    week: show('week'),
    month: show('month'),
  })
  return {
    spent: each((period) => toNumber(current[period].spent)),
    reserved: toNumber(current.held),
    remaining: each((period) => {
      const most = limits[period]
      return most === null ? null : toNumber(Math.max(0, most - counted(current, period)))
    }),
    resetsAt: each((period) => iso(windows[period].end)),
  }
}

export function delegationRecord(
  delegation: Actor<'delegation'>,
  wallet: Actor<'wallet'>,
  now: number,
): DelegationRecord {
  const { id, agentId, walletId, terms, createdAt, updatedAt } = delegation.context
  const { name, address, chainType, chainId, custodyType } = wallet.context.fields
  return {
    id,
    agentId,
    walletId,
    ...terms,
    spendLimitPerTx: shownLimit(terms.spendLimitPerTx),
    spendLimitDaily: shownLimit(terms.spendLimitDaily),
    spendLimitWeekly: shownLimit(terms.spendLimitWeekly),
    spendLimitMonthly: shownLimit(terms.spendLimitMonthly),
    status: delegation.state === 'active' ? 'ACTIVE' : 'REVOKED',
    ...windowFields(delegation, now),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    wallet: { id: walletId, name, address, chainType, chainId, custodyType, status: walletStatus(wallet) },
  }
}

type More<Fields> = (wallet: Actor<'wallet'>) => Fields

/** Makes records of these delegations, each with its wallet's current state and the fields of `more`. */
async function recorder<Fields extends object>(
  services: Services,
  delegations: readonly Actor<'delegation'>[],
  more: More<Fields>,
): Promise<(one: Actor<'delegation'>) => DelegationRecord & Fields> {
  const refOf = ({ context }: Actor<'delegation'>): Ref<'wallet'> => `wallet/${context.walletId}`
  const refs = [...new Set(delegations.map(refOf))]
  await services.settlement?.observe(refs)
  const wallets = await services.host.read(refs)
  const now = services.now()
  return (delegation) => {
    const wallet = wallets[refs.indexOf(refOf(delegation))]!
    return { ...delegationRecord(delegation, wallet, now), ...more(wallet) }
  }
}

/** All of an agent's delegations, including revoked ones, newest first. */
export async function delegationRecords(
  services: Services,
  caller: Caller,
  agentId: string,
): Promise<Result<DelegationRecord[], 'NOT_FOUND'>> {
  const delegations = await listDelegations(services, caller, agentId)
  if (!delegations.ok) return delegations
  return succeed(delegations.value.map(await recorder(services, delegations.value, () => ({}))))
}

/** The delegations that the agent may spend from now, newest first. */
export async function activeDelegations<Fields extends object>(
  services: Services,
  caller: Caller,
  agentId: string,
  more: More<Fields>,
): Promise<Result<(DelegationRecord & Fields)[], 'NOT_FOUND'>> {
  const delegations = await listDelegations(services, caller, agentId)
  if (!delegations.ok) return delegations
  const active = delegations.value.filter(({ state }) => state === 'active')
  return succeed(active.map(await recorder(services, active, more)))
}

/** A page of an agent's delegations, newest first. */
export async function delegationPage<Fields extends object>(
  services: Services,
  caller: Caller,
  agentId: string,
  query: DelegationList,
  more: More<Fields>,
) {
  const found = await pageOfDelegations(services, caller, agentId, query)
  if (!found.ok) return found
  return pageAnswer('wallets', found.value, query, await recorder(services, found.value?.actors ?? [], more))
}

/** A page of the delegations in force of a wallet, each with the name of its agent. */
async function delegationsFromPage(services: Services, caller: Caller, walletId: string, query: Paging) {
  const found = await delegationsFrom(services, caller, walletId, query)
  if (!found.ok) return found
  const actors = found.value?.actors ?? []
  const record = await recorder(services, actors, () => ({}))
  const agents = await services.host.read(actors.map(({ context }): Ref<'agent'> => `agent/${context.agentId}`))
  const names = new Map(actors.map(({ ref }, at) => [ref, agents[at]!.context.name]))
  return pageAnswer('delegations', found.value, query, (one) => ({ ...record(one), agentName: names.get(one.ref)! }))
}

const spendLimit = v.optional(v.nullable(amountSchema({ zero: true })))

/** The fields that can be set when a delegation is created or changed. */
const termsEntries = {
  delegationType: v.nullish(enumOf(DELEGATION_TYPES)),
  spendLimitPerTx: spendLimit,
  spendLimitDaily: spendLimit,
  spendLimitWeekly: spendLimit,
  spendLimitMonthly: spendLimit,
  allowedHoursStart: v.nullish(wholeFrom(0, 23)),
  allowedHoursEnd: v.nullish(wholeFrom(1, 24)),
  allowedDays: v.nullish(setSchema(enumOf(WEEKDAYS), { max: 7 })),
  timezone: v.nullish(timezone()),
}

export const delegationRoutes = [
  route({
    operationId: 'createDelegation',
    method: 'POST',
    path: '/api/agents/:agentId/wallets',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Delegate a wallet to an agent',
    governed: 'delegation.create',
    body: v.strictObject({ walletId: id(), ...termsEntries }),
    answers: { 201: delegationSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_EXISTS', 'LIMIT_REACHED'],
    handler: (call) => {
      const { walletId, ...given } = call.body
      const now = call.services.now()
      return answered(
        call,
        (actor: Actor<'delegation'>, view) => ok(delegationRecord(actor, view(`wallet/${walletId}`)!, now), 201),
        (caller) => delegateWallet(call.services, caller, call.params.agentId, walletId, given),
      )
    },
  }),
  route({
    operationId: 'listDelegations',
    method: 'GET',
    path: '/api/agents/:agentId/wallets',
    access: { key: 'organization', scope: 'agents:read' },
    summary: "List an agent's delegations",
    query: v.strictObject(page),
    answers: {
      200: recordSchema('DelegationList', { wallets: v.array(delegationSchema), pagination: paginationSchema }),
    },
    handler: (call) => {
      const query = { ...call.query, ended: true }
      return delegationPage(call.services, call.caller, call.params.agentId, query, () => ({}))
    },
  }),
  route({
    operationId: 'listWalletDelegations',
    method: 'GET',
    path: '/api/wallets/:walletId/delegations',
    access: { key: 'organization', scope: 'agents:read' },
    summary: 'List the delegations in force of a wallet: who may spend from it, and how much',
    query: v.strictObject(page),
    answers: {
      200: recordSchema('WalletDelegationList', {
        delegations: v.array(recordSchema('NamedDelegation', { ...delegationSchema.entries, agentName: v.string() })),
        pagination: paginationSchema,
      }),
    },
    handler: ({ services, caller, params, query }) => delegationsFromPage(services, caller, params.walletId, query),
  }),
  route({
    operationId: 'updateDelegation',
    method: 'PATCH',
    path: '/api/agents/:agentId/wallets/:walletId',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Change the terms of a delegation; null removes a limit and resets hours, days and time zone',
    governed: 'delegation.update',
    body: v.strictObject(termsEntries),
    answers: { 200: delegationSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) => {
      const { agentId, walletId } = call.params
      const now = call.services.now()
      return answered(
        call,
        (actor: Actor<'delegation'>, view) => ok(delegationRecord(actor, view(`wallet/${walletId}`)!, now)),
        (caller) => configureDelegation(call.services, caller, agentId!, walletId!, call.body),
      )
    },
  }),
  route({
    operationId: 'revokeDelegation',
    method: 'DELETE',
    path: '/api/agents/:agentId/wallets',
    access: { key: 'organization', scope: 'agents:write' },
    summary: 'Revoke a delegation',
    query: v.strictObject({ walletId: id() }),
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, succeeded, (caller) =>
        revokeDelegation(call.services, caller, call.params.agentId, call.query.walletId),
      ),
  }),
]
