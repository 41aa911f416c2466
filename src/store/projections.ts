// The lists that an actor is in, and the names it can be looked up by.
// INVARIANT: except for policies, members and payments that wait for a person, this depends only on the actor's kind,
// its state and fields that never change, so that a write that keeps the state touches no list.
import type { Actor } from '../actor/actor.js'
import { idOf, isGone, kindOf } from '../actor/actor.js'
import type { Holder } from '../actor/holds.js'
import { emailKey } from '../domain/values/email.js'
import { NAMED_BY, paymentName, type NamedBy } from '../domain/payment/terms.js'
import { heldKey, ORDERS_PER_MS } from './recordKeys.js'

type Context = { [field: string]: unknown }
interface Rows {
  lists: string[]
  lookups: string[]
}

const NONE: Rows = { lists: [], lookups: [] }

/** States of a payment whose transfer was sent, whatever its outcome. */
const SENT = /^(transferred\.\w+|executed|failed)$/

/** Names the list of a state: states that show alike share one. */
function listedState(state: string): string {
  if (state === 'permitted') return 'approved'
  if (state.startsWith('transferring.')) return 'transferring'
  return state.startsWith('transferred.') ? 'executed' : state
}

/** Work lists of the settlement: payments to send, and payments to follow on the chain. */
function callLists(state: string): string[] {
  if (state.startsWith('transferring.')) return ['calls']
  return state === 'transferred.submitted' || state === 'transferred.confirmed' ? ['followed'] : []
}

/** The counterparty's id. A payment asks it last of its first gates and never drops a gate. */
function recipientOf(gates: unknown): string {
  const { ref } = (gates as { ref: string }[]).find((gate) => gate.ref.startsWith('counterparty/'))!
  return ref.slice('counterparty/'.length)
}

type Named = { [Field in NamedBy]?: string }

/** One name for each that the agent gave its payment. */
function namesOf(terms: Named): string[] {
  return NAMED_BY.flatMap((field) => (terms[field] === undefined ? [] : [paymentName(field, terms[field])]))
}

function paymentLists(of: string, context: Context): string[] {
  const { organization, terms, gates } = context
  const { agentId } = terms as { agentId: string }
  const state = listedState(of)
  const named = namesOf(terms as Named).flatMap((name) => [
    `named-payments/${organization}/${name}`,
    `agent-named-payments/${agentId}/${name}`,
  ])
  const lists = [
    `payments/${organization}`,
    `payments/${organization}/${state}`,
    `agent-payments/${agentId}`,
    `agent-payments/${agentId}/${state}`,
    ...named,
    ...approvalLists(context),
  ]
  if (!SENT.test(of)) return [...lists, ...callLists(of)]
  const by = [`transactions/${organization}`, `agent-transactions/${agentId}`]
  return [...lists, ...callLists(of), ...by, `counterparty-transactions/${recipientOf(gates)}`]
}

interface Asked {
  approval: { id: string; status: string; createdAt: number } | null
  formerApprovals: { id: string }[]
}

/** A payment is listed once, by its last request that was put to a person. */
function approvalLists(context: Context): string[] {
  const { approval } = context as unknown as Asked
  if (approval === null || approval.createdAt === 0) return []
  const list = `approvals/${String(context['organization'])}`
  return [list, `${list}/${approval.status}`]
}

function changeLists(state: string, { organization, approval, isCollected }: Context): string[] {
  const { status } = approval as { status: string }
  const names = ['approvals', 'governance'].flatMap((name) => [
    `${name}/${organization}`,
    `${name}/${organization}/${status}`,
  ])
  return state === 'approved' && isCollected === false ? [...names, 'approved-changes'] : names
}

function approvalLookups(context: Context): string[] {
  const { approval, formerApprovals } = context as unknown as Asked
  return [...formerApprovals, ...(approval === null ? [] : [approval])].map(({ id }) => `approval/${id}`)
}

/** What a key or a member made, forever: what they made in turn is found through it. */
function makerLists(createdBy: unknown): string[] {
  const { type, id } = createdBy as { type: string; id: string }
  return type === 'OPERATOR' ? [] : [`made-by/${id}`]
}

function keyRows({ organization, fields }: Context): Rows {
  const { agentId, hash, createdBy } = fields as { agentId: string | null; hash: string; createdBy: unknown }
  const list = agentId === null ? `keys/${organization}` : `agent-keys/${agentId}`
  return { lists: [list, ...makerLists(createdBy)], lookups: [`key/${hash}`] }
}

function agentRows(state: string, { organization, fields }: Context): Rows {
  const { publicKey } = fields as { publicKey: string }
  return {
    lists: [
      `agents/${organization}`,
      `agents/${organization}/${state.slice(state.indexOf('.') + 1)}`,
      `agents-by-public-key/${organization}/${publicKey.toLowerCase()}`,
    ],
    lookups: [],
  }
}

function delegationLists(state: string, { agentId, walletId }: Context): string[] {
  const all = [`delegations/${agentId}`, `wallet-delegations/${walletId}`]
  return state === 'active' ? [...all, ...all.map((list) => `${list}/active`)] : all
}

function policyLists({ organization, definition, agents, wallets }: Context): string[] {
  const assigned = (list: string, to: unknown): string[] =>
    (to as { subjectId: string }[]).map(({ subjectId }) => `${list}/${subjectId}`)
  const { scope } = definition as { scope: string }
  return [
    `policies/${organization}`,
    ...(scope === 'organization' ? [`organization-policies/${organization}`] : []),
    ...assigned('agent-policies', agents),
    ...assigned('wallet-policies', wallets),
  ]
}

/** True for `transactions/…`, `agent-transactions/…` and the like. */
function isByExecution(list: string): boolean {
  return list.slice(0, list.indexOf('/')).endsWith('transactions')
}

/** An actor's order in a list, in microseconds: by execution for transactions, else by creation. */
export function placeIn(list: string, { context }: Actor): number {
  if (isByExecution(list)) return Number(context['executedAt']) * ORDERS_PER_MS
  return context['order'] as number
}

function memberRows({ organization, role, email, setUp, createdBy }: Context): Rows {
  const link = setUp as { hash: string } | null
  return {
    lists: [
      `members/${organization}`,
      `members-by-email/${emailKey(email as string)}`,
      ...(role === 'OWNER' ? [`owners/${organization}`] : []),
      ...makerLists(createdBy),
    ],
    lookups: link === null ? [] : [`set-up/${link.hash}`],
  }
}

/** Keys of the times from which gates count the payment; none for one that holds nothing any more. */
export function heldKeysOf({ ref, context }: Actor): string[] {
  const { gates, holds } = context as unknown as Pick<Holder, 'gates' | 'holds'>
  return holds.flatMap(({ at }, place) => (at === undefined ? [] : [heldKey(gates[place]!.ref, at, idOf(ref))]))
}

/** True for actors that move between lists without changing their state. */
export function movesInState(actor: Actor): boolean {
  const kind = kindOf(actor.ref)
  return kind === 'policy' || kind === 'member' || actor.state === 'awaitingApproval'
}

const lists = (...names: string[]): Rows => ({ lists: names, lookups: [] })

/** The lists that hold the actor, and the names under which it can be looked up directly. */
export function rowsOf(actor: Actor): Rows {
  const { state } = actor
  const context = actor.context as Context
  if (actor.ref.startsWith('agent/') && state === 'deleted') return lists(`former-agents/${context['organization']}`)
  if (actor.ref.startsWith('member/') && state === 'removed') return lists(...makerLists(context['createdBy']))
  if (isGone(actor)) return NONE
  switch (kindOf(actor.ref)) {
    case 'agent':
      return agentRows(state, context)
    case 'wallet':
      return lists(`wallets/${context['organization']}`)
    case 'delegation':
      return lists(...delegationLists(state, context))
    case 'counterparty':
      return lists(`counterparties/${context['organization']}`, `counterparties/${context['organization']}/${state}`)
    case 'relationship':
      return lists(`agent-counterparties/${context['agentId']}`, `counterparty-agents/${context['counterpartyId']}`)
    case 'policy':
      return lists(...policyLists(context))
    case 'organization':
      return lists('organizations')
    case 'change':
      return lists(...changeLists(state, context))
    case 'channel':
      return lists(`channels/${context['organization']}`)
    case 'workflow':
      return lists(`approval-workflows/${context['organization']}`)
    case 'key':
      return keyRows(context)
    case 'member':
      return memberRows(context)
    case 'session':
      return { lists: [`sessions/${context['memberId']}`], lookups: [`session/${context['hash']}`] }
    case 'payment':
      return {
        lists: paymentLists(state, context),
        lookups: [
          ...approvalLookups(context),
          ...(SENT.test(state) ? [`transaction/${context['transactionId']}`] : []),
        ],
      }
    default:
      return NONE
  }
}
