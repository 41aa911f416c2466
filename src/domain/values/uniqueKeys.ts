// The keys that only one actor may have at a time, or one owner forever. They are rows of one index; an actor's follow
// from its state and its fields.
import { derivedId } from './ids.js'
import type { Meta } from './meta.js'
import { comparableName } from './text.js'
import { transferKey } from './transfer.js'

interface Keyed<Context> {
  context: Context
}

export function walletAddressKey(organization: string, chainId: string, address: string): string {
  return derivedId('wallet-address', organization, chainId, address)
}

/** A key that one owner has in the whole installation and forever. */
export interface PermanentKey {
  /** The key in words, including its kind. */
  key: string
  /** A ref, or an organization's id. */
  owner: string
  organization: string
}

/** The key in the index of a key that is never given up. */
export function permanentKey(key: string): string {
  return derivedId('permanent', key)
}

/** The hash of a transfer that the service did not send: it confirms one payment of all organizations, or of this one. */
export function transferHashKey(txHash: string, organization?: string): string {
  if (organization === undefined) return permanentKey(transferKey(txHash))
  return derivedId('transfer', organization, txHash)
}

/** Its name in its organization, until it is deleted. */
export function agentKeys(
  { context: { organization, name } }: Keyed<{ organization: string; name: string }>,
  { gone }: Meta,
): readonly string[] {
  return !gone ? [derivedId('agent-name', organization, comparableName(name))] : []
}

/** Its address on its chain in its organization, until it is deleted. */
export function walletKeys(
  { context: { organization, fields } }: Keyed<{ organization: string; fields: { chainId: string; address: string } }>,
  { gone }: Meta,
): readonly string[] {
  return !gone ? [walletAddressKey(organization, fields.chainId, fields.address)] : []
}

export function delegationKey(agentId: string, walletId: string): string {
  return derivedId('delegation', agentId, walletId)
}

type DelegationKeyed = Keyed<{ agentId: string; walletId: string }>

function pairOf({ context: { agentId, walletId } }: DelegationKeyed): string {
  return delegationKey(agentId, walletId)
}

/** Its agent and wallet, until it is revoked. */
export function delegationKeys(delegation: DelegationKeyed, { status }: Meta): readonly string[] {
  return status === 'ACTIVE' ? [pairOf(delegation)] : []
}

/** Its agent and wallet afterwards: the next delegation counts what this one has spent. */
export function formerDelegationKeys(delegation: DelegationKeyed, { status }: Meta): readonly string[] {
  return status === 'REVOKED' ? [pairOf(delegation)] : []
}

export function cardAssignmentKey(agentId: string, cardId: string): string {
  return derivedId('card-assignment', agentId, cardId)
}

type CardAssignmentKeyed = Keyed<{ agentId: string; cardId: string }>

/** Its agent and card, until it is removed. */
export function cardAssignmentKeys({ context }: CardAssignmentKeyed, { status }: Meta): readonly string[] {
  return status === 'ACTIVE' ? [cardAssignmentKey(context.agentId, context.cardId)] : []
}

/** Its agent and card afterwards: the next assignment counts what this one has spent. */
export function formerCardAssignmentKeys({ context }: CardAssignmentKeyed, { status }: Meta): readonly string[] {
  return status === 'REVOKED' ? [cardAssignmentKey(context.agentId, context.cardId)] : []
}

export function memberEmailKey(organization: string, email: string): string {
  return derivedId('member-email', organization, email)
}

type MemberKeyed = Keyed<{ organization: string; email: string }>

function addressOf({ context: { organization, email } }: MemberKeyed): string {
  return memberEmailKey(organization, email)
}

/** Its e-mail address in its organization, until it is removed. */
export function memberKeys(member: MemberKeyed, { gone }: Meta): readonly string[] {
  return gone ? [] : [addressOf(member)]
}

/** Its e-mail address afterwards: the next member with it is the same person. */
export function formerMemberKeys(member: MemberKeyed, { gone }: Meta): readonly string[] {
  return gone ? [addressOf(member)] : []
}

/** One purchase of an agent, whatever the routes and attempts that it is paid by. */
export function purchaseKey(agentId: string, paymentKey: string): string {
  return derivedId('purchase', agentId, paymentKey)
}

type PaymentKeyed = Keyed<{
  terms: { agentId: string; paymentKey?: string } | null
  keepsKey: boolean
  transferKey: string | null
  permit: { charge?: { lacksKey?: true } } | null
}>

/** A payment that holds something is made, or may still be: no other attempt at its purchase may begin. */
function isOrMayBePaid({ context }: PaymentKeyed, { hold }: Meta): boolean {
  return hold !== 'none' || context.keepsKey
}

function purchaseKeysOf({ context: { terms, permit } }: PaymentKeyed): readonly string[] {
  return terms?.paymentKey === undefined || permit?.charge?.lacksKey
    ? []
    : [purchaseKey(terms.agentId, terms.paymentKey)]
}

/** The transfer that it was confirmed with, forever, and its purchase, until it can never be paid any more. */
export function paymentKeys(payment: PaymentKeyed, meta: Meta): readonly string[] {
  const keys = isOrMayBePaid(payment, meta) ? purchaseKeysOf(payment) : []
  const { transferKey } = payment.context
  return transferKey === null ? keys : [transferKey, ...keys]
}

/** Its purchase afterwards: the next attempt is counted from it. */
export function formerPaymentKeys(payment: PaymentKeyed, meta: Meta): readonly string[] {
  return isOrMayBePaid(payment, meta) ? [] : purchaseKeysOf(payment)
}

/** The key of an alert's cause. */
export function alertKey(organization: string, type: string, about: readonly (string | number)[]): string {
  return derivedId('alert', organization, type, ...about.map(String))
}

/** Its cause, until it is resolved or the cause is over; for ever where the cause happens once. */
export function alertKeys(
  { context: { key, isOnce, isOver } }: { context: { key: string; isOnce: boolean; isOver: boolean } },
  { status }: Meta,
): readonly string[] {
  return isOnce || (status !== 'RESOLVED' && !isOver) ? [key] : []
}
