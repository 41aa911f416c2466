// The setup of the host's cases: what a case is, and an agent that may spend from a wallet.
import type { DelegationTerms } from '../../src/domain/parties/delegation.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { transferHashKey } from '../../src/domain/values/uniqueKeys.js'
import {
  createAgent,
  createDelegation,
  createOrganization,
  createWallet,
  fund,
  request,
  say,
  type Asked,
  type Letter,
  type Stamp,
} from './messages.js'

export interface Case {
  title: string
  /** Sent one after the other. */
  given: Letter[]
  /** Sent concurrently. */
  when: Letter[]
  /** The number of each answer: the state of the actor, or the code of a refusal. */
  answers: { [answer: string]: number }
  /** States of actors afterwards; undefined if there must be no actor. */
  states?: { [ref: Ref]: string | undefined }
  /** What payments have at every gate afterwards. */
  holds?: { [payment: string]: 'none' | 'held' | 'captured' }
  /** Some fields of actors' contexts afterwards. */
  fields?: { [ref: Ref]: { [field: string]: unknown } }
}

export const HOUR = 60 * 60_000
export const DAY = 24 * HOUR
/** Wednesday, 2026-03-04, 12:00 UTC. */
export const NOON: Stamp = { organization: 'o', now: 1_772_625_600_000 }
export const after = (ms: number): Stamp => ({ ...NOON, now: NOON.now + ms })

export const PAIR = { agentId: 'a', walletId: 'w' }
/** Agent `a`, which may spend from wallet `w` under delegation `d`. */
export function world(terms: Partial<DelegationTerms> = {}, balance = 1_000_000): Letter[] {
  return [
    createOrganization(NOON),
    createAgent(NOON, 'a', 'ada'),
    createWallet(NOON, 'w', '0x1'),
    fund(NOON, 'w', balance),
    createDelegation(NOON, 'd', PAIR, terms),
  ]
}

/** A request for a payment to counterparty `c`. */
export function pay(id: string, amount: number, more: Partial<Asked> = {}, stamp = NOON): Letter {
  return request(stamp, { id, amount, agentId: 'a', walletId: 'w', delegationId: 'd', address: 'c', ...more })
}
export const execute = (id: string, stamp = NOON): Letter => say('EXECUTE', `payment/${id}`, stamp)
export const permit = (id: string): Letter => say('PERMIT', `payment/${id}`, NOON, { permitForMs: HOUR })
export const confirm = (id: string, txHash: string): Letter =>
  say('CONFIRM', `payment/${id}`, NOON, { txHash, transferKey: transferHashKey(txHash, 'o') })
export const cancel = (id: string): Letter => say('CANCEL', `payment/${id}`, NOON)
export const times = (count: number, letter: (index: number) => Letter): Letter[] =>
  Array.from({ length: count }, (_, index) => letter(index))
