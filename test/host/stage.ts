// The setup of the conformance suite: what a case is, and an agent that may spend from a wallet.
import type { DelegationTerms } from '../../src/domain/delegation.js'
import type { Entry, Ref } from '../../src/domain/gate.js'
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
  /** Rows afterwards, by holder and gate. */
  rows?: { [holder: string]: { [gate: Ref]: Entry['state'] | undefined } }
  /** Some fields of actors' contexts afterwards. */
  fields?: { [ref: Ref]: { [field: string]: unknown } }
}

export const HOUR = 60 * 60_000
export const DAY = 24 * HOUR
/** Wednesday, 2026-03-04, 12:00 UTC. */
export const NOON: Stamp = { organization: 'o', now: 1_772_625_600_000 }
export const after = (ms: number): Stamp => ({ ...NOON, now: NOON.now + ms })

const GATES: Ref[] = ['agent/a', 'delegation/d', 'wallet/w', 'counterparty/c']
/** The same row at every gate. */
export const everywhere = (state: Entry['state'] | undefined): { [gate: Ref]: Entry['state'] | undefined } =>
  Object.fromEntries(GATES.map((gate) => [gate, state]))

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
export const cancel = (id: string): Letter => say('CANCEL', `payment/${id}`, NOON)
export const times = (count: number, letter: (index: number) => Letter): Letter[] =>
  Array.from({ length: count }, (_, index) => letter(index))
