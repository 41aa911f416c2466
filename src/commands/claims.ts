// Claims on natural keys that only one actor may hold. A new actor asks them as gates.
import { permanentClaimRef } from '../actor/permanentClaims.js'
import type { Gate, Ref } from '../domain/gate.js'
import { derivedId } from '../domain/ids.js'
import { transferKey } from '../domain/transfer.js'

function claim(ref: Ref, owner: string, word: string, key: string): Gate {
  return { ref, holder: `${owner}.${word}`, amount: 0, terms: { key } }
}

function agentNameRef(organization: string, name: string): Ref {
  return `claim/${derivedId('agent-name', organization, name)}`
}

/** `word` distinguishes the claims of one owner. */
export function agentNameClaim(organization: string, name: string, owner: string, word: string): Gate {
  return claim(agentNameRef(organization, name), owner, word, `agent name ${name}`)
}

export function walletAddressRef(organization: string, chainId: string, address: string): Ref {
  return `claim/${derivedId('wallet-address', organization, chainId, address)}`
}

export function walletAddressClaim(organization: string, chainId: string, address: string, owner: string): Gate {
  return claim(walletAddressRef(organization, chainId, address), owner, '0', `wallet ${address} on ${chainId}`)
}

export function delegationClaim(agentId: string, walletId: string, owner: string): Gate {
  const ref: Ref = `claim/${derivedId('delegation', agentId, walletId)}`
  return claim(ref, owner, '0', `delegation of ${walletId} to ${agentId}`)
}

export function memberEmailClaim(organization: string, email: string, owner: string): Gate {
  const ref: Ref = `claim/${derivedId('member-email', organization, email)}`
  return claim(ref, owner, '0', `member ${email}`)
}

/**
 * Claims the hash of a transfer that the service did not send. It confirms one payment for ever: of all organizations,
 * or of `organization`.
 */
export function transferClaim(txHash: string, owner: string, organization?: string): Gate {
  const key = transferKey(txHash)
  const ref: Ref =
    organization === undefined ? permanentClaimRef(key) : `claim/${derivedId('transfer', organization, txHash)}`
  return claim(ref, owner, 'transfer', key)
}

/** The owner, from the claim's context; undefined when the claim is free. */
export function claimOwner(context: { [field: string]: unknown } | undefined): string | undefined {
  const owner = context?.['owner']
  return typeof owner === 'string' ? owner.split('.')[0] : undefined
}
