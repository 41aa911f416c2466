// The keys that only one actor may have at a time, or one owner forever. They are rows of one index; an actor's follow
// from its state and its fields.
import { derivedId } from './ids.js'
import { comparableName } from './text.js'
import { transferKey } from './transfer.js'

export interface Keyed {
  state: string
  context: { [field: string]: unknown }
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
export function agentKeys({ state, context }: Keyed): readonly string[] {
  const { organization, name } = context as { organization: string; name: string }
  return state.startsWith('registered.') ? [derivedId('agent-name', organization, comparableName(name))] : []
}

/** Its address on its chain in its organization, until it is deleted. */
export function walletKeys({ state, context }: Keyed): readonly string[] {
  const { organization, fields } = context as { organization: string; fields: { chainId: string; address: string } }
  return state.startsWith('kept.') ? [walletAddressKey(organization, fields.chainId, fields.address)] : []
}

export function delegationKey(agentId: string, walletId: string): string {
  return derivedId('delegation', agentId, walletId)
}

function pairOf({ context }: Keyed): string {
  const { agentId, walletId } = context as { agentId: string; walletId: string }
  return delegationKey(agentId, walletId)
}

/** Its agent and wallet, until it is revoked. */
export function delegationKeys(delegation: Keyed): readonly string[] {
  return delegation.state === 'active' ? [pairOf(delegation)] : []
}

/** Its agent and wallet afterwards: the next delegation counts what this one has spent. */
export function formerDelegationKeys(delegation: Keyed): readonly string[] {
  return delegation.state === 'revoked' ? [pairOf(delegation)] : []
}

export function memberEmailKey(organization: string, email: string): string {
  return derivedId('member-email', organization, email)
}

function addressOf({ context }: Keyed): string {
  const { organization, email } = context as { organization: string; email: string }
  return memberEmailKey(organization, email)
}

/** Its e-mail address in its organization, until it is removed. */
export function memberKeys(member: Keyed): readonly string[] {
  return member.state === 'invited' || member.state === 'active' ? [addressOf(member)] : []
}

/** Its e-mail address afterwards: the next member with it is the same person. */
export function formerMemberKeys(member: Keyed): readonly string[] {
  return member.state === 'removed' ? [addressOf(member)] : []
}

/** One purchase of an agent, whatever the routes and attempts that it is paid by. */
export function purchaseKey(agentId: string, paymentKey: string): string {
  return derivedId('purchase', agentId, paymentKey)
}

/** States in which a payment may still be made, or is: no other attempt at its purchase may begin. */
const IS_OR_MAY_BE_PAID = /^(awaitingApproval|approved|permitted|executed|transferring\.\w+|transferred\.\w+)$/

interface PaymentKeyed {
  terms: { agentId: string; paymentKey?: string } | null
  keepsKey: boolean
  transferKey: string | null
}

function purchaseKeysOf({ terms }: PaymentKeyed): readonly string[] {
  return terms?.paymentKey === undefined ? [] : [purchaseKey(terms.agentId, terms.paymentKey)]
}

/** The transfer that it was confirmed with, forever, and its purchase, until it can never be paid any more. */
export function paymentKeys({ state, context }: Keyed): readonly string[] {
  const payment = context as unknown as PaymentKeyed
  const has = IS_OR_MAY_BE_PAID.test(state) || payment.keepsKey
  const keys = has ? purchaseKeysOf(payment) : []
  return payment.transferKey === null ? keys : [payment.transferKey, ...keys]
}

/** Its purchase afterwards: the next attempt is counted from it. */
export function formerPaymentKeys({ state, context }: Keyed): readonly string[] {
  const payment = context as unknown as PaymentKeyed
  return IS_OR_MAY_BE_PAID.test(state) || payment.keepsKey ? [] : purchaseKeysOf(payment)
}
